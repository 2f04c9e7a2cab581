import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { allowedCpus } from '../../src/machine/processors.js';
import { MEASURING } from '../../src/method.js';
import { endStarted, leftovers, ONE_CELL, QUICK, runCli, STATE } from '../helpers/cli.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { assertSound } from '../helpers/sound.js';

/** @import { Report } from '../../src/store/types.js' */

const DEFAULT_SCENARIOS = ['shared connection', 'connection per task', 'pool of 3', 'open and close'];

const colored = (/** @type {string} */ text) => text !== stripVTControlCharacters(text);

describe('a run', () => {
  afterEach(endStarted);

  it('may be spelled out as a command, and writes no colours to a pipe', async () => {
    const { code, stdout, stderr } = await runCli(['run', ...QUICK]);
    assert.equal(code, 0);
    assert.match(stdout, /raw, shared connection/);
    assert.deepEqual([colored(stdout), colored(stderr)], [false, false]);
  });

  it('is silent on stderr with --quiet, and draws its conclusion from real runs, not from a smoke run', async () => {
    const { code, stdout, stderr } = await runCli([...QUICK, '--smoke', '--quiet']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /raw, shared connection/);
    assert.match(stdout, /smoke run/);
    assert.doesNotMatch(stdout, /operations per second/);
  });

  describe('with defaults', () => {
    /** @type {Awaited<ReturnType<typeof runCli>>} */
    let printed;
    /** @type {string[]} */
    let whatIsLeft;
    /** @type {Report} */
    let report;
    before(async function () {
      this.timeout(120_000);
      const few = [
        '--runs',
        '3',
        '--starts',
        '1',
        '--warmup-runs',
        '0',
        '--iterations',
        '10',
        '--seed',
        '99',
      ];
      printed = await runCli([...few, '--pin', 'off', '--no-profile', '--details', '--breakdown', 'none'], {
        withinMs: 60_000,
      });
      const env = { XDG_STATE_HOME: join(printed.temp, STATE) };
      whatIsLeft = leftovers(printed.temp);
      report = JSON.parse((await runCli(['report', 'last', '--format', 'json'], { env })).stdout);
    });

    it('measures both clients in four scenarios: table on stdout, progress on stderr', () => {
      const { code, stdout, stderr } = printed;
      assert.equal(code, 0);
      for (const client of ['redis', 'redis:tuned', 'ioredis']) {
        for (const scenario of DEFAULT_SCENARIOS)
          assert.match(stdout, new RegExp(`^ ${client}, ${scenario}( of 3)? +10 `, 'm'));
      }
      assert.match(stdout, /^GET\W+64 keys and values of 1,000 characters\W+8 tasks\b/m);
      assert.match(stdout, /\bseed 99\b/);
      const progress = stderr.split('\n');
      assert.match(progress[0], /^12 cells × \(3 runs\) on a managed \w+ \d/);
      for (const round of [1, 2, 3]) assert.ok(progress.includes(`round ${round} of 3 done`), stderr);
      assert.deepEqual([whatIsLeft, schemaErrors(report)], [[], []]);
    });

    it('has every cell with all its runs, in order of their rounds', () => {
      assert.equal(report.cells.length, 3 * DEFAULT_SCENARIOS.length);
      for (const { runs, skipped } of report.cells) {
        assert.equal(skipped, null);
        assert.deepEqual(
          runs.map(({ round }) => round),
          [1, 2, 3],
        );
      }
    });

    it('has figures that agree with each other', () => {
      for (const cell of report.cells) {
        assert.equal(cell.iterations, 10);
        for (const run of cell.runs) {
          const { taskElapsedMs, averageMs, spreadMs, elapsedMs, operations, commands, opsPerSecond } = run;
          assert.equal(run.failed, null);
          assert.equal(taskElapsedMs.length, cell.tasks);
          assert.equal(operations, cell.tasks * 10);
          assert.equal(commands, operations);
          const sum = taskElapsedMs.reduce((total, ms) => total + ms, 0);
          assertNear(averageMs, sum / taskElapsedMs.length);
          assertNear(spreadMs, Math.max(...taskElapsedMs) - Math.min(...taskElapsedMs));
          assert.ok(Number(elapsedMs) >= Math.max(...taskElapsedMs) - 0.001);
          assertNear(opsPerSecond, (operations / Number(elapsedMs)) * 1000);
        }
      }
    });

    it('has a summary of each cell that agrees with its runs', () => {
      for (const { runs, summary } of report.cells) {
        assert.ok(summary);
        const speeds = runs.map((run) => Number(run.opsPerSecond)).sort((a, b) => a - b);
        assert.deepEqual([summary.runs, summary.failedRuns], [3, 0]);
        assertNear(summary.opsPerSecondLow, speeds[0]);
        assertNear(summary.opsPerSecond, speeds[1]);
        assertNear(summary.opsPerSecondHigh, speeds[2]);
      }
    });

    it('has a ranking of each group that agrees with the summaries', () => {
      assert.equal(report.comparisons.length, 1);
      for (const { group, ranking } of report.comparisons) {
        assert.equal(ranking.length, report.cells.length);
        for (const [index, place] of ranking.entries()) {
          const cell = report.cells.find(({ id }) => id === place.cell);
          assert.equal(cell?.group, group);
          assertNear(place.opsPerSecond, Number(cell?.summary?.opsPerSecond));
          assertNear(place.timesSlower, ranking[0].opsPerSecond / place.opsPerSecond);
          // One start of each decides nothing.
          assert.deepEqual([place.verdict, place.againstFastest], ['not measured', null]);
          if (index > 0) assert.ok(place.opsPerSecond <= ranking[index - 1].opsPerSecond);
        }
      }
    });

    it('has the connections of each scenario', () => {
      for (const { scenario, runs, tasks, iterations } of report.cells) {
        for (const run of runs) {
          const expected = { 'shared-connection': 1, 'connection-per-task': tasks, pool: 3 }[scenario];
          assert.equal(run.connections, expected ?? tasks * Number(iterations), scenario);
        }
      }
    });

    it("is confirmed by the server's counters, without a warning", () => {
      assertSound(report);
      assert.deepEqual(
        report.warnings.filter((text) => !/too few runs per cell/.test(text)),
        [],
      );
    });
  });

  describe('in slices', () => {
    it('adds up to what they did, whether its length was found out or given', async () => {
      for (const length of [
        { scenarios: 'shared-connection', runTimeMs: 180, warmupRuns: 1 },
        { scenarios: 'open-and-close', durationMs: 180, warmupRuns: 0 },
      ]) {
        const report = await benchmark({
          ...{ clients: 'raw', size: 10, runs: 1, pin: 'off', profile: false, ...length },
        });
        assertSound(report);
        const [{ runs, iterations, tasks }] = report.cells;
        const [{ slices = [], ...run }] = runs;
        assert.equal(slices.length, 7);
        const sum = (/** @type {'operations' | 'elapsedMs'} */ figure) =>
          slices.reduce((total, slice) => total + slice[figure], 0);
        assert.equal(sum('operations'), run.operations);
        if (iterations !== null) assert.equal(run.operations, iterations * tasks);
        assert.equal(iterations === null, 'durationMs' in length);
        assertNear(sum('elapsedMs'), Number(run.elapsedMs));
        assert.equal(run.latency?.count, run.operations);
        assert.ok(Number(run.server?.commands) >= run.commands);
      }
    });

    it('repeats those that waited for a processor, and no more of them than it may', async function () {
      const cpus = allowedCpus();
      /** @type {ReturnType<typeof spawn>[]} */
      const loops = [];
      if (process.platform !== 'linux' || (cpus?.length ?? 0) < 2) this.skip();
      const hog = () => {
        for (const cpu of loops.length > 0 ? [] : (cpus ?? []))
          loops.push(spawn('taskset', ['-c', `${cpu}`, 'sh', '-c', 'while :; do :; done']));
      };
      try {
        const options = { clients: 'raw', scenarios: 'shared-connection', size: 10, profile: false };
        const { cells } = await benchmark(
          { ...options, pin: 'apart', runs: 1, starts: 1, warmupRuns: 0, durationMs: 400 },
          { onEvent: ({ type }) => void (type === 'run' && hog()) },
        );
        const { slices = [] } = cells[0].runs[0];
        const repeats = slices.reduce((sum, slice) => sum + slice.repeats, 0);
        assert.equal(repeats, Math.ceil(slices.length * MEASURING.repeats));
      } finally {
        for (const loop of loops) loop.kill('SIGKILL');
      }
    });

    it('an open loop, and a workload that starts empty, are measured in one piece', async () => {
      for (const options of [{ rate: 1000 }, { workload: 'hset' }]) {
        const { cells } = await benchmark({
          ...{ clients: 'raw', scenarios: 'shared-connection', size: 10, runs: 1, durationMs: 200 },
          ...{ warmupRuns: 0, pin: 'off', profile: false, ...options },
        });
        assert.equal(cells[0].runs[0].slices?.length, 1);
      }
    });
  });

  it('gives its own, smaller count to a cell that is too slow, and says beforehand about how long all takes', async () => {
    const { stdout, stderr } = await runCli([
      ...[...ONE_CELL, '--scenarios', 'shared-connection,open-and-close'],
      ...['--runs', '1', '--run-time', '100ms', '--warmup-runs', '1', '--format', 'json'],
    ]);
    assert.match(stderr.split('\n')[0], /, about \d+ s$/);
    /** @type {Report} */
    const { cells } = JSON.parse(stdout);
    const [shared, opening] = cells.map(({ iterations }) => Number(iterations));
    assert.ok(opening < shared, `${opening} against ${shared}`);
    for (const { iterations, runs, tasks } of cells)
      assert.equal(runs[0].operations, Number(iterations) * tasks);
  });

  describe('--output', () => {
    it('writes the results to the file and nothing to stdout, without colours', async () => {
      const { code, stdout, temp } = await runCli([...QUICK, '--format', 'json', '--output', 'result.json'], {
        env: { FORCE_COLOR: '1' },
        inTemp: true,
      });
      assert.deepEqual([code, stdout], [0, '']);
      const report = JSON.parse(await readFile(join(temp, 'result.json'), 'utf8'));
      assert.deepEqual(schemaErrors(report), []);
    });
  });

  describe('without anybody who reads', () => {
    it('stdout, it ends in good order', async () => {
      const { code, stderr, temp } = await runCli([...QUICK, '--format', 'json'], { closed: 'stdout' });
      assert.equal(code, 0);
      assert.doesNotMatch(stderr, /EPIPE|Error|at .*\.js/);
      assert.deepEqual(leftovers(temp), []);
    });
    it('stderr, it ends in good order, with its results', async () => {
      const { code, stdout } = await runCli([...QUICK, '--format', 'json'], {
        closed: 'stderr',
      });
      assert.equal(code, 0);
      assert.deepEqual(schemaErrors(JSON.parse(stdout)), []);
    });
  });
});

/** @param {number | null} actual @param {number} expected */
function assertNear(actual, expected) {
  assert.ok(
    Math.abs(Number(actual) - expected) <= Math.abs(expected) * 1e-9 + 1e-9,
    `${actual} is not ${expected}`,
  );
}
