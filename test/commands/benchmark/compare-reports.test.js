import assert from 'node:assert/strict';
import { compareReports, driftOf, findRegressions } from '../../../src/commands/benchmark/compare-reports.js';
import {
  comparisonCsv,
  comparisonReport,
} from '../../../src/commands/benchmark/report/tables/report-comparison.js';
import { geometricMean } from '../../../src/descriptive-statistics.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

const NOISE = [1, 0.985, 1.012, 0.993, 1.018];

/**
 * A report of five runs of each cell, each of a start of its own.
 *
 * @param {Record<string, number>} averages in ms by scenario
 * @param {{given?: object, iterations?: number, runs?: number}} [options]
 */
const reportOf = (averages, { given = {}, iterations = 1000, runs = 5 } = {}) =>
  createFixture({
    given: { clients: 'redis', scenarios: Object.keys(averages), runs, ...given },
    measured: ({ tasks, scenario }) => ({
      iterations,
      runs: NOISE.slice(0, runs).map((noise, round) => ({
        ...goodRun(round + 1, { tasks, iterations, averageMs: averages[scenario] * noise }),
        start: round + 1,
      })),
    }),
  });

/** @param {number} value */
const rounded = (value) => Number(value.toFixed(6));

describe('compare-reports', () => {
  it('says where latencies were recorded in one of the two alone', async () => {
    const [base, next] = await Promise.all([reportOf({ pool: 100 }), reportOf({ pool: 100 })]);
    assert.deepEqual(compareReports(base, next, 'opsPerSecond').warnings, []);
    const [{ summary }] = next.cells;
    /** @type {any} */ (summary).latency = { p99Us: 1 };
    assert.deepEqual(compareReports(base, next, 'opsPerSecond').warnings, [
      'settings differ: recording of latencies off → on',
    ]);
  });

  it('compares nothing with a smoke run, in any format', async () => {
    const [base, next] = await Promise.all([reportOf({ pool: 100 }), reportOf({ pool: 200 })]);
    assert.equal(compareReports(base, next).cells[0].change, 'worse');
    next.settings.smoke = true;
    for (const both of /** @type {[typeof base, typeof base][]} */ ([
      [base, next],
      [next, base],
    ])) {
      const compared = compareReports(...both);
      const [{ change, contrast }] = compared.cells;
      assert.deepEqual([change, contrast, compared.geometricMean], ['not compared', null, null]);
      assert.match(compared.warnings.join(), /a smoke run only shows that everything works/);
      assert.match(comparisonReport(compared).title, /^Not compared: .* smoke run$/);
      assert.match(comparisonCsv(compared), /,not compared,[\d.]+,[\d.]+,[\d.]+,,,,,,\r\n$/);
      assert.equal(findRegressions(compared, 5).notCompared.length, 1);
    }
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
      new RegExp(`not compared, .* a single warm start, .*: "${name}"; use --starts 4`),
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
    const { certain, undecided, disturbed } = findRegressions(comparison, 5);
    assert.deepEqual([certain, undecided, disturbed.map(({ cell }) => cell)], [[], [], [base.cells[0].id]]);
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
    assert.match(test, /^t-test .*, p corrected for 2 comparisons/);
    assert.deepEqual(
      cells.map(({ name, ratio }) => [name, rounded(ratio)]),
      [
        ['redis, shared connection', 1.25],
        ['redis, pool of 3', 1],
      ],
    );
    assert.equal(cells[0].base, base.cells[0].summary?.opsPerSecond);
    assert.equal(cells[0].new, next.cells[0].summary?.opsPerSecond);
    assert.deepEqual(
      cells.map(({ contrast }) => contrast?.differs),
      [true, false],
    );
    assert.ok(Number(cells[0].contrast?.low) > 1.1 && Number(cells[0].contrast?.high) < 1.4);
    assert.equal(rounded(Number(geometricMean)), rounded(Math.sqrt(1.25)));
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
      message: /no cell in common.*the first has "redis, pool of 3 .*the second "redis, open and close /,
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
    const { certain, notCompared } = findRegressions(comparison, 5);
    assert.deepEqual([comparison.test, certain.length, notCompared.length], ['', 0, 1]);
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

  it('warns where the same workload had other options of its own', async () => {
    const base = await reportOf({ pool: 100 });
    const next = structuredClone(base);
    base.cells[0].chosen.workload.title = 'cache-aside, TTL 100 ms';
    next.cells[0].chosen.workload.title = 'cache-aside, TTL 5 ms';
    const text = compareReports(base, next, 'opsPerSecond').warnings.join('\n');
    assert.match(text, /options of redis differ: workload cache-aside, TTL 100 ms → cache-aside, TTL 5 ms/);
  });
});

describe('compare-reports: against what did not change', () => {
  const MACHINE = 0.8;
  const LUCK = [1, 0.97, 1.02, 0.99, 1.03, 0.98];

  /**
   * Six starts of each client, whose luck all cells share.
   * @param {Record<string, number>} averages in ms by client
   * @param {{packages?: Record<string, string>, starts?: Record<string, number>}} [options] `starts`: of clients that had fewer
   */
  const startsOf = (averages, { packages = { redis: '6.3.1', ioredis: '6.0.0' }, starts = {} } = {}) =>
    createFixture({
      given: { clients: Object.keys(averages), scenarios: 'pool', runs: 12 },
      packages,
      measured: ({ tasks, client }) => ({
        iterations: 1000,
        runs: LUCK.slice(0, starts[client]).flatMap((luck, index) =>
          [1, 2].map((run) => ({
            ...goodRun(2 * index + run, {
              tasks,
              iterations: 1000,
              averageMs: averages[client] * luck * (1 + 0.004 * (((client.length + index) * run) % 3)),
            }),
            start: index + 1,
          })),
        ),
      }),
    });

  const OLD = { redis: '6.3.1', ioredis: '6.0.0' };
  const NEW = { packages: { redis: '6.4.0', ioredis: '6.0.0' } };
  const SLOWER = { redis: 100 / 0.7 / MACHINE, ioredis: 50 / MACHINE };

  it('takes the change of a cell against theirs, and does not judge them', async () => {
    const [base, next] = await Promise.all([startsOf({ redis: 100, ioredis: 50 }), startsOf(SLOWER, NEW)]);
    const comparison = compareReports(base, next, 'opsPerSecond');
    const [redis, ioredis] = comparison.cells;
    assert.deepEqual([redis.change, ioredis.change], ['worse', 'unchanged']);
    assert.deepEqual([redis.isAdjusted, ioredis.contrast], [true, null]);
    // To rounding the quotients of what the reports print.
    assert.ok(Math.abs(Number(redis.contrast?.ratio) - redis.ratio / ioredis.ratio) < 1e-9);
    assert.ok(Math.abs(redis.base - Number(base.cells[0].summary?.opsPerSecond)) < 1e-9);
    assert.ok(Number(redis.contrast?.low) < 0.7 && Number(redis.contrast?.high) > 0.7);
    assert.equal(findRegressions(comparison, 5).certain.length, 1);
    assert.deepEqual(
      comparison.findings.flatMap((finding) => (finding.kind === 'unchanged' ? finding.cells : [])),
      [ioredis.cell],
    );
    assert.doesNotMatch(comparison.warnings.join(), /moved|the machine/);
  });

  it('sees nothing where all became slower alike, which without them looks like a regression', async () => {
    const base = await startsOf({ redis: 100, ioredis: 50 });
    const next = await startsOf({ redis: 100 / MACHINE, ioredis: 50 / MACHINE }, NEW);
    const found = findRegressions(compareReports(base, next, 'opsPerSecond'), 5);
    assert.deepEqual([found.certain.length, found.undecided.length], [0, 0]);
    for (const report of [base, next]) report.cells.splice(1);
    const alone = compareReports(base, next, 'opsPerSecond');
    assert.equal(alone.cells[0].isAdjusted, false);
    assert.equal(alone.mayBeMachine, true);
    assert.equal(findRegressions(alone, 5).certain.length, 1);
  });

  it('takes the floor where no client stayed the same, or all did', async () => {
    for (const given of [NEW, {}]) {
      const base = await startsOf({ redis: 100, raw: 20 });
      const next = await startsOf({ redis: 100 / MACHINE, raw: 20 / MACHINE }, given);
      const { cells } = compareReports(base, next, 'opsPerSecond');
      assert.deepEqual(
        cells.map(({ change, isAdjusted }) => [change, isAdjusted]),
        [
          ['tied', true],
          ['unchanged', false],
        ],
      );
    }
  });

  it('judges a cell that was started once, by how much the starts of others vary', async () => {
    const changeOf = async (/** @type {Record<string, number>} */ others) => {
      const [both, changed] = [100, 100 / 0.7].map((redis) => ({ redis, ioredis: 50, ...others }));
      const base = await startsOf(both, { packages: { ...OLD, iovalkey: '1.0.0' }, starts: { redis: 1 } });
      const next = await startsOf(changed, {
        packages: { ...NEW.packages, iovalkey: '1.0.0' },
        starts: { redis: 1 },
      });
      return compareReports(base, next, 'opsPerSecond').cells[0].change;
    };
    assert.equal(await changeOf({ iovalkey: 60 }), 'worse');
    // The starts of a single other cell may be good or bad for all cells, which shows nothing of their luck.
    assert.equal(await changeOf({}), 'not decided');
  });

  for (const [what, change] of /** @type {[string, (report: any) => void][]} */ ([
    ['is code of the user', ({ cells }) => Object.assign(cells[1], { ownCode: true })],
    ['is a checkout', ({ cells }) => Object.assign(cells[1].release, { path: '../fork' })],
    ['has another release', ({ cells }) => Object.assign(cells[1].release, { version: '6.0.1' })],
    ['has other options', ({ cells }) => Object.assign(cells[1], { effectiveOptions: { noDelay: false } })],
    ['was not warm', ({ cells }) => Object.assign(cells[1], { warm: false })],
    ['ran on another Node', ({ environment }) => Object.assign(environment, { node: '99.0.0' })],
    ['had another server', ({ servers }) => Object.assign(servers[0], { version: '99.0.0' })],
    ['had other runs', ({ settings }) => Object.assign(settings, { runTimeMs: 12345 })],
  ])) {
    it(`takes nothing against what ${what}`, async () => {
      const base = await startsOf({ redis: 100, ioredis: 50 });
      const next = await startsOf(SLOWER, NEW);
      change(next);
      const { cells } = compareReports(base, next, 'opsPerSecond');
      assert.ok(cells.every(({ isAdjusted, change }) => !isAdjusted && change !== 'unchanged'));
    });
  }

  it('compares two machines as they are, but a new release across machines', async () => {
    const base = await startsOf({ redis: 100, ioredis: 50 });
    const [same, other] = await Promise.all([startsOf(SLOWER), startsOf(SLOWER, NEW)]);
    for (const report of [same, other]) report.environment.cpuModel = 'Another CPU';
    const isAdjusted = (/** @type {typeof base} */ next) =>
      compareReports(base, next, 'opsPerSecond').cells[0].isAdjusted;
    assert.deepEqual([isAdjusted(same), isAdjusted(other)], [false, true]);
  });

  it('decides nothing by one start of each', async () => {
    const starts = { redis: 1, ioredis: 1 };
    const base = await startsOf({ redis: 100, ioredis: 50 }, { starts });
    const next = await startsOf({ redis: 1000, ioredis: 50 }, { ...NEW, starts });
    const comparison = compareReports(base, next, 'opsPerSecond');
    assert.deepEqual(
      comparison.cells.map(({ change, contrast }) => [change, contrast]),
      Array(2).fill(['not compared', null]),
    );
    const { certain, undecided, notCompared } = findRegressions(comparison, 5);
    assert.deepEqual([certain.length, undecided.length, notCompared.length], [0, 0, 2]);
  });

  it('takes nothing off what the machine does not change', async () => {
    const base = await startsOf({ redis: 100, ioredis: 50 });
    const next = await startsOf(SLOWER, NEW);
    const { cells } = compareReports(base, next, 'commandsPerRead');
    assert.ok(cells.every(({ isAdjusted }) => !isAdjusted));
  });
});

describe('compare-reports: drift', () => {
  const cell = (/** @type {number} */ ratio, floor = false) => ({
    cell: floor ? 'floor' : 'a',
    ratio,
    floor,
  });

  it('suspects the machine where all cells move the same way', () => {
    assert.deepEqual(driftOf([cell(0.8), cell(0.7), cell(0.9)]), [
      { kind: 'moved', what: 'all', cells: ['a', 'a', 'a'], ratio: geometricMean([0.8, 0.7, 0.9]) },
    ]);
    assert.deepEqual(driftOf([cell(0.8), cell(0.7), cell(1.1)]), []);
    assert.deepEqual(driftOf([cell(0.8), cell(0.7)]), []);
    assert.deepEqual(driftOf([cell(0.99), cell(0.98), cell(0.97)]), []);
  });

  it('does not say that all moved where some stayed where they were', () => {
    assert.deepEqual(driftOf([cell(0.7), cell(0.6), cell(1), cell(0.99)]), []);
  });

  it('is surer where the floor, which is this tool itself, moved', () => {
    assert.deepEqual(driftOf([cell(0.8), cell(0.75, true)]), [
      { kind: 'moved', what: 'floor', cells: ['floor'], ratio: 0.75 },
    ]);
    assert.deepEqual(driftOf([cell(0.8), cell(1.01, true)]), []);
  });
});

describe('compare-reports: regressions', () => {
  it('counts what is worse by so much, if the statistics carry it', async () => {
    const base = await reportOf({ 'shared-connection': 100, pool: 100, 'open-and-close': 100 });
    const next = await reportOf({ 'shared-connection': 115, pool: 105, 'open-and-close': 80 });
    const comparison = compareReports(base, next, 'averageMs');
    const { certain, undecided } = findRegressions(comparison, 5);
    assert.deepEqual(
      certain.map(({ name, worseBy }) => [name, rounded(worseBy)]),
      [['redis, shared connection', 15]],
    );
    assert.deepEqual(
      undecided.map(({ name }) => name),
      ['redis, pool of 3'],
    );
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
    const { certain, undecided } = findRegressions(compareReports(base, next, 'opsPerSecond'), 5);
    assert.deepEqual([certain.length, undecided.length], [0, 1]);
  });
});
