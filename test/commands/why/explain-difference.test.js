import assert from 'node:assert/strict';
import { codeReport, explainDifference } from '../../../src/commands/why/code-report.js';
import { profileOf } from '../../helpers/profile-fixture.js';
import { createFixture, goodRun } from '../../helpers/report-fixture.js';

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

  it('names a client and its packages in one row, and the files of a user each', async () => {
    const report = await createFixture({
      given: { clients: 'redis,ioredis', scenarios: 'pool', runs: 3 },
      measured: ({ tasks, client }) => ({
        iterations: 100,
        runs: [1, 2, 3].map((round) => goodRun(round, { tasks, iterations: 100, averageMs: 100 + round })),
        profiles: {
          cpu: profileOf([
            ['package', client === 'redis' ? '@redis/client' : 'ioredis', 'lib/queue.js', 'write', 300_000],
            ['package', 'denque', 'index.js', 'push', 200_000],
            ['package', 'debug', 'index.js', 'log', 100_000],
            ['other', null, 'mine.js', 'compute', 50_000],
          ]),
        },
      }),
    });
    const explained = explainDifference(report, 'redis', 'ioredis');
    const [{ grid }] = codeReport(explained, { names: ['redis', 'ioredis'], conditions: [] }).sections;
    assert.deepEqual(
      grid?.rows.map(({ name }) => name),
      ['packages: @redis/client, ioredis, 2 others', 'mine.js', 'all'],
    );
  });

  it('refuses a name of several profiled cells, and says how to name them', async () => {
    const report = await reportOf(() => true);
    assert.throws(
      () => explainDifference(report, 'redis', 'ioredis'),
      /name of 2 cells; name more of their parts: redis/,
    );
  });
});
