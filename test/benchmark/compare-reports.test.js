import assert from 'node:assert/strict';
import { compareReports, driftOf, findRegressions } from '../../src/benchmark/compare-reports.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';

const NOISE = [1, 0.985, 1.012, 0.993, 1.018];

/**
 * A report of five runs a cell.
 *
 * @param {Record<string, number>} averages in ms by scenario
 * @param {{given?: object, iterations?: number, runs?: number}} [options]
 */
const reportOf = (averages, { given = {}, iterations = 1000, runs = 5 } = {}) =>
  createFixture({
    given: { clients: 'redis', scenarios: Object.keys(averages), runs, ...given },
    measured: ({ tasks, scenario }) => ({
      iterations,
      runs: NOISE.slice(0, runs).map((noise, round) =>
        goodRun(round + 1, { tasks, iterations, averageMs: averages[scenario] * noise }),
      ),
    }),
  });

/** @param {number} value */
const rounded = (value) => Number(value.toFixed(6));

describe('benchmark/compare-reports', () => {
  it('says where latencies were recorded in one of the two alone', async () => {
    const [base, next] = await Promise.all([reportOf({ pool: 100 }), reportOf({ pool: 100 })]);
    assert.deepEqual(compareReports(base, next, 'opsPerSecond').warnings, []);
    const [{ summary }] = next.cells;
    /** @type {any} */ (summary).latency = { p99Us: 1 };
    assert.deepEqual(compareReports(base, next, 'opsPerSecond').warnings, [
      'settings differ: recording of latencies off → on',
    ]);
  });

  it('does not compare a cell that was started once where others were again', async () => {
    const [base, next] = await Promise.all(
      [1, 2].map(() => reportOf({ pool: 100, 'shared-connection': 50 }, { runs: 4 })),
    );
    for (const { runs } of [base.cells[0], next.cells[0], base.cells[1]])
      for (const run of runs) run.start = Math.ceil(run.round / 2);
    for (const run of next.cells[1].runs) run.start = 1;
    const { cells, warnings } = compareReports(base, next, 'opsPerSecond');
    assert.deepEqual(
      cells.map(({ contrast }) => contrast === null),
      [false, true],
    );
    const [{ name }] = cells.slice(1);
    assert.match(
      warnings.join('\n'),
      new RegExp(`not compared, .* a single warm start: "${name}"; use --starts`),
    );
  });

  it('compares where processes ran, not why', async () => {
    const [base, next] = await Promise.all([reportOf({ pool: 100 }), reportOf({ pool: 100 })]);
    const unpinned = { pin: /** @type {const} */ ('apart'), serverCpus: null, workerCpus: null };
    base.placements = [{ ...unpinned, note: { kind: 'one-cpu' } }];
    next.placements = [{ ...unpinned, note: { kind: 'no-taskset' } }];
    assert.deepEqual(compareReports(base, next, 'opsPerSecond').warnings, []);
    next.placements = [{ ...unpinned, workerCpus: [1], note: { kind: 'server-not-pinned' } }];
    assert.deepEqual(compareReports(base, next, 'opsPerSecond').warnings, [
      'the placement differs: --pin apart not pinned → worker on 1',
    ]);
  });

  it('finds no regression in a metric that has no better direction', async () => {
    const report = await reportOf({ pool: 100 });
    assert.throws(() => findRegressions(compareReports(report, report, 'commands'), 5), {
      name: 'UsageError',
      message: /^--fail-on: neither more nor less commands is worse/,
    });
  });

  it('judges no regression of a cell that other programs kept waiting, but of what they do not change', async () => {
    const [base, next] = await Promise.all([reportOf({ pool: 100 }), reportOf({ pool: 400 })]);
    assert.equal(findRegressions(compareReports(base, next, 'opsPerSecond'), 5).certain.length, 1);
    const waits = { slices: 70, disturbed: 66, repeats: 6, stolenShare: 0 };
    for (const [{ cells }, waitedShare] of /** @type {const} */ ([
      [base, 0.83],
      [next, 0.59],
    ])) {
      Object.assign(/** @type {object} */ (cells[0].summary), { waits: { ...waits, waitedShare } });
    }
    const comparison = compareReports(base, next, 'opsPerSecond');
    const { certain, unsure, disturbed } = findRegressions(comparison, 5);
    assert.deepEqual([certain, unsure, disturbed.map(({ cell }) => cell)], [[], [], [base.cells[0].id]]);
    assert.deepEqual(comparison.warnings, [
      '"redis, pool of 3": waited for CPU up to 83 % of the time in the first result, up to 59 % in the second, so no regression is shown or ruled out',
    ]);
    assert.deepEqual(compareReports(base, next, 'commandsPerRead').warnings, []);
  });

  it('has old, new, the ratio with its interval, and what it is worth', async () => {
    const [base, next] = await Promise.all([
      reportOf({ 'shared-connection': 100, pool: 200 }),
      reportOf({ 'shared-connection': 80, pool: 200 }),
    ]);
    const { cells, geometricMean, test, metric, moreIsBetter } = compareReports(base, next, 'opsPerSecond');
    assert.deepEqual([metric, moreIsBetter], ['opsPerSecond', true]);
    assert.match(test, /^Mann-Whitney, p corrected for 2 comparisons/);
    assert.deepEqual(
      cells.map(({ name, ratio }) => [name, rounded(ratio)]),
      [
        ['redis, shared connection', 1.25],
        ['redis, pool of 3', 1],
      ],
    );
    assert.equal(rounded(cells[0].base), 80_000);
    assert.equal(rounded(cells[0].new), 100_000);
    assert.deepEqual(
      cells.map(({ contrast }) => contrast?.differs),
      [true, false],
    );
    assert.ok(Number(cells[0].contrast?.low) > 1.1 && Number(cells[0].contrast?.high) < 1.4);
    assert.equal(rounded(geometricMean), rounded(Math.sqrt(1.25)));
  });

  it('a report against itself differs in nothing', async () => {
    const report = await reportOf({ 'shared-connection': 100, pool: 200 });
    const { cells, geometricMean, warnings, onlyBase, onlyNew } = compareReports(report, report, 'averageMs');
    assert.ok(cells.every(({ ratio, contrast }) => ratio === 1 && contrast?.differs === false));
    assert.deepEqual([geometricMean, warnings, onlyBase, onlyNew], [1, [], [], []]);
  });

  it('names what one of them has alone', async () => {
    const base = await reportOf({ 'shared-connection': 100, pool: 200 });
    const next = await reportOf({ 'shared-connection': 100, 'open-and-close': 900 });
    const { cells, onlyBase, onlyNew } = compareReports(base, next, 'opsPerSecond');
    assert.equal(cells.length, 1);
    assert.match(
      onlyBase.join(),
      /^redis, pool of 3 \(GET, .*keys and values of 1,000 characters.*, 8 tasks\)$/,
    );
    assert.match(onlyNew.join(), /^redis, open and close /);
  });

  it('refuses two that have nothing in common, and says what each has', async () => {
    const base = await reportOf({ pool: 100 });
    const next = await reportOf({ 'open-and-close': 100 });
    assert.throws(() => compareReports(base, next, 'opsPerSecond'), {
      name: 'UsageError',
      message:
        /no cell in common.*the first has redis:default\/pool.*the second redis:default\/open-and-close/,
    });
  });

  it('refuses a metric that it does not know, and one that was not recorded', async () => {
    const report = await reportOf({ pool: 100 });
    assert.throws(() => compareReports(report, report, 'speed'), /--metric: .*opsPerSecond.*got 'speed'/);
    assert.throws(() => compareReports(report, report, 'p99'), /--metric: no cell has p99/);
  });

  it('compares times for the same number of iterations', async () => {
    const base = await reportOf({ pool: 100 }, { iterations: 1000 });
    const next = await reportOf({ pool: 220 }, { iterations: 2000 });
    const [cell] = compareReports(base, next, 'averageMs').cells;
    assert.equal(rounded(cell.ratio), 1.1);
  });

  it('claims nothing of single runs', async () => {
    const [base, next] = await Promise.all([
      reportOf({ pool: 100 }, { runs: 1 }),
      reportOf({ pool: 900 }, { runs: 1 }),
    ]);
    const comparison = compareReports(base, next, 'opsPerSecond');
    assert.equal(comparison.cells[0].contrast, null);
    assert.match(comparison.test, /^none/);
    assert.equal(findRegressions(comparison, 5).certain.length, 0);
  });

  it('warns of another machine, other versions, server, settings and options, naming them', async () => {
    const base = await reportOf({ pool: 100 });
    const next = structuredClone(base);
    next.environment.cpuModel = 'Another CPU';
    next.environment.node = '24.0.0';
    next.environment.packages.redis = '6.0.0';
    next.environment.packages.ioredis = '1.0.0';
    next.servers[0].version = '8.0.0';
    next.servers[0].config.appendonly = 'yes';
    next.settings.runTimeMs = 1000;
    next.cells[0].effectiveOptions = { noDelay: false, socket: { port: 1234 } };
    next.partial = true;
    const text = compareReports(base, next, 'opsPerSecond').warnings.join('\n');
    assert.match(text, /machine differs: processor Intel.* → Another CPU/);
    assert.match(text, /versions differ: Node 8\.15\.0 → 24\.0\.0, redis 6\.3\.1 → 6\.0\.0$/m);
    assert.match(
      text,
      /server differs: standalone\.version 5\.0\.5 → 8\.0\.0, standalone\.appendonly no → yes/,
    );
    assert.match(text, /settings differ: run time \(ms\) \d+ → 1000/);
    assert.match(text, /options of redis differ: noDelay true → false/);
    assert.match(text, /second result ended early/);
    assert.doesNotMatch(text, /ioredis|1234/);
  });
});

describe('benchmark/compare-reports: drift', () => {
  const cell = (/** @type {number} */ ratio, floor = false) => ({
    cell: floor ? 'floor' : 'a',
    ratio,
    floor,
  });

  it('suspects the machine where all cells move the same way', () => {
    assert.deepEqual(driftOf([cell(0.8), cell(0.7), cell(0.9)], 0.8), [
      { kind: 'moved', what: 'all', cells: ['a', 'a', 'a'], ratio: 0.8 },
    ]);
    assert.deepEqual(driftOf([cell(0.8), cell(0.7), cell(1.1)], 0.85), []);
    assert.deepEqual(driftOf([cell(0.8), cell(0.7)], 0.75), []);
    assert.deepEqual(driftOf([cell(0.99), cell(0.98), cell(0.97)], 0.98), []);
  });

  it('does not say that all moved where some stayed where they were', () => {
    assert.deepEqual(driftOf([cell(0.7), cell(0.6), cell(1), cell(0.99)], 0.8), []);
  });

  it('is surer where the floor, which is this tool itself, moved', () => {
    assert.deepEqual(driftOf([cell(0.8), cell(0.75, true)], 0.77), [
      { kind: 'moved', what: 'floor', cells: ['floor'], ratio: 0.75 },
    ]);
    assert.deepEqual(driftOf([cell(0.8), cell(1.01, true)], 0.9), []);
  });
});

describe('benchmark/compare-reports: regressions', () => {
  it('counts what is worse by so much, if the statistics carry it', async () => {
    const base = await reportOf({ 'shared-connection': 100, pool: 100, 'open-and-close': 100 });
    const next = await reportOf({ 'shared-connection': 115, pool: 103, 'open-and-close': 80 });
    const comparison = compareReports(base, next, 'averageMs');
    const { certain, unsure } = findRegressions(comparison, 5);
    assert.deepEqual(
      certain.map(({ name, worseBy }) => [name, rounded(worseBy)]),
      [['redis, shared connection', 15]],
    );
    assert.deepEqual(unsure, []);
    const faster = compareReports(next, base, 'opsPerSecond');
    assert.deepEqual(
      findRegressions(faster, 5).certain.map(({ name }) => name),
      ['redis, open and close'],
    );
  });

  it('keeps apart what only looks worse', async () => {
    const base = await reportOf({ pool: 100 });
    const next = structuredClone(base);
    for (const [index, opsPerSecond] of [90_000, 50_000, 95_000, 40_000, 70_000].entries()) {
      next.cells[0].runs[index].opsPerSecond = opsPerSecond;
      base.cells[0].runs[index].opsPerSecond = [100_000, 60_000, 110_000, 45_000, 80_000][index];
    }
    const { certain, unsure } = findRegressions(compareReports(base, next, 'opsPerSecond'), 5);
    assert.deepEqual([certain.length, unsure.length], [0, 1]);
  });
});
