import assert from 'node:assert/strict';
import { drawShares, sliceIterations, slicesPerRun, withFewest } from '../../src/plan/slices.js';

describe('plan/slices', () => {
  it('a run of half a second is executed in pieces of about 60 ms', () => {
    assert.equal(slicesPerRun({ expectedMs: 480, iterations: null, divisible: true }), 8);
    assert.equal(slicesPerRun({ expectedMs: 50, iterations: null, divisible: true }), 1);
  });

  it('a piece has 25 iterations of each task at least, so that a few are not cut up', () => {
    assert.equal(slicesPerRun({ expectedMs: 6000, iterations: 100, divisible: true }), 4);
    assert.equal(slicesPerRun({ expectedMs: 6000, iterations: 10, divisible: true }), 1);
    assert.equal(withFewest(3, 1), 25);
  });

  it('a piece of something very slow has as many as fit', () => {
    assert.equal(withFewest(1, 0.02), 4);
    assert.equal(withFewest(1, null), 1);
  });

  it('what may not be interrupted is not', () => {
    assert.equal(slicesPerRun({ expectedMs: 5000, iterations: null, divisible: false }), 1);
  });

  it('pieces differ in length, so that they do not keep step with another benchmark, the same for each seed', () => {
    const shares = drawShares(8, 1);
    assert.deepEqual(drawShares(8, 1), shares);
    assert.notDeepEqual(drawShares(8, 2), shares);
    assert.ok(Math.max(...shares) > 1.1 * Math.min(...shares));
    assert.ok(Math.max(...shares) <= 2.01 * Math.min(...shares));
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
  });

  it('pieces are of whole batches, and nothing is lost', () => {
    assert.deepEqual(sliceIterations(100, [0.25, 0.35, 0.4], 1), [25, 35, 40]);
    assert.deepEqual(sliceIterations(100, [0.25, 0.35, 0.4], 10), [20, 40, 40]);
    assert.deepEqual(sliceIterations(25, [0.7, 0.3], 10), [10, 15]);
    for (const [iterations, slices, batch] of [
      [1, 1, 10],
      [28_571, 50, 1],
      [700, 8, 10],
    ]) {
      const pieces = sliceIterations(iterations, drawShares(slices, 3), batch);
      assert.equal(
        pieces.reduce((sum, piece) => sum + piece, 0),
        iterations,
      );
      assert.ok(Math.min(...pieces) > 0);
    }
  });
});
