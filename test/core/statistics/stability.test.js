import assert from 'node:assert/strict';
import { areStable, reachPercent } from '../../../src/core/statistics/enough-runs.js';
import { badRun, goodRun } from '../../helpers/report-fixture.js';

/** @param {number[]} averages in ms */
const runsOf = (averages) =>
  averages.map((averageMs, index) => goodRun(index + 1, { tasks: 1, iterations: 100, averageMs }));

describe('statistics/stability', () => {
  it('is how far the 95 % interval reaches to its farther side, as the table prints it', () => {
    // 100 iterations in 100 ms are 1000 a second; in 80 and 125 ms 1250 and 800.
    assert.equal(reachPercent(runsOf([80, 100, 100, 100, 100, 125])), 25);
  });
  it('is not there yet with five runs, which cannot reach 95 %', () => {
    assert.equal(reachPercent(runsOf([100, 100, 100, 100, 100])), Infinity);
    assert.equal(reachPercent(runsOf([100, 100, 100, 100, 100, 100])), 0);
  });
  it('takes nothing from runs that failed', () => {
    assert.equal(reachPercent([...runsOf([100, 100, 100, 100, 100]), badRun(6, 'lost')]), Infinity);
  });
  it('all cells must be stable', () => {
    const [narrow, wide] = [runsOf([99, 100, 100, 100, 100, 101]), runsOf([80, 100, 100, 100, 100, 125])];
    assert.equal(areStable([narrow, narrow], 2), true);
    assert.equal(areStable([narrow, wide], 2), false);
    assert.equal(areStable([narrow, wide], 25), true);
    assert.equal(areStable([], 2), true);
  });
});
