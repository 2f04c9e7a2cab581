import assert from 'node:assert/strict';
import { summarize } from '../../src/store/summary.js';
import { badRun, goodRun } from '../helpers/report-fixture.js';

const PLACEMENT = { sharedCore: false };

/** @param {number[]} averages in ms @param {number[]} [spreads] */
const runsOf = (averages, spreads = []) =>
  averages.map((averageMs, index) =>
    goodRun(index + 1, { tasks: 4, iterations: 100, averageMs, spreadMs: spreads[index] ?? 0 }),
  );

describe('store/summary', () => {
  it('has the medians of the runs', () => {
    const summary = summarize(runsOf([100, 400, 200], [1, 9, 3]), PLACEMENT);
    assert.equal(summary?.averageMs, 200);
    assert.equal(summary?.spreadMs, 3);
    assert.equal(Math.round(Number(summary?.opsPerSecond)), Math.round((400 / 201.5) * 1000));
  });

  it('has the mean of the middle two of an even number of runs', () => {
    assert.equal(summarize(runsOf([100, 200, 300, 900]), PLACEMENT)?.averageMs, 250);
  });

  it('has the slowest and the fastest run', () => {
    const summary = summarize(runsOf([100, 400, 200]), PLACEMENT);
    assert.equal(summary?.opsPerSecondLow, 1000);
    assert.equal(summary?.opsPerSecondHigh, 4000);
  });

  it('is that of the run where there is one', () => {
    const summary = summarize(runsOf([100], [2]), PLACEMENT);
    assert.deepEqual([summary?.runs, summary?.averageMs, summary?.spreadMs], [1, 100, 2]);
    assert.equal(summary?.opsPerSecondLow, summary?.opsPerSecondHigh);
  });

  it('counts failed runs and takes nothing from them', () => {
    const [first, second] = runsOf([100, 300]);
    const summary = summarize([first, badRun(2, 'lost'), second, badRun(4, 'lost')], PLACEMENT);
    assert.deepEqual([summary?.runs, summary?.failedRuns, summary?.averageMs], [2, 2, 200]);
  });

  it('has an interval for each figure that is compared, and the variation of the runs', () => {
    const summary = summarize(runsOf([100, 400, 200, 300, 250]), PLACEMENT);
    assert.deepEqual(summary?.intervals.averageMs, { low: 100, high: 400, level: 0.9375 });
    assert.deepEqual(summary?.intervals.opsPerSecond, { low: 1000, high: 4000, level: 0.9375 });
    assert.deepEqual(summary?.intervals.cpuUsPerOp, { low: 20, high: 20, level: 0.9375 });
    assert.equal(summary?.intervals.p99Us, null);
    assert.ok(Number(summary?.variation) > 0.3);
  });

  it('has no interval of a single run', () => {
    const summary = summarize(runsOf([100]), PLACEMENT);
    assert.deepEqual([summary?.intervals.opsPerSecond, summary?.variation], [null, null]);
  });

  it('is null where no run succeeded', () => {
    assert.equal(summarize([], PLACEMENT), null);
    assert.equal(summarize([badRun(1, 'lost')], PLACEMENT), null);
  });
});
