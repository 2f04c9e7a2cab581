import assert from 'node:assert/strict';
import { parseHTML } from 'linkedom';
import { renderReport } from '../../../../../src/cli/render.js';
import { present } from '../../../../../src/collections.js';
import {
  breakdownGrid,
  passNotes,
} from '../../../../../src/commands/benchmark/report/tables/breakdown-grid.js';
import { headedGroups } from '../../../../../src/commands/benchmark/report/tables/rows.js';
import { withPass } from '../../../../../src/store/summary.js';
import { createFixture, goodRun } from '../../../../helpers/report-fixture.js';

/** @import { Parts } from '../../../../../src/commands/breakdown/types.js' */
/** @import { Report } from '../../../../../src/store/types.js' */

/** @type {Parts} */
const PARTS = { clientWaitUs: 10, roundTripUs: 40, unreadUs: 30, handledUs: 20, wholeUs: 100 };
const SLICE = { p50: PARTS, p99: PARTS, cpuRatio: 1 };

/** @returns {Promise<Report>} of six conditions */
async function measured() {
  const report = await createFixture({
    given: { clients: 'redis,ioredis', scenarios: 'shared-connection', tasks: '1,2,4,8,16,32', runs: 2 },
    measured: ({ tasks, client }) => ({
      iterations: 100,
      runs: [1, 2].map((round) =>
        goodRun(round, { tasks, iterations: 100, averageMs: client === 'redis' ? 100 : 50 }),
      ),
    }),
  });
  const breakdown = { ...SLICE, operations: 500, relayUs: 40, relayWaitedShare: 0, slices: [SLICE] };
  const cells = report.cells.map((cell) => ({
    ...cell,
    summary: withPass(present(cell.summary), breakdown),
  }));
  return { ...report, cells };
}

describe('the table of breakdowns', () => {
  it('has the best of each condition where there is no room for all', async () => {
    const text = await renderReport(await measured(), 'table', { width: 100, color: false });
    const [, table] = text.split('Where the time of an operation goes');
    for (const tasks of [1, 2, 4, 8, 16, 32])
      assert.match(table, new RegExp(`^${tasks} tasks?\\n  ioredis, shared connection`, 'm'));
    assert.match(table, /… 6 more rows: --details/);
  });

  it('has the row of which the line below it speaks, whichever that is', async () => {
    const report = await measured();
    const hidden = report.cells.filter(({ client }) => client === 'redis');
    for (const { id, group, tasks } of hidden) {
      /** @type {any} */
      const found = { kind: 'where-time-goes', group, cells: [id], at: 'p99', part: 'unread' };
      const findings = [{ ...found, us: 30, wholeUs: 50, sentence: 'Of a row.' }];
      const text = await renderReport({ ...report, findings }, 'table', { width: 100, color: false });
      const [, table] = text.split('Where the time of an operation goes');
      assert.match(table, new RegExp(`^${tasks} tasks?\\n(  ioredis.*\\n)?  redis, shared`, 'm'));
      assert.match(table, /… 5 more rows: --details/);
    }
  });

  it('draws a shade for each part in html, and explains none where no bar is', async () => {
    const report = await measured();
    const { document } = /** @type {any} */ (parseHTML(await renderReport(report, 'html')));
    const bars = [...document.querySelectorAll('svg.bar')].map((bar) =>
      [...bar.querySelectorAll('rect')].map((part) => [part.getAttribute('x'), part.getAttribute('width')]),
    );
    const shaded = bars.filter(({ length }) => length > 1);
    assert.equal(shaded.length, 12);
    assert.deepEqual(shaded[0], [
      ['0.0', '12.0'],
      ['12.0', '48.0'],
      ['60.0', '36.0'],
      ['96.0', '24.0'],
    ]);
    assert.match(document.body.textContent, /█ in client/);
    assert.doesNotMatch(await renderReport(report, 'markdown'), /█/);
  });

  it('says what the pass cost, and of a relay that was short of CPU', async () => {
    const { cells } = await measured();
    /** @param {[cpuRatio: number | null, relayWaitedShare: number | null][]} passes */
    const notesOf = (passes) =>
      passNotes(
        passes.map(([cpuRatio, relayWaitedShare], index) => {
          const breakdown = {
            ...SLICE,
            operations: 500,
            relayUs: 40,
            slices: [SLICE],
            cpuRatio,
            relayWaitedShare,
          };
          return { ...cells[index], summary: withPass(present(cells[index].summary), breakdown) };
        }),
      );
    const took = (/** @type {string} */ more) => [`The pass took ${more} CPU per operation.`];
    assert.deepEqual(notesOf([[1.04, 0.02]]), took('4 % more'));
    assert.deepEqual(notesOf([[0.97, null]]), took('3 % less'));
    assert.deepEqual(
      notesOf([
        [1.04, 0],
        [1.12, 0],
      ]),
      took('4 to 12 % more'),
    );
    assert.deepEqual(
      notesOf([
        [0.97, 0],
        [1.12, 0],
      ]),
      took('3 % less to 12 % more'),
    );
    assert.deepEqual(
      notesOf([
        [0.97, 0],
        [0.9, 0],
      ]),
      took('3 to 10 % less'),
    );
    assert.deepEqual(notesOf([[null, 0.23]]), [
      'Its relay waited for CPU up to 23 % of the time, which counts as there and back.',
    ]);
  });

  it('has no part that was not measured', async () => {
    const report = await measured();
    const cells = report.cells.map((cell) => {
      const parts = { ...PARTS, unreadUs: null };
      const slice = { p50: parts, p99: parts, cpuRatio: null };
      const breakdown = { ...slice, operations: 500, relayUs: null, relayWaitedShare: null, slices: [slice] };
      return { ...cell, summary: withPass(present(cell.summary), breakdown) };
    });
    const grid = present(breakdownGrid(headedGroups({ ...report, cells }).groups));
    assert.deepEqual(
      grid.columns.map(({ title }) => title),
      ['', 'in client', 'there and back', 'handled', 'whole'],
    );
  });
});
