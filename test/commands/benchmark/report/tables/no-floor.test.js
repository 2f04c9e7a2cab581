import assert from 'node:assert/strict';
import { headedGroups } from '../../../../../src/commands/benchmark/report/tables/rows.js';
import { createFixture, goodRun } from '../../../../helpers/report-fixture.js';

/** @param {number} averageMs of raw; 100 of redis @returns {Promise<string | undefined>} what stands in its row */
async function floorWith(averageMs) {
  const report = await createFixture({
    given: { clients: 'raw,redis', scenarios: 'shared-connection', runs: 6 },
    measured: ({ tasks, client }) => ({
      iterations: 100,
      runs: [1, 2, 3, 4, 5, 6].map((round) =>
        goodRun(round, { tasks, iterations: 100, averageMs: client === 'raw' ? averageMs : 100 }),
      ),
    }),
  });
  const [{ rows }] = headedGroups(report).groups;
  return rows.find(({ cell }) => cell.floor)?.behind;
}

describe("the row of this tool's own client", () => {
  it('is no floor where a client is faster', async () => {
    assert.equal(await floorWith(50), 'floor');
    assert.equal(await floorWith(105), 'floor');
    assert.equal(await floorWith(115), 'no floor');
  });
});
