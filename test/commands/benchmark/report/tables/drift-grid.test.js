import assert from 'node:assert/strict';
import { renderReport } from '../../../../../src/cli/render.js';
import { createFixture, goodRun } from '../../../../helpers/report-fixture.js';

/** @param {number} runs @param {object} [given] @returns {Promise<string>} the first screen, in one line */
async function screenOf(runs, given) {
  const report = await createFixture({
    given: { clients: 'redis', scenarios: 'shared-connection', tasks: 1, runs, ...given },
    measured: ({ tasks }) => ({
      iterations: 100,
      runs: Array.from({ length: runs }, (_, index) => {
        const run = goodRun(index + 1, { tasks, iterations: 100, averageMs: 100 });
        const client = run.client && { ...run.client, peakRssBytes: (80 + index) * 1e6 };
        return { ...run, client };
      }),
    }),
  });
  return (await renderReport(report, 'table')).replace(/\s+/g, ' ');
}

describe('what changes over many runs', () => {
  it('is shown by the first tenth of more than 20 runs and the last', async () => {
    const screen = await screenOf(30);
    assert.match(screen, /CPU\/op MB ─+ redis, shared connection 20 µs → 20 µs 81 → 108/);
    assert.match(screen, /medians of the first tenth of the runs → of the last tenth/);
  });

  it('is not shown of 20 runs', async () => {
    assert.doesNotMatch(await screenOf(20), /first tenth/);
  });
});
