import assert from 'node:assert/strict';
import { faultChart } from '../../../../src/report/formats/html/fault-chart.js';
import { WIDTHS } from '../../../../src/report/formats/html/svg.js';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';

/** @import { FaultTimeline } from '../../../../src/results/types.js' */

const DUE = [200, 200, 200, 200];

/** @param {Partial<FaultTimeline>} seen */
async function chartOf(seen) {
  const timeline = {
    bucketMs: 100,
    due: DUE,
    inTime: DUE,
    acknowledged: DUE,
    failed: [0, 0, 0, 0],
    waiting: [0, 0, 0, 0],
    ...seen,
  };
  const { cells } = await createFixture({
    given: { clients: 'redis', scenarios: 'pool', tasks: 4 },
    measured: () => null,
  });
  const run = goodRun(1, { tasks: 4, iterations: 1, averageMs: 1 });
  const fault = { struckAtMs: null, overAtMs: null, timeline };
  const group = /** @type {any} */ ({
    cells: [{ ...cells[0], runs: [{ ...run, fault }] }],
    comparison: { ranking: [{ cell: cells[0].id }] },
  });
  return String(faultChart(group));
}

/** @param {string} chart @param {string} colour @returns {[number, number][]} corners of that area in the wide chart */
function cornersOf(chart, colour) {
  const path = new RegExp(
    `fill="var\\(--${colour}\\)"[^>]*>\\s*<path[^>]* d="([^"]+)"|<path[^>]*fill="var\\(--${colour}\\)"[^>]* d="([^"]+)"`,
  ).exec(chart);
  assert.ok(path, colour);
  return [...(path[1] ?? path[2]).matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

describe('html/fault-chart', () => {
  it('shows the last tenth of a second as wide as the others', async () => {
    const xs = cornersOf(await chartOf({ failed: [0, 0, 0, 200] }), 'bad').map(([x]) => x);
    const [least, most] = [Math.min(...xs), Math.max(...xs)];
    assert.ok(WIDTHS.wide - most < 20, 'up to the right end');
    assert.ok(
      [...new Set(xs)].some((x) => Math.abs(x - (least + (most - least) * 0.75)) < 1),
      'from three quarters on',
    );
  });

  it('makes no outage of the few that always wait, and says how many', async () => {
    const few = await chartOf({ waiting: [2, 2, 2, 2] });
    const many = await chartOf({ waiting: [2, 2, 2, 2000] });
    const depth = (/** @type {string} */ chart) => {
      const ys = cornersOf(chart, 'mark').map(([, y]) => y);
      return Math.max(...ys) - Math.min(...ys);
    };
    assert.ok(depth(many) > 10 * depth(few), `${depth(many)} against ${depth(few)} pixels`);
    assert.match(many, />2,000 waiting</);
  });
});
