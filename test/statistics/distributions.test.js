import assert from 'node:assert/strict';
import { incompleteBeta, studentCritical, studentTwoSided } from '../../src/statistics/student.js';

/** @param {number} actual @param {number} expected @param {number} [off] */
const near = (actual, expected, off = 5e-4) =>
  assert.ok(Math.abs(actual - expected) <= off, `${actual} is not ${expected}`);

describe('statistics/distributions', () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, critical values of Student's t.
  for (const [degrees, five, one] of [
    [1, 12.706, 63.657],
    [4, 2.776, 4.604],
    [8, 2.306, 3.355],
    [30, 2.042, 2.75],
    [100, 1.984, 2.626],
    [Infinity, 1.96, 2.576],
  ]) {
    it(`critical t of ${degrees} degrees of freedom are those of the tables`, () => {
      near(studentCritical(0.05, degrees), five);
      near(studentCritical(0.01, degrees), one);
    });
  }

  it('p and critical value are the inverse of each other, far out too', () => {
    for (const degrees of [1, 4.5, 28]) {
      for (const p of [0.9, 0.05, 1e-6, 1e-12])
        near(studentTwoSided(studentCritical(p, degrees), degrees) / p, 1, 1e-6);
    }
  });

  it('is the same on both sides, and sure of no difference at 0', () => {
    assert.equal(studentTwoSided(-2, 5), studentTwoSided(2, 5));
    assert.equal(studentTwoSided(0, 5), 1);
    assert.equal(studentTwoSided(Infinity, 5), 0);
  });

  it('the incomplete beta function has its closed forms', () => {
    for (const x of [0, 0.1, 0.5, 0.93, 1]) {
      near(incompleteBeta(x, 1, 1), x, 1e-9);
      near(incompleteBeta(x, 3, 1), x ** 3, 1e-9);
      near(incompleteBeta(x, 2, 5), 1 - incompleteBeta(1 - x, 5, 2), 1e-9);
    }
  });
});
