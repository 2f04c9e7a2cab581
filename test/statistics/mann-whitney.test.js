import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wilcoxonRankSum } from 'simple-statistics';
import { mannWhitney, smallestP } from '../../src/statistics/mann-whitney.js';

/** @param {number} actual @param {number} expected @param {number} [off] */
const near = (actual, expected, off = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= off, `${actual} is not ${expected}`);

/** @param {number} count @param {number} from */
const range = (count, from = 0) => Array.from({ length: count }, (_, index) => from + index);

/**
 * @param {number} n
 * @param {number} m
 * @param {number} u
 * @returns {[number[], number[]]} two samples without ties whose U, the smaller of the two, is this
 */
function samplesWithU(n, m, u) {
  // The first of a above u of b, the others below all of b.
  const b = range(m, 1);
  const full = Math.floor(u / m);
  const a = range(n).map((place) =>
    place < full ? 1000 + place : place === full ? (u % m) + 0.5 : -1 - place,
  );
  return [a, b];
}

describe('statistics/mann-whitney', () => {
  it("has scipy's p for the example in the manual of scipy.stats.mannwhitneyu", () => {
    near(mannWhitney([19, 22, 16, 29, 24], [20, 11, 17, 12]).p, 0.1111111111111111);
  });

  it("has R's p and interval for the example of ?wilcox.test (Hollander and Wolfe 1973, placenta)", () => {
    const x = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    const y = [1.15, 0.88, 0.9, 0.74, 1.21];
    const { p, interval } = mannWhitney(x, y);
    const { low, high } = interval();
    near(p, 0.2544, 5e-5);
    near(low, -0.15);
    near(high, 0.76);
  });

  it("has R's p with ties: wilcox.test(extra ~ group, data = sleep) gives 0.06933", () => {
    const [first, second] = SLEEP;
    near(mannWhitney(first, second).p, 0.06933, 5e-6);
  });

  // Mann and Whitney's table, two-sided at 5 %: U up to this is significant, one more is not.
  for (const [n, m, critical] of [
    [4, 4, 0],
    [5, 5, 2],
    [5, 8, 6],
    [6, 6, 5],
    [8, 8, 13],
    [10, 10, 23],
    [10, 20, 55],
    [20, 20, 127],
  ]) {
    it(`the critical U of ${n} and ${m} values is ${critical}, as in the tables`, () => {
      const p = (/** @type {number} */ u) => mannWhitney(...samplesWithU(n, m, u)).p;
      assert.ok(p(critical) <= 0.05, `${p(critical)}`);
      assert.ok(p(critical + 1) > 0.05, `${p(critical + 1)}`);
    });
  }

  it('the smallest p of small samples is 2 over the number of ways to choose them', () => {
    near(smallestP(3, 3), 2 / 20);
    near(smallestP(4, 4), 2 / 70);
    near(smallestP(5, 5), 2 / 252);
    near(smallestP(10, 10), 2 / 184_756);
    near(smallestP(5, 5), mannWhitney(range(5), range(5, 100)).p);
  });

  it('the counted and the normal distribution meet', () => {
    const [counted, normal] = [20, 21].map(
      (n) => mannWhitney(...samplesWithU(n, n, Math.round(n * n * 0.35))).p,
    );
    near(counted, normal, 0.02);
  });

  it('counts as simple-statistics does: U is the rank sum less its smallest value', () => {
    fc.assert(
      fc.property(sample(), sample(), (a, b) => {
        const u = wilcoxonRankSum(a, b) - (a.length * (a.length + 1)) / 2;
        const far = Math.abs(u - (a.length * b.length) / 2);
        const { p } = mannWhitney(a, b);
        // The farther U is from its middle, the smaller p; at the middle it is 1.
        assert.equal(p === 1, far <= 0.5);
      }),
    );
  });

  it('the interval has no shift in it that the test would refuse, and none outside that it would not', () => {
    fc.assert(
      fc.property(sample(5), sample(5), (a, b) => {
        const { low, high } = mannWhitney(a, b).interval();
        if (high - low < 1e-6) return;
        const p = (/** @type {number} */ shift) =>
          mannWhitney(
            a.map((value) => value - shift),
            b,
          ).p;
        assert.ok(p(low + 1e-7) > 0.05 && p(high - 1e-7) > 0.05);
        assert.ok(p(low - 1e-7) <= 0.05 && p(high + 1e-7) <= 0.05);
      }),
    );
  });

  it('claims nothing of samples that are all the same', () => {
    assert.deepEqual(mannWhitney([3, 3, 3, 3, 3], [3, 3, 3, 3, 3]).p, 1);
  });

  it('has no bound where there are too few values for one', () => {
    const { low, high } = mannWhitney([1, 2], [3, 4]).interval();
    assert.deepEqual([low, high], [-Infinity, Infinity]);
  });

  it('takes a thousand runs a side', () => {
    const wave = (/** @type {number} */ step) => range(1000).map((each) => Math.sin(each * each * step));
    assert.ok(
      mannWhitney(
        wave(1),
        wave(1.1).map((value) => value + 0.3),
      ).p < 1e-6,
    );
  });
});

/** @param {number} [fewest] */
const sample = (fewest = 2) =>
  fc.uniqueArray(fc.double({ min: 0, max: 100, noNaN: true }), {
    minLength: fewest,
    maxLength: 12,
    selector: (value) => Math.round(value * 1000),
  });

/** Student's sleep data (1908), as in R's datasets. */
const SLEEP = [
  [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
  [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
];
