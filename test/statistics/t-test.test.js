import assert from 'node:assert/strict';
import { tTestTwoSample } from 'simple-statistics';
import { studentTwoSided, welch } from '../../src/statistics/student.js';

/** Student's sleep data (1908), as in R's datasets. */
const FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
const SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

/** @param {number} actual @param {number} expected @param {number} [off] */
const near = (actual, expected, off = 1e-6) =>
  assert.ok(Math.abs(actual - expected) <= off, `${actual} is not ${expected}`);

describe('statistics/t-test', () => {
  it("Welch's has R's figures: t.test(extra ~ group, data = sleep)", () => {
    const { p, interval } = welch(FIRST, SECOND);
    const { low, high } = interval();
    near(p, 0.07939, 5e-6);
    near(low, -3.3654832);
    near(high, 0.2054832);
  });

  it('it agrees with simple-statistics where it has the same test', () => {
    // With as many values and the same variance on both sides Welch's is Student's test.
    const shifted = FIRST.map((value) => value + 1);
    near(welch(FIRST, shifted).p, studentTwoSided(Number(tTestTwoSample(FIRST, shifted)), 18), 1e-9);
  });

  it('copes with runs that do not vary', () => {
    const same = welch([1, 1, 1], [1, 1, 1]);
    assert.deepEqual([same.p, same.interval()], [1, { low: 0, high: 0 }]);
    const apart = welch([2, 2, 2], [1, 1, 1]);
    assert.deepEqual([apart.p, apart.interval()], [0, { low: 1, high: 1 }]);
    assert.ok(welch([2, 2, 2], [1, 1.5, 1.2]).p < 0.05);
  });
});
