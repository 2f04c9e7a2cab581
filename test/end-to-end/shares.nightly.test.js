import assert from 'node:assert/strict';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { assertSound, runsOf } from '../helpers/sound.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

const CLIENTS = 'redis:tuned,ioredis:auto-pipelining,iovalkey,raw';
const MIX = {
  command: ['HGET {key} f', 'ZADD {key} 1 {value@2kb}', 'GET {key} ; TTL {key}', 'BLPOP {missing} 0.01'],
  share: [12, 4, 3, 1],
  prepare: ['HSET {key} f {value@2kb}', 'SET {key} {value}'],
  way: 'pipeline',
};

/** @type {BenchmarkOptions} */
const SHORT = {
  size: 20,
  iterations: 20,
  tasks: 5,
  runs: 2,
  starts: 1,
  warmupRuns: 0,
  pin: 'off',
  profile: false,
};

/** @param {BenchmarkOptions} options @param {Record<string, number>} expected calls in a run */
async function assertCounts(options, expected) {
  const report = await benchmark({ ...SHORT, ...MIX, clients: CLIENTS, ...options });
  assertSound(report);
  const runs = runsOf(report);
  assert.ok(runs.length > 0);
  for (const { processes, operations, latency } of runs) {
    assert.deepEqual(processes[0].calls, expected);
    assert.deepEqual([operations, latency?.count], [95, 95]);
  }
}

describe('commands by shares, with every client', () => {
  const counted = { hget: 60, zadd: 20, get: 15, ttl: 15, blpop: 5 };

  for (const scenarios of [
    'shared-connection,round-robin',
    'connection-per-task,pool',
    'open-and-close,bounded',
  ])
    it(`are counted exactly by a server: ${scenarios}`, () => assertCounts({ scenarios }, counted));

  it('are counted exactly by a cluster', () =>
    assertCounts({ topology: 'cluster', scenarios: 'shared-connection', clients: 'redis,ioredis' }, counted));

  it('are counted exactly where keys come at random, and for several processes', async () => {
    const scenarios = 'shared-connection';
    for (const keyDistribution of /** @type {const} */ (['zipf', 'uniform']))
      await assertCounts({ scenarios, keyDistribution, keys: 300, clients: 'redis,raw' }, counted);
    const report = await benchmark({ ...SHORT, ...MIX, scenarios, clients: 'ioredis', processes: 2 });
    assertSound(report);
    for (const { processes } of runsOf(report))
      assert.deepEqual(
        processes.map(({ calls }) => calls),
        [counted, counted],
      );
  });

  it('are raced for as long as what waits needs', async () => {
    const { iterations: _, runs: __, starts: ___, ...raced } = SHORT;
    const report = await benchmark({
      ...raced,
      ...MIX,
      way: 'parallel',
      clients: 'redis,raw',
      budget: '12s',
    });
    assertSound(report);
    for (const { elapsedMs, slices } of runsOf(report)) {
      assert.ok(Number(elapsedMs) >= 190, `${elapsedMs}`);
      assert.equal(slices?.length, 1);
    }
  });
});
