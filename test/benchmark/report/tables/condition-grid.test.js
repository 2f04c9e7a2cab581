import assert from 'node:assert/strict';
import { nameChoices } from '../../../../src/axes/cell-names.js';
import { conditionGrid } from '../../../../src/benchmark/report/tables/condition-grid.js';
import { renderReport } from '../../../../src/cli/render.js';
import { conditionsReport, inventedSpeed } from '../../../helpers/conditions-fixture.js';

/** @import { Report } from '../../../../src/core/store/types.js' */

/** @param {Report} report @returns {string[][]} the fields, and the names of their rows before them */
const fieldsOf = (report) =>
  conditionGrid(report)?.fields.grid.rows.map(({ name, texts }) => [name, ...texts.map(String)]) ?? [];

/** @param {Report} report @returns {string[][]} letter, name, best at, at worst, where */
const choicesOf = (report) =>
  conditionGrid(report)?.legend.rows.map(({ name, texts }) => [name, ...texts.map(String)]) ?? [];

const FEW = { clients: 'redis:tuned,ioredis', scenarios: 'shared-connection', poolSize: undefined };

describe('report/tables: which choice is fastest under which conditions', () => {
  /** @type {Report} */
  let report;
  /** @type {Report} of a noisy machine */
  let noisy;
  before(async () => {
    [report, noisy] = await Promise.all([conditionsReport(), conditionsReport({}, { luck: 0.3 })]);
  });

  it('every letter is as good as the fastest, and all others are slower', () => {
    const choices = choicesOf(report);
    assert.equal(choices[0][1], 'redis:tuned, shared connection');
    const names = nameChoices(report.cells);
    for (const [row, tasks] of [1, 8, 64].entries()) {
      for (const [column, rttMs] of [undefined, 2].entries()) {
        const own = report.cells.filter((cell) => cell.tasks === tasks && cell.distance?.rttMs === rttMs);
        const best = Math.max(...own.map(inventedSpeed));
        const text = fieldsOf(report)[row][column + 1];
        assert.match(text, /^[A-I]+ [\d.]+x$/);
        for (const [letter, name] of choices) {
          const speed = own.filter(({ id }) => names.get(id) === name).map(inventedSpeed)[0];
          assert.ok(
            text.split(' ')[0].includes(letter) ? speed * 1.1 > best : speed < best,
            `${text}: ${name}`,
          );
        }
      }
    }
  });

  it('what may be more than 10 % slower is undecided, and so are all while the best is not known', () => {
    const fields = fieldsOf(noisy).flatMap(([, ...texts]) => texts);
    assert.ok(
      fields.some((text) => text.endsWith('?')),
      fields.join(),
    );
    for (const { ranking } of noisy.comparisons) {
      const [, ...others] = ranking;
      const unknown = others.filter(({ againstFastest }) => !againstFastest?.differs);
      if (unknown.length > 0)
        assert.ok(others.some(({ againstFastest }) => Number(againstFastest?.low) < 0.9));
    }
  });

  it('close and known is a tie, close and unknown is not', async () => {
    const speedOf = (/** @type {any} */ { client }) => (client === 'redis' ? 100_000 : 97_000);
    const given = { ...FEW, runs: 12, starts: 12 };
    const [known, unknown] = [
      await conditionsReport(given, { luck: 0.004, speedOf: () => 100_000 }),
      await conditionsReport(given, { luck: 0.5, speedOf }),
    ];
    assert.deepEqual([...new Set(fieldsOf(known).flatMap(([, ...texts]) => texts))], ['AB']);
    assert.equal(conditionGrid(unknown), null);
    assert.match(String(conditionGrid(known)?.fields.notes), /^AB: both best, within 10 %$/);
  });

  it('where a cell that was not warm is ahead, no best is known', () => {
    const [{ ranking, ...comparison }, ...others] = report.comparisons;
    const [{ cell: ahead }, ...compared] = ranking;
    const cells = report.cells.map((cell) => (cell.id === ahead ? { ...cell, warm: false } : cell));
    const comparisons = [{ ...comparison, ranking: compared }, ...others];
    assert.match(fieldsOf(report)[0][1], /^A [\d.]+x$/);
    assert.match(fieldsOf({ ...report, cells, comparisons })[0][1], /^A[A-I]*\?$/);
  });

  it('a group without two results is not compared', async () => {
    const isRun = (/** @type {any} */ { tasks, distance }) => tasks !== 64 || distance === undefined;
    assert.equal(fieldsOf(await conditionsReport({}, { isRun }))[2][2], '-');
  });

  it('there is none where no condition varies, nothing was tested, or one choice was measured', async () => {
    for (const given of [
      { tasks: 8, rtt: '0' },
      { smoke: true },
      { runs: 1, starts: 1 },
      { ...FEW, clients: 'ioredis' },
    ]) {
      assert.equal(conditionGrid(await conditionsReport(given)), null, JSON.stringify(given));
    }
  });

  it('table: before the tables, which go to the details where they do not fit', async () => {
    const text = await renderReport(report, 'table', { width: 100 });
    assert.match(text, /^The fastest choice\n +no added distance +2 ms round trip\n/m);
    assert.match(text, /^ 64 tasks +A [\d.]+x/m);
    assert.match(text, /^ A +redis:tuned, shared connection +6 of 6/m);
    assert.doesNotMatch(text, /ops\/s/);
    assert.match(await renderReport(report, 'table', { width: 100, details: true }), /ops\/s/);
    for (const line of text.split('\n')) assert.ok(line.length <= 100, line);
    const small = await renderReport(await conditionsReport({ ...FEW, tasks: '1,8', rtt: '0' }), 'table', {});
    assert.match(small, /ops\/s[\s\S]*^The fastest choice/m);
  });

  it('markdown and html have both tables', async () => {
    const text = await renderReport(report, 'markdown');
    assert.match(text, /^\| {2}\| no added distance \| 2 ms round trip \|$/m);
    assert.match(text, /^\| A \| redis:tuned, shared connection \| 6 of 6/m);
    const page = await renderReport(report, 'html');
    assert.match(page, /<h2>The fastest choice/);
    assert.match(page, /<th scope="row">64 tasks<\/th><td/);
  });
});
