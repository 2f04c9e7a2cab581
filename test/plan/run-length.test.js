import assert from 'node:assert/strict';
import { resolveOptions } from '../../src/options/resolve-options.js';
import {
  drawShares,
  sizeIterations,
  sliceIterations,
  slicesPerRun,
  withFewest,
} from '../../src/plan/run-length.js';
import { loadPlugin } from '../../src/plugins/registry.js';

/** @import { Settings } from '../../src/options/types.js' */

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

const RUN = { runTimeMs: 300, slices: 1 };

/** @param {Record<string, number | null>} speeds iterations of one task in a millisecond, by cell id */
const auto = (speeds, runTimeMs = 100) =>
  Object.fromEntries(
    sizeIterations(
      'auto',
      { runTimeMs, slices: 1 },
      Object.entries(speeds).map(([id, perMs]) => ({ id, perMs, keySize: 10, valueSize: 10 })),
    ),
  );

describe('plan/iterations', () => {
  describe('auto', () => {
    it('makes the fastest cell take about the run time', () => {
      assert.deepEqual(auto({ only: 5 }), { only: 500 });
      assert.deepEqual(auto({ only: 5 }, 300), { only: 1500 });
    });

    it('gives the others the same work', () => {
      assert.deepEqual(auto({ fast: 10, half: 5, quarter: 2.5 }), { fast: 1000, half: 1000, quarter: 1000 });
    });

    it('gives a cell that would take over four times as long a smaller count of its own', () => {
      const { fast, slow, slower } = auto({ fast: 10, slow: 2.4, slower: 0.1 });
      assert.equal(fast, 1000);
      assert.equal(slow, 240);
      assert.equal(slower, 24, 'a slice has 25 iterations, if they take less than 240 ms');
    });

    it('fills at least one batch', () => {
      const cell = { keySize: 10, valueSize: 10 };
      const counts = sizeIterations('auto', { runTimeMs: 100, slices: 1 }, [
        { ...cell, id: 'fast', perMs: 10 },
        { ...cell, id: 'batches', perMs: 0.05, batchSize: 10 },
      ]);
      assert.deepEqual([...counts.values()], [1000, 10]);
    });

    it('never says 0', () => {
      assert.deepEqual(auto({ fast: 10, slow: 0.000_01 }), { fast: 1000, slow: 1 });
      assert.deepEqual(auto({ slow: 0.000_01 }), { slow: 1 });
    });

    it('is a whole number, however small', () => {
      for (const count of Object.values(auto({ fast: 10, slow: 0.096, slower: 0.0123 }))) {
        assert.ok(Number.isInteger(count), String(count));
      }
    });

    it('rounds to two digits, for it is an estimate', () => {
      assert.deepEqual(auto({ only: 12.3456 }), { only: 1200 });
    });

    it('is not led astray by a cell that failed in the warm-up', () => {
      const counts = auto({ failed: null, fast: 10 });
      assert.equal(counts.fast, 1000);
      assert.ok(counts.failed >= 1);
    });

    it('gives whole numbers even where all cells failed', () => {
      for (const count of Object.values(auto({ a: null, b: null })))
        assert.ok(Number.isInteger(count) && count >= 1);
    });
  });

  it('a number is the same for every cell', () => {
    const cells = ['a', 'b'].map((id) => ({ id, perMs: null, keySize: 10, valueSize: 10 }));
    assert.deepEqual([...sizeIterations(50, RUN, cells).values()], [50, 50]);
  });

  describe('the cost model of pipelining-test', () => {
    /** @type {Settings['iterations']} */
    let model;
    before(async () => {
      model = resolveOptions({}, await loadPlugin('suites', 'pipelining-test')).iterations;
    });

    for (const [size, count] of [
      [10, 33_277],
      [1000, 28_571],
      [100_000, 1886],
    ]) {
      it(`gives the original's ${count} iterations for ${size} characters`, () => {
        const counts = sizeIterations(model, RUN, [{ id: 'a', perMs: null, keySize: size, valueSize: size }]);
        assert.equal(counts.get('a'), count);
      });
    }

    it('gives 1 where the size is beyond the budget', () => {
      const counts = sizeIterations(model, RUN, [
        { id: 'a', perMs: null, keySize: 512_000_000, valueSize: 512_000_000 },
      ]);
      assert.equal(counts.get('a'), 1);
    });
  });
});
