import assert from 'node:assert/strict';
import { sizeRuns, sliceAt, sliceIterations } from '../../../../src/commands/benchmark/policy/run-length.js';
import { MEASURING } from '../../../../src/method.js';
import { runTimeout } from '../../../../src/server/server-watch.js';

const SETTINGS = {
  iterations: /** @type {const} */ ('auto'),
  runTimeMs: 200,
  durationMs: undefined,
  runs: 3,
  races: false,
};
const GROUP = { divisible: true, mostMs: Number.POSITIVE_INFINITY };

/** @param {number | null} perMs @param {object} [more] */
const warm = (perMs, more) => ({ id: `${perMs}`, keySize: 1000, valueSize: 1000, perMs, ...more });

/** @param {any} settings @param {any} cells @param {object} [group] */
const sizes = (settings, cells, group) => [
  ...sizeRuns({ ...SETTINGS, ...settings }, { ...GROUP, cells, ...group }).values(),
];

describe('commands/benchmark/policy/run-length', () => {
  it('a run of the fastest cell takes the run time, in slices of 25 ms; cells nearly as fast do the same work', () => {
    const [fast, near, behind, slow] = sizes({}, [warm(10), warm(8.5), warm(6), warm(2)]);
    assert.deepEqual(fast, { iterations: 8 * 250, slices: 8, runMs: 200 });
    assert.deepEqual([near.iterations, near.slices], [2000, 8]);
    assert.deepEqual([behind.iterations, behind.slices], [8 * 150, 8]);
    assert.deepEqual([slow.iterations, slow.slices], [8 * 50, 8]);
  });

  it('of a race, a cell that is far behind takes half of the time of the fastest', () => {
    const [, near, slow, opening] = sizes({ races: true }, [warm(10), warm(6), warm(2), warm(0.4)]);
    assert.deepEqual([near.slices, slow.iterations, slow.slices], [8, 4 * 50, 4]);
    assert.deepEqual([opening.slices, opening.iterations], [2, 2 * 24]);
  });

  it('a slice becomes longer for the sake of its iterations, but not for ever', () => {
    const [, opening, hopeless] = sizes({}, [warm(10), warm(0.5), warm(0.001)]);
    assert.deepEqual([opening.iterations, opening.slices], [8 * 25, 8]);
    // A second each: a run is one of them.
    assert.deepEqual([hopeless.iterations, hopeless.slices], [1, 1]);
  });

  it('has whole batches', () => {
    for (const { iterations, slices } of sizes({}, [warm(10, { batchSize: 64 }), warm(1, { batchSize: 64 })]))
      assert.equal((Number(iterations) / slices) % 64, 0);
  });

  it('cells of a later turn do as many iterations as those before', () => {
    const [size] = sizes({}, [warm(10)], { known: 200 });
    assert.equal(size.iterations, 1600);
  });

  it('has the iterations, or the time, that the user gives', () => {
    assert.deepEqual(sizes({ iterations: 1000 }, [warm(10), warm(5)]), [
      { iterations: 1000, slices: 4, runMs: 100 },
      { iterations: 1000, slices: 4, runMs: 200 },
    ]);
    assert.deepEqual(sizes({ iterations: 30 }, [warm(0.1)]), [{ iterations: 30, slices: 1, runMs: 300 }]);
    assert.deepEqual(sizes({ durationMs: 500 }, [warm(10)]), [{ iterations: null, slices: 20, runMs: 500 }]);
    assert.deepEqual(sizes({ iterations: { budget: 1e9, perOperation: 30_000, perByte: 5 } }, [warm(null)]), [
      { iterations: 28_571, slices: 50, runMs: null },
    ]);
  });

  it('is whole where slices would lose something', () => {
    assert.equal(sizes({}, [warm(10)], { divisible: false })[0].slices, 1);
    const [fast, slow] = sizes({}, [warm(1000), warm(1)], { divisible: false, sameWork: true });
    assert.equal(slow.iterations, fast.iterations);
  });

  it('has fewer slices where the time is short, and one at least', () => {
    const whole = 3 * 8 * (MEASURING.sliceMs + MEASURING.betweenMs);
    const [half] = sizes({}, [warm(10)], { mostMs: whole / 2 });
    assert.deepEqual([half.slices, half.iterations], [4, 1000]);
    assert.equal(sizes({}, [warm(10)], { mostMs: 1 })[0].slices, 1);
    // What the user asks for stays.
    assert.equal(sizes({ iterations: 2000 }, [warm(10)], { mostMs: 1 })[0].iterations, 2000);
  });

  it('a slow cell takes its slices evenly among those of the others', () => {
    for (const own of [1, 2, 3, 5, 8]) {
      const taken = Array.from({ length: 8 }, (_, index) => sliceAt(index, 8, own)).filter(
        (at) => at !== null,
      );
      assert.deepEqual(
        taken,
        Array.from({ length: own }, (_, index) => index),
      );
    }
  });

  it('divides iterations in whole batches, and loses none', () => {
    for (const [iterations, slices, batch] of [
      [1000, 8, 1],
      [1000, 7, 64],
      [30, 4, 1],
    ]) {
      const parts = sliceIterations(iterations, slices, batch);
      assert.equal(
        parts.reduce((sum, each) => sum + each),
        iterations,
      );
      for (const part of parts.slice(0, -1)) assert.equal(part % batch, 0);
    }
  });

  it('a run hangs after ten times what is expected, at least 30 s, or when the user says', () => {
    assert.equal(runTimeout(undefined, 10_000), 100_000);
    assert.equal(runTimeout(undefined, 100), 30_000);
    assert.equal(runTimeout(undefined, null), 600_000);
    assert.equal(runTimeout(50, 100_000), 50);
  });
});
