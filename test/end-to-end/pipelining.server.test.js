import assert from 'node:assert/strict';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { endStarted, runCli } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';

/**
 * @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js'
 * @import { CellResult } from '../../src/store/types.js'
 */

const SMALL = {
  ...{ scenarios: 'shared-connection', tasks: 8, size: 50, runs: 1, warmupRuns: 0, iterations: 500 },
  ...{ pin: 'off', profile: false },
};

/**
 * @param {BenchmarkOptions} options
 * @returns {Promise<CellResult[]>} none of which has failed
 */
async function cellsOf(options) {
  const { cells } = await benchmark({ ...SMALL, ...options });
  for (const cell of cells) {
    if (cell.skipped === null) assert.equal(cell.runs[0].failed, null, cell.id);
    const doubts = cell.runs.flatMap(({ warnings }) =>
      warnings.filter((text) => /server|command/.test(text)),
    );
    assert.deepEqual(doubts, [], cell.id);
  }
  return cells;
}

/** @param {CellResult} cell */
const perRead = ({ runs }) => Number(runs[0].server?.commandsPerRead);

describe('pipelining', () => {
  for (const client of ['redis', 'ioredis', 'raw']) {
    it(`${client}: explicit:N sends N together`, async () => {
      const sizes = client === 'raw' ? [1, 10] : [10];
      const pipelining = `explicit:${sizes}`;
      const explicit = await cellsOf({ clients: client, pipelining, tasks: 1, iterations: 1003 });
      for (const [index, size] of sizes.entries()) {
        const [run] = explicit[index].runs;
        assert.ok(
          Math.abs(perRead(explicit[index]) / size - 1) < 0.1,
          `${perRead(explicit[index])} of ${size}`,
        );
        // The last batch is not full; it is sent and counted all the same.
        assert.equal(run.operations, 1003);
        assert.equal(run.server?.commands, 1003);
        assert.equal(run.batching?.commandsPerBatch, 1003 / Math.ceil(1003 / size));
        assert.equal(run.latency?.count, 1003);
      }
    });
  }

  it('tasks that share a connection take turns with none, and a window gathers the commands of all', async () => {
    const [none, window] = await cellsOf({ clients: 'raw', pipelining: 'none,window:500' });
    assert.ok(Math.abs(perRead(none) - 1) < 0.05, `${perRead(none)} commands a read`);
    assert.equal(none.runs[0].operations, 8 * 500);
    const { batching } = window.runs[0];
    assert.ok(perRead(window) > 6, `${perRead(window)} commands a read`);
    assert.ok(Number(batching?.heldUs) >= 500);
    const { commandsPerBatch = null } = batching ?? {};
    assert.ok(commandsPerBatch !== null && commandsPerBatch > 6 && commandsPerBatch <= 8);
  });

  it('auto is the own switch of ioredis', async () => {
    const [ioredis] = await cellsOf({ clients: 'ioredis', pipelining: 'auto' });
    assert.ok(perRead(ioredis) > 3, `${perRead(ioredis)} commands a read`);
    assert.equal(ioredis.effectiveOptions.enableAutoPipelining, true);
  });

  it('an error in the middle of a batch fails the run, with its text', async () => {
    const { cells } = await benchmark({
      ...{ ...SMALL, clients: 'raw', pipelining: 'explicit:5' },
      ...{ command: 'INCR {key}', prepare: 'SET {key} {value}' },
    });
    assert.match(String(cells[0].runs[0].failed), /not an integer/);
  });
});

describe('workloads', () => {
  afterEach(endStarted);

  it('each is accounted for by the server, also over many keys and on every path', async function () {
    this.timeout(120_000);
    for (const [pipelining, workload, commands] of /** @type {const} */ ([
      ['implicit', 'set-get,hset,mix:get=80,set=20,per-process:set,exists', [2, 1, 1, 1]],
      ['explicit:7', 'set-get,mix:get=80,set=20', [2, 1]],
    ])) {
      const cells = await cellsOf({
        ...{ clients: 'raw', pipelining, tasks: 3, keys: 50, valueSize: '10-200' },
        ...{ workload, keyDistribution: 'zipf', iterations: 100 },
      });
      assert.deepEqual(
        cells.map((cell) => cell.runs[0].commands / cell.runs[0].operations),
        commands,
      );
    }
  });

  it('any command can be measured, on keys of the tool alone', async () => {
    const server = await startRedis();
    try {
      const args = ['--url', server.url, '--clients', 'raw', '--scenarios', 'shared-connection'];
      const quick = [
        ...args,
        '--runs',
        '1',
        '--warmup-runs',
        '0',
        '--iterations',
        '20',
        '--tasks',
        '2',
        '--format',
        'json',
      ];
      const { code, stdout, stderr } = await runCli([
        ...quick,
        ...['--command', 'SETRANGE {key} 2 "a word"', '--prepare', 'SET {key} {value}', '--keys', '7'],
      ]);
      assert.equal(code, 0, stderr);
      const [{ runs, workload }] = JSON.parse(stdout).cells;
      assert.equal(workload, 'command:SETRANGE {key} 2 "a word"');
      assert.equal(runs[0].commands, 40);
      assert.deepEqual(
        runs[0].warnings.filter((/** @type {string} */ text) => /server|command/.test(text)),
        [],
      );
      assert.deepEqual(await server.query('KEYS', '*'), []);
    } finally {
      await server.stop();
    }
  });
});
