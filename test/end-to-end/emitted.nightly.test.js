import assert from 'node:assert/strict';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { oneTooMany, startLyingProxy } from '../helpers/lying-proxy.js';
import { startRedis } from '../helpers/redis-server.js';

/** Those of a benchmark, each in the smallest form. */
const WORKLOADS = [
  ...['get', 'set', 'set-get', 'hset', 'exists', 'scan', 'mix:get=80,set=20', 'fetch:3', 'store:3'],
  ...[
    'cache-aside:hit=90',
    'per-process:set,exists',
    'command:SET {key} {value}',
    'profile:test/corpus/shop.ndjson.gz',
  ],
];
const PIPELINING = ['none', 'implicit', 'window:0', 'explicit:5'];

/** The last of a run: nothing is in flight behind it. */
const LAST = /echo 15\r\n$/;

describe('what a client emits', function () {
  this.timeout(600_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startLyingProxy>>} */
  let proxy;
  before(async () => {
    server = await startRedis();
    proxy = await startLyingProxy(server);
    proxy.tell(oneTooMany(LAST));
  });
  after(async () => {
    await proxy.stop();
    await server.stop();
  });

  /** @param {string} workload @param {string} pipelining */
  async function check(workload, pipelining) {
    const { cells } = await benchmark({
      ...{ url: proxy.url, clients: 'redis,ioredis', scenarios: 'shared-connection,pool', size: 20 },
      ...{ workload: [workload], pipelining, iterations: 20, runs: 1, starts: 1, warmupRuns: 0, seed: 1 },
    });
    for (const { id, runs, skipped } of cells.filter((cell) => cell.skipped === null)) {
      assert.equal(skipped, null);
      const [{ failed, emitted }] = runs;
      assert.equal(failed, null, id);
      assert.ok(Number(emitted?.errors) > 0, id);
      assert.match(String(emitted?.firstError), /Cannot read properties|Command queue state/, id);
    }
  }

  for (const workload of WORKLOADS)
    it(`is counted with ${workload}, and fails nothing`, () => check(workload, 'implicit'));
  for (const pipelining of PIPELINING)
    it(`is counted with ${pipelining}, and fails nothing`, () => check('get', pipelining));
});
