import assert from 'node:assert/strict';
import { mainGrid } from '../../../../../src/commands/benchmark/report/tables/main-grid.js';
import { headedGroups } from '../../../../../src/commands/benchmark/report/tables/rows.js';
import { createFixture, goodRun } from '../../../../helpers/report-fixture.js';

/** @param {number} peakRssBytes of one of the clients @returns {Promise<string[]>} titles of the first screen's columns */
async function columnsWith(peakRssBytes) {
  const report = await createFixture({
    given: { clients: 'ioredis,redis', scenarios: 'shared-connection', runs: 1 },
    measured({ tasks, client }) {
      const run = goodRun(1, { tasks, iterations: 100, averageMs: 100 });
      if (client === 'redis') Object.assign(/** @type {object} */ (run.client), { peakRssBytes });
      return { iterations: 100, runs: [run] };
    },
  });
  return mainGrid(headedGroups(report).groups).columns.map(({ title }) => title);
}

describe('memory on the first screen', () => {
  it('is told where a client takes far more than usual', async () => {
    assert.ok(!(await columnsWith(270e6)).includes('MB'));
    assert.ok((await columnsWith(376e6)).includes('MB'));
  });
});
