import assert from 'node:assert/strict';
import { ratedNotes } from '../../../../src/benchmark/report/tables/rated-grid.js';
import { struckRun } from '../../../helpers/fault-fixture.js';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';

/** @param {Parameters<typeof struckRun>[0]} facts */
async function noteOf(facts) {
  const { cells } = await createFixture({
    given: { clients: 'redis', scenarios: 'pool', fault: 'cut', durationMs: 3000, rate: '1000' },
    packages: { redis: '6.3.1' },
    measured: () => ({
      iterations: null,
      runs: [{ ...goodRun(1, { tasks: 8, iterations: 100, averageMs: 1 }), fault: struckRun(facts) }],
    }),
  });
  return ratedNotes(cells).join();
}

describe('report/tables: faults', () => {
  it('explains the columns that there are, and no others', async () => {
    const harmless = await noteOf({});
    assert.match(harmless, /^recovered: .*; longest wait: /);
    assert.doesNotMatch(harmless, /done anyway|twice|lost|unanswered/);
    assert.match(await noteOf({ doneThoughFailed: 3 }), /; done anyway: although callers got an error/);
  });
});
