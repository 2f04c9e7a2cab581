import assert from 'node:assert/strict';
import { endStarted, runCli } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { JSON_OUT, openLoopOf, PRODUCER, reportOf } from '../helpers/open-loop.js';
import { assertSound } from '../helpers/sound.js';

const ONCE = ['--runs', '1', '--warmup-runs', '0', '--pin', 'off', '--no-profile'];

describe('an open loop', () => {
  afterEach(endStarted);

  it('does exactly what its schedule says, and the server counted it', async () => {
    const { code, stdout } = await runCli([
      ...[
        '--clients',
        NIGHTLY ? 'raw,redis:tuned,ioredis' : 'raw,ioredis',
        '--scenarios',
        'shared-connection',
      ],
      ...['--rate', '4000', '--duration', '250ms', ...ONCE, ...JSON_OUT],
    ]);
    assert.equal(code, 0);
    const { cells } = reportOf(stdout);
    assertSound({ cells });
    for (const { runs } of cells) {
      const [run] = runs;
      const { scheduled, acknowledged, dropped, unsent, intendedPerSecond } = openLoopOf(run);
      assert.deepEqual([scheduled, acknowledged, dropped, unsent], [1000, 1000, 0, 0]);
      assert.equal(intendedPerSecond, 4000);
      assert.equal(run.operations, 1000);
      assert.equal(run.server?.commands, 1000);
    }
  });

  it('runs in every scenario and with batches', async () => {
    const { code, stdout, stderr } = await runCli([
      ...['--clients', 'raw', '--scenarios', 'shared-connection,connection-per-task,pool,bounded'],
      ...['--pipelining', 'explicit:7', '--workload', 'set-get', '--arrivals', 'poisson'],
      ...['--rate', '500', '--max-in-flight', '100', '--duration', '300ms', ...ONCE, ...JSON_OUT],
    ]);
    assert.equal(code, 0, stderr);
    const { cells } = reportOf(stdout);
    assert.equal(cells.length, 4);
    for (const { id, runs } of cells) {
      const { scheduled, acknowledged } = openLoopOf(runs[0]);
      assert.equal(acknowledged, scheduled, id);
      assert.equal(runs[0].commands, 2 * scheduled);
      assert.equal(runs[0].server?.commands, 2 * scheduled);
    }
  });

  it('never has more bytes under way than --max-in-flight-bytes', async () => {
    const key = 20;
    const value = 1000;
    for (const [whenFull, lost, processes] of /** @type {const} */ ([
      ['wait', 'waited', '1'],
      ['drop', 'dropped', '2'],
    ])) {
      const { code, stdout } = await runCli([
        ...[
          ...PRODUCER,
          '--key-size',
          `${key}`,
          '--value-size',
          `${value}`,
          '--processes',
          processes,
          ...ONCE,
        ],
        ...['--rate', '2000000', '--duration', '20ms', '--when-full', whenFull, ...JSON_OUT],
        ...['--max-in-flight-bytes', '50kb'],
      ]);
      assert.equal(code, 0);
      for (const { runs, openLoop } of reportOf(stdout).cells) {
        // What cannot be held is held back at the bound, and no earlier.
        assert.equal(openLoop?.maxInFlight, Math.floor(50_000 / (key + value)));
        assert.equal(openLoopOf(runs[0]).inFlightMax, Math.floor(50_000 / (key + value)));
        assert.ok(openLoopOf(runs[0])[lost] > 0);
      }
    }
  });

  it('is shared by several processes, whose counters and histograms add up', async () => {
    const { code, stdout } = await runCli([
      ...[...PRODUCER, '--processes', '1,3', '--rate', '6004', '--duration', '250ms', ...ONCE, ...JSON_OUT],
    ]);
    assert.equal(code, 0);
    for (const { processes, runs, connections } of reportOf(stdout).cells) {
      const [run] = runs;
      assert.equal(openLoopOf(run).acknowledged, 1501);
      assert.equal(run.latency?.count, 1501);
      assert.equal(run.server?.commands, 1501);
      assert.equal(run.processes.length, processes);
      assert.equal(connections, processes);
      const operations = run.processes.map((each) => each.operations);
      assert.deepEqual(operations, processes === 1 ? [1501] : [501, 500, 500]);
    }
  });
});
