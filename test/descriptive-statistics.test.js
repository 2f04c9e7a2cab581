import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as reference from 'simple-statistics';
import * as own from '../src/descriptive-statistics.js';
import { logGamma } from '../src/statistics/student.js';

const value = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
const samples = fc.array(value, { minLength: 2, maxLength: 200 });

/** @type {[string, (values: number[]) => number, (values: number[]) => number][]} */
const PAIRS = [
  ['sum', own.sum, reference.sum],
  ['mean', own.mean, reference.mean],
  ['min', own.min, reference.min],
  ['max', own.max, reference.max],
  ['median', own.median, reference.median],
  ['median of sorted', (values) => own.medianSorted(values.toSorted((a, b) => a - b)), reference.median],
  ['quantile', (values) => own.quantile(values, 0.9), (values) => reference.quantile(values, 0.9)],
  ['absolute deviation', own.medianAbsoluteDeviation, reference.medianAbsoluteDeviation],
  ['squares', own.squaredDeviations, (values) => reference.sumNthPowerDeviations(values, 2)],
  ['variance', own.sampleVariance, reference.sampleVariance],
];

/** @param {number} actual @param {number} expected */
const near = (actual, expected) =>
  assert.ok(
    Math.abs(actual - expected) <= 1e-12 * Math.max(1, Math.abs(expected)),
    `${actual} is not ${expected}`,
  );

describe('descriptive statistics', () => {
  for (const [name, ours, theirs] of PAIRS) {
    it(`${name} is what simple-statistics says`, () =>
      fc.assert(fc.property(samples, (values) => near(ours(values), theirs(values)))));
  }

  it('geometric means are those of a few values, and of many that would overflow', () => {
    near(own.geometricMean([1, 4, 16]), reference.geometricMean([1, 4, 16]));
    near(own.geometricMean(Array(100).fill(1e6)), 1e6);
  });

  it('adds up what is lost beside a large number', () => {
    assert.equal(own.sum([1, 1e100, 1, -1e100]), 2);
    assert.equal(own.sum([]), 0);
  });

  it('leaves the values as they are', () => {
    const values = Object.freeze([3, 1, 2]);
    assert.equal(own.median(values), 2);
    assert.equal(own.quantile(values, 0), 1);
    assert.equal(own.quantile(values, 1), 3);
  });

  it('says nothing of too few values', () => {
    for (const of of [own.mean, own.min, own.max, own.median, own.medianSorted, own.squaredDeviations])
      assert.throws(() => of([]), { name: 'RangeError', message: 'expected 1 values or more, got 0' });
    assert.throws(() => own.sampleVariance([1]), { message: 'expected 2 values or more, got 1' });
  });

  it('the logarithm of the gamma function is that of factorials, and of halves', () => {
    let factorial = 1;
    for (let n = 1; n < 100; n++) {
      near(logGamma(n), Math.log(factorial));
      factorial *= n;
    }
    near(logGamma(0.5), Math.log(Math.PI) / 2);
    fc.assert(fc.property(value, (x) => near(logGamma(x), reference.gammaln(x))));
  });
});
