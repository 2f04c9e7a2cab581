import assert from 'node:assert/strict';
import { AXES, sameBut } from '../../src/axes/all-axes.js';
import { createCellNamer } from '../../src/axes/cell-names.js';
import { defineAxis } from '../../src/axes/define.js';
import { workload } from '../../src/axes/workload.js';
import { renderReport } from '../../src/cli/render.js';
import { findCell } from '../../src/commands/benchmark/assertions.js';
import { compareReports } from '../../src/commands/benchmark/compare-reports.js';
import { sentencesAt } from '../../src/commands/benchmark/report/words/findings.js';
import { OPTIONS } from '../../src/options/option-table.js';
import { listOf, naturalNumber, text } from '../../src/options/values.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';
import { adviceOf } from '../helpers/said.js';

/**
 * @import { OptionSpec } from '../../src/options/types.js'
 * @import { Cell } from '../../src/run/plan/types.js'
 * @import { Report } from '../../src/store/types.js'
 */

/** @typedef {Cell & {build: string, distanceMs: number}} FarCell */

/** @param {object} settings */
const asked = (settings) => /** @type {{build: string[], away: number[]}} */ (settings);
/** @param {object} fields @returns {object} */
const point = (fields) => fields;

/**
 * What stands in three files: the axis, in the list of its subject; its option in `option-table.js`, with its type in
 * `Settings`, here `asked`; and what a cell stores of it in `shapes.js`, here `FarCell`.
 */

/** What the user decides. */
const build = defineAxis({
  id: 'build',
  role: 'choice',
  of: (cell) => /** @type {FarCell} */ (cell).build,
  asked: (settings) => asked(settings).build.map((each) => point({ build: each })),
  idPart: (cell) => `build-${build.of(cell)}`,
  phrase: (cell) => `build ${build.of(cell)}`,
  advice: { order: 8, noun: 'build' },
});

/** What describes the user's situation. */
const distance = defineAxis({
  id: 'distance',
  role: 'condition',
  of: (cell) => /** @type {FarCell} */ (cell).distanceMs,
  asked: (settings) => asked(settings).away.map((distanceMs) => point({ distanceMs })),
  phrase: (cell) => `${distance.of(cell)} ms away`,
  columns: { distanceMs: (cell) => distance.of(cell) },
  notMeasured: 'distances',
  otherThan: (cell) => `${distance.of(cell)} ms`,
});

/** @type {Record<string, OptionSpec>} */
const OF_AXES = {
  build: {
    flag: '--build <list>',
    kind: listOf(text),
    default: ['old', 'new'],
    help: 'builds of the server',
  },
  away: {
    flag: '--away <list>',
    kind: listOf(naturalNumber),
    default: [0, 5],
    help: 'how far away it is, in ms',
  },
};

/** How long a run takes: another build is better far away. */
const AVERAGE_MS = { 'old 0': 100, 'new 0': 50, 'old 5': 400, 'new 5': 200 };

/** @param {Record<string, unknown>} [given] @returns {Promise<Report>} of each build at each distance */
const reportOf = (given) =>
  createFixture({
    given: { clients: 'redis', scenarios: 'pool,shared-connection', keys: 1, runs: 6, ...given },
    measured(cell) {
      const { build: own, distanceMs, tasks } = /** @type {FarCell} */ (cell);
      const averageMs = AVERAGE_MS[/** @type {'old 0'} */ (`${own} ${distanceMs}`)];
      return {
        iterations: 100,
        runs: Array.from({ length: 6 }, (_, index) =>
          goodRun(index + 1, { tasks, iterations: 100, averageMs: averageMs * (1 + index / 200) }),
        ),
      };
    },
  });

describe('an axis that is added to the list', () => {
  /** @type {Report} */
  let report;
  before(async () => {
    AXES.splice(AXES.indexOf(workload), 0, build, distance);
    Object.assign(OPTIONS, OF_AXES);
    report = await reportOf();
  });
  after(() => {
    AXES.splice(AXES.indexOf(build), 2);
    for (const name of Object.keys(OF_AXES))
      delete (/** @type {Record<string, OptionSpec>} */ (OPTIONS)[name]);
  });

  it('makes cells of each value that its option asks for', async () => {
    const { cells } = await reportOf({ build: 'new', away: '5,7' });
    assert.deepEqual(
      cells.map((cell) => [build.of(cell), distance.of(cell)]),
      [
        ['new', 5],
        ['new', 5],
        ['new', 7],
        ['new', 7],
      ],
    );
  });

  it('is in ids, and a condition in groups', () => {
    const { cells } = report;
    assert.match(cells[0].id, /^redis:default\/pool:generic:3\/.*\/build-old\/0 ms away\/get\//);
    assert.equal(new Set(cells.map(({ id }) => id)).size, cells.length);
    assert.deepEqual(
      report.comparisons.map(({ group }) => group),
      ['0 ms away/get/standalone/1000x1000/8', '5 ms away/get/standalone/1000x1000/8'],
    );
  });

  it('is in names where it varies, and a condition in titles', async () => {
    const table = await renderReport(report, 'table', { width: 120, details: true });
    assert.match(table, /redis, shared connection, build new/);
    assert.match(table, /^0 ms away$/m);
    const single = await reportOf({ build: 'new' });
    assert.doesNotMatch(await renderReport(single, 'table', { width: 120 }), /build new/);
    assert.equal(createCellNamer(report.cells)(report.cells[0]), 'redis, pool of 3, build old, 0 ms away');
  });

  it('is what two cells differ in alone', () => {
    const [old, , young] = report.cells;
    assert.equal(sameBut(['build'], report.cells)(old), sameBut(['build'], report.cells)(young));
    assert.notEqual(sameBut(['scenario'], report.cells)(old), sameBut(['scenario'], report.cells)(young));
  });

  it('is recommended, and a condition is what was not measured elsewhere', async () => {
    assert.match(adviceOf(report)[1], /^build: build new; behind it: build old: 2.0x/);
    const far = sentencesAt(await reportOf({ away: 5 }), 'details').join(' ');
    assert.match(far, /Not measured: .*distances other than 5 ms/);
    assert.doesNotMatch(sentencesAt(report, 'details').join(' '), /distances/);
  });

  it('has a column in csv, and tells rows apart in every format', async () => {
    const [head, ...rows] = (await renderReport(report, 'csv', {})).trimEnd().split('\r\n');
    const values = (/** @type {string} */ name) =>
      new Set(rows.map((row) => row.split(',')[head.split(',').indexOf(name)]));
    assert.deepEqual([...values('build'), ...values('distanceMs')], ['old', 'new', '0', '5']);
    for (const format of ['objects', 'realtime']) {
      const text = await renderReport(report, format, { width: 120 });
      for (const words of ['build old, 0 ms away', 'build new, 5 ms away']) assert.ok(text.includes(words));
    }
    assert.match(await renderReport(report, 'go-bench', {}), /^pkg: 5 ms away\/get\/standalone\/1000x1000$/m);
    assert.match(await renderReport(report, 'lines', {}), /1000-char K\/V, \(.*\), 5 ms away/);
    for (const format of ['markdown', 'html']) {
      assert.match(await renderReport(report, format, {}), /5 ms away/);
    }
  });

  it('is what an assertion calls a cell by', () => {
    const { id } = findCell('pool, build new, 5 ms away', report.cells);
    assert.match(id, /\/pool:generic:3\/.*\/build-new\/5 ms away\//);
  });

  it('keeps cells of two results apart', async () => {
    const { cells, onlyBase } = compareReports(report, await reportOf({ away: 5 }), 'opsPerSecond');
    assert.equal(cells.length, 4);
    assert.equal(onlyBase.length, 4);
    assert.ok(onlyBase.every((name) => name.includes('(0 ms away, ')));
  });
});
