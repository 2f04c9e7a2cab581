import assert from 'node:assert/strict';
import { intervalOfSorted, reach, variation } from '../../src/statistics/interval.js';
import { createRandom } from '../helpers/random.js';

/** @param {number[]} values */
const medianInterval = (values) => intervalOfSorted(Float64Array.from(values).sort());

/** @param {number} count */
const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1).reverse();

describe('statistics/interval', () => {
  // Conover, Practical Nonparametric Statistics: the ranks of the median's 95 % interval.
  for (const [count, low, high] of [
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [10, 2, 9],
    [15, 4, 12],
    [20, 6, 15],
    [25, 8, 18],
  ]) {
    it(`of ${count} runs goes from the ${low}. to the ${high}.`, () => {
      const interval = medianInterval(upTo(count));
      assert.deepEqual([interval?.low, interval?.high], [low, high]);
      assert.ok(Number(interval?.level) >= 0.95);
    });
  }

  it('says what five runs and fewer cover: all of them, and less than 95 %', () => {
    assert.deepEqual(medianInterval([5, 1, 3, 2, 4]), { low: 1, high: 5, level: 0.9375 });
    assert.equal(medianInterval([1, 2, 3, 4])?.level, 0.875);
    assert.equal(medianInterval([1, 2])?.level, 0.5);
  });

  it('is right for thousands of runs, where the binomial coefficients are beyond all numbers', () => {
    // Normal approximation: 10,000 / 2 ± 1.96 · √10,000 / 2.
    const interval = medianInterval(upTo(10_000));
    assert.ok(interval);
    assert.ok(Math.abs(interval.low - 4902) <= 1 && Math.abs(interval.high - 5099) <= 1, `${interval.low}`);
    assert.ok(interval.level >= 0.95 && interval.level < 0.953, `${interval.level}`);
  });

  it('is none for one run', () => {
    assert.equal(medianInterval([1]), null);
    assert.equal(medianInterval([]), null);
  });

  it('covers the median as often as it says', () => {
    const { normal } = createRandom(1);
    for (const count of [5, 9, 20]) {
      let covered = 0;
      for (let trial = 0; trial < 4000; trial++) {
        // Skewed, with the median 1.
        const interval = medianInterval(Array.from({ length: count }, () => Math.exp(normal())));
        if (interval && interval.low <= 1 && interval.high >= 1) covered++;
      }
      const level = Number(medianInterval(upTo(count))?.level);
      assert.ok(Math.abs(covered / 4000 - level) < 0.015, `${covered / 4000} of ${level}`);
    }
  });

  it('reaches as far as its farther side', () => {
    assert.equal(reach({ low: 90, high: 105, level: 0.95 }, 100), 0.1);
    assert.equal(reach({ low: 90, high: 130, level: 0.95 }, 100), 0.3);
  });

  it('variation is the standard deviation over the mean', () => {
    assert.equal(variation([5]), null);
    assert.equal(variation([9, 10, 11]), 0.1);
  });
});
