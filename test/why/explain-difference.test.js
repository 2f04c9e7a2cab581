import assert from 'node:assert/strict';
import { explainDifference } from '../../src/why/code-report.js';
import { profileOf } from '../helpers/profile-fixture.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';

/** @param {(scenario: string) => boolean} isProfiled */
const reportOf = (isProfiled) =>
  createFixture({
    given: { clients: 'redis,ioredis', scenarios: 'pool,shared-connection', runs: 3 },
    measured: ({ tasks, scenario }) => ({
      iterations: 100,
      runs: [1, 2, 3].map((round) => goodRun(round, { tasks, iterations: 100, averageMs: 100 + round })),
      profiles: isProfiled(scenario)
        ? { cpu: profileOf([['package', 'redis', 'lib/queue.js', 'write', 600_000]]) }
        : undefined,
    }),
  });

describe('why/explain-difference', () => {
  it('means, of several cells of one name, the one that was profiled', async () => {
    const report = await reportOf((scenario) => scenario === 'pool');
    const { costs } = explainDifference(report, 'redis', 'ioredis');
    assert.equal(costs.length, 2);
  });

  it('refuses a name of several profiled cells, and says how to name them', async () => {
    const report = await reportOf(() => true);
    assert.throws(
      () => explainDifference(report, 'redis', 'ioredis'),
      /name of 2 cells; name more of their parts: redis/,
    );
  });
});
