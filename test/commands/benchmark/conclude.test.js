import assert from 'node:assert/strict';
import { createFixture, goodRun, mixedReport } from '../../helpers/report-fixture.js';

/**
 * @import { Cell } from '../../../src/run/plan/types.js'
 * @import { Report } from '../../../src/store/types.js'
 */

describe('commands/benchmark/conclude', () => {
  /** @type {Report} */
  let report;
  before(async () => {
    report = await mixedReport();
  });

  /** @param {string} variant @param {string} scenario */
  const cellOf = (variant, scenario) => {
    const cell = report.cells.find((each) => each.variant === variant && each.scenario === scenario);
    assert.ok(cell);
    return cell;
  };
  it('has no summary of a cell that failed', () => {
    assert.equal(cellOf('tuned', 'connection-per-task').summary, null);
  });
  it('is partial when it was interrupted or the server was lost, and else not', async () => {
    const facts = {
      given: { clients: 'redis', runs: 1 },
      measured: (/** @type {Cell} */ { tasks }) => ({
        iterations: 1,
        runs: [goodRun(1, { tasks, iterations: 1, averageMs: 1 })],
      }),
    };
    assert.equal((await createFixture(facts)).partial, false);
    assert.equal((await createFixture({ ...facts, interrupted: true })).partial, true);
    const lost = await createFixture({ ...facts, failure: 'the server was lost' });
    assert.deepEqual([lost.partial, lost.failure], [true, 'the server was lost']);
  });

  it('carries what its types say of the suite, and no more', () => {
    assert.deepEqual(report.suite, { id: 'default', title: 'Ways to connect', format: 'table' });
  });
});
