import assert from 'node:assert/strict';
import { ratedGrid } from '../../../../../src/commands/benchmark/report/tables/rated-grid.js';
import { headedGroups } from '../../../../../src/commands/benchmark/report/tables/rows.js';
import { partsOf } from '../../../../../src/store/run-record.js';
import { latencyFixture } from '../../../../helpers/latency-fixture.js';
import { openLoopRun } from '../../../../helpers/open-loop-fixture.js';
import { createFixture } from '../../../../helpers/report-fixture.js';

/** @import { Grid } from '../../../../../src/report/types.js' */

/** @param {Record<string, unknown>} given @param {number[]} p99sMs of the runs, each a bit less from sending */
const reportOf = (given, p99sMs) =>
  createFixture({
    given: { clients: 'ioredis', rate: 1000, durationMs: 1000, ...given },
    measured: () => ({
      iterations: null,
      runs: p99sMs.map((ms, index) => {
        const run = openLoopRun(index + 1, { latenciesUs: [ms * 1000] });
        const openLoop = /** @type {NonNullable<typeof run.openLoop>} */ (run.openLoop);
        return {
          ...run,
          opsPerSecond: 950,
          openLoop: { ...openLoop, achievedPerSecond: 998, latencyFromSend: latencyFixture([ms * 990]) },
        };
      }),
    }),
  });

/** @param {Grid} grid @param {string} wanted a title @returns {string[]} */
function inColumn({ columns, rows }, wanted) {
  const place = columns.findIndex(({ title }) => title === wanted);
  return rows.map(({ texts }) => String(texts[place]));
}

describe('the grid of an open loop, and its parts', () => {
  it('the p99 from sending is of the same runs as that from the schedule, and never above it', async () => {
    const report = await reportOf({}, [20, 20, 20, 20, 90]);
    const grid = ratedGrid(headedGroups(report).groups);
    assert.deepEqual([inColumn(grid, 'p99')[0], inColumn(grid, 'p99 sent')[0]], ['20 ms', '20 ms']);
    const { p99UsFromSend, p99Us } = /** @type {any} */ (report.cells[0].summary).openLoop;
    assert.ok(p99UsFromSend < p99Us, `${p99UsFromSend} against ${p99Us}`);
  });

  it('the parts of a mix add up to the rate that was achieved', () => {
    const hdr = latencyFixture(Array.from({ length: 100 }, () => 5)).hdr;
    const openLoop = /** @type {any} */ ({ sentUntilMs: 1000 });
    const measured = { commandHdrs: { GET: hdr, SET: hdr }, openLoop, elapsedMs: 2000 };
    const rates = partsOf(/** @type {any} */ (measured)).map(({ perSecond }) => perSecond);
    assert.deepEqual(rates, [100, 100]);
  });
});
