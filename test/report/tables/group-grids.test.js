import assert from 'node:assert/strict';
import { gridLines } from '../../../src/report/tables/grid.js';
import { costGrid } from '../../../src/report/tables/group-grids.js';
import { resultRows } from '../../../src/report/tables/result-rows.js';
import { latencyFixture } from '../../helpers/latency-fixture.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

/**
 * @import { Grid } from '../../../src/report/tables/types.js'
 * @import { Run } from '../../../src/results/types.js'
 */

const BATCHING = {
  ...{ commandsPerBatch: 12.5, heldUs: 163, waitingUsPerOp: 3.21 },
};

/** @param {Partial<Run>} facts @param {number} [width] */
async function tableOf(facts, width = 160) {
  const report = await createFixture({
    given: { clients: 'redis', scenarios: 'pool', pipelining: 'none,window:150' },
    measured: ({ tasks, pipelining }) => ({
      iterations: 100,
      runs: [
        {
          ...goodRun(1, { tasks, iterations: 100, averageMs: 100 }),
          ...(pipelining === 'none' ? {} : facts),
        },
      ],
    }),
  });
  const grid = costGrid(resultRows(report.cells, report.comparisons[0], report));
  return gridLines(/** @type {Grid} */ (grid), { width }).join('\n');
}

describe('tables/group-grids: costs', () => {
  it('leaves out columns that say nothing of any cell', async () => {
    assert.doesNotMatch(await tableOf({}), /batch|held|waiting|p50|p99/);
    assert.match(await tableOf({ latency: latencyFixture([100, 200]) }), /p50 +p99/);
  });
  it('has what does not fit in a second table', async () => {
    const text = await tableOf({ batching: BATCHING }, 60);
    for (const line of text.split('\n')) assert.ok(line.length <= 60, line);
    assert.match(text, /^ +client\/op[\s\S]*\n\n +.*alloc\/op\n/);
  });
});
