import assert from 'node:assert/strict';
import { endStarted, runCli, startHere } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/**
 * @import { Answers } from '../../src/plugins/types.js'
 * @import { Report, Run } from '../../src/store/types.js'
 */

const BOTH = 'per-process:set,exists';
const KEYS = [
  '--keys',
  '1000',
  '--key-distribution',
  'sequential',
  '--key-size',
  '16',
  '--value-size',
  '128',
];
const NO_WARM_UP = [
  ...['--warmup-runs', '0', '--scenarios', 'shared-connection'],
  ...['--pin', 'off', '--no-profile'],
];
const JSON_OUT = ['--format', 'json', '--no-save'];

/** Keys that were written last, which the tool reads back after each run. */
const READ_BACK = 16;

describe('a producer and a consumer', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());
  afterEach(endStarted);

  /** What the server itself counted since its statistics were reset. */
  async function counted() {
    const fields = await server.info();
    const calls = (/** @type {string} */ name) =>
      Number(/calls=(\d+)/.exec(fields[`cmdstat_${name}`] ?? '')?.[1] ?? 0);
    return {
      ...{ set: calls('set'), exists: calls('exists'), del: calls('del') },
      // EXISTS is all that looks for keys here.
      answers: { true: Number(fields.keyspace_hits), false: Number(fields.keyspace_misses) },
    };
  }

  /**
   * @param {string[]} args
   * @returns {Promise<Report & {counted: Awaited<ReturnType<typeof counted>>}>}
   */
  async function measured(...args) {
    await server.query('CONFIG', 'RESETSTAT');
    const { code, stdout, stderr } = await runCli([
      ...['--url', server.url, ...KEYS, ...NO_WARM_UP, ...JSON_OUT, ...args],
    ]);
    assert.equal(code, 0, stderr);
    const report = JSON.parse(stdout);
    assert.deepEqual(schemaErrors(report), []);
    return { ...report, counted: await counted() };
  }

  /** @param {Run} run */
  const answersOf = ({ answers }) => /** @type {Answers} */ (answers);
  /** @param {Run} run */
  const mismatches = ({ warnings }) =>
    warnings.filter((warning) => /the server counted|other commands/.test(warning));

  it('alone: the consumer finds all that was stored before, and the producer asks nothing', async () => {
    const rate = [
      '--clients',
      'raw',
      '--rate',
      '4000',
      '--duration',
      '250ms',
      '--runs',
      '2',
      '--starts',
      '1',
    ];
    const { cells } = await measured('--workload', 'set,exists', ...rate);
    assert.equal(cells.length, 2);
    for (const { workload, runs, summary } of cells) {
      const asks = workload === 'exists';
      for (const { answers } of runs) assert.deepEqual(answers, asks ? { true: 1000, false: 0 } : null);
      assert.deepEqual(summary?.answers, asks ? { true: 2000, false: 0 } : null);
    }
  });

  for (const client of NIGHTLY ? ['raw', 'ioredis'] : ['raw']) {
    it(`both at once are two processes at one rate, with ${client}`, async () => {
      const { cells, ...report } = await measured(
        ...['--clients', client, '--workload', BOTH, '--rate', '6002', '--duration', '500ms', '--runs', '1'],
      );
      const [{ runs, processes, connections }] = cells;
      const [run] = runs;
      assert.deepEqual([processes, connections], [2, 2]);
      assert.deepEqual(
        run.processes.map(({ operations, calls }) => [operations, calls]),
        [
          [1501, { set: 1501 }],
          [1500, { exists: 1500 }],
        ],
      );
      assert.equal(answersOf(run).true + answersOf(run).false, 1500);
      const { true: found, false: missed } = answersOf(run);
      assert.deepEqual(report.counted.answers, { true: found + READ_BACK, false: missed });
      assert.deepEqual([report.counted.set, report.counted.exists], [1501, 1500]);
      assert.deepEqual([run.commands, run.server?.commands, mismatches(run)], [3001, 3001, []]);
    });
  }

  it('both at once in a closed loop, batch by batch, on several processes each', async () => {
    const { cells, ...report } = await measured(
      ...['--clients', 'raw', '--workload', BOTH, '--pipelining', 'explicit:7', '--processes', '1,2'],
      ...['--tasks', '3', '--iterations', '200', '--runs', '2', '--starts', '1'],
    );
    assert.deepEqual(
      cells.map(({ processes }) => processes),
      [2, 4],
    );
    const runs = cells.flatMap((cell) => cell.runs);
    for (const [index, run] of runs.entries()) {
      const each = index < 2 ? 600 : 1200;
      assert.equal(run.commands, 2 * each);
      assert.equal(answersOf(run).true + answersOf(run).false, each);
      assert.deepEqual(mismatches(run), []);
      assert.deepEqual(
        run.processes.map(({ calls }) => calls),
        [{ set: 600 }, { exists: 600 }, { set: 600 }, { exists: 600 }].slice(0, run.processes.length),
      );
    }
    const sum = (/** @type {'true' | 'false'} */ answer) =>
      runs.reduce((all, run) => all + answersOf(run)[answer], 0);
    const found = sum('true') + runs.length * READ_BACK;
    assert.deepEqual(report.counted.answers, { true: found, false: sum('false') });
    assert.deepEqual([report.counted.set, report.counted.exists], [3600, 3600]);
  });

  it('both at once: one process removes the keys before each run, and none is left at the end', async () => {
    const { counted } = await measured(
      ...[
        '--clients',
        'raw',
        '--workload',
        BOTH,
        '--iterations',
        '10',
        '--runs',
        '3',
        '--starts',
        '1',
        '--tasks',
        '1',
      ],
    );
    const removedAtOnce = 1000 + 1;
    // Three times by one of them; at the end each of the two looks after what is left. One DEL before all
    // of it shows whether this user may.
    assert.equal(counted.del, (3 + 2) * removedAtOnce + 1);
    assert.deepEqual(await server.query('KEYS', '*'), []);
  });

  it('GET may find a value or none, but no other value', async () => {
    const { cells } = await measured(
      ...['--clients', 'raw', '--workload', 'per-process:set,get,exists', '--iterations', '300'],
      ...['--runs', '1', '--value-size', '10-100'],
    );
    const [{ processes, runs }] = cells;
    assert.equal(processes, 3);
    assert.deepEqual([runs[0].failed, runs[0].wrongReplies, mismatches(runs[0])], [null, 0, []]);
    assert.equal(runs[0].commands, 3 * 8 * 300);
  });

  it('the consumer alone fails where keys are lost in the run, and still counts', async () => {
    const tool = startHere([
      ...['--url', server.url, '--clients', 'raw', ...KEYS, ...NO_WARM_UP, ...JSON_OUT, '--runs', '1'],
      ...['--workload', 'exists', '--rate', '100', '--duration', '3s'],
    ]);
    await tool.says(/^1 s:/m);
    await server.query('FLUSHALL');
    const { code, stdout } = await tool.result;
    assert.equal(code, 4);
    const [run] = JSON.parse(stdout).cells[0].runs;
    assert.match(run.failed, /wrong replies, the first: EXISTS replied 0/);
    assert.equal(answersOf(run).true + answersOf(run).false, 300);
    assert.equal(answersOf(run).false, run.wrongReplies);
  });
});
