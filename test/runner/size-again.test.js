import assert from 'node:assert/strict';
import { sizeIterations } from '../../src/plan/run-length.js';
import { sizeAgain } from '../../src/runner/size-again.js';

const RUN_TIME_MS = 300;
const SLICES = 5;

/**
 * Sizes cells by what their warm-up said, and again by how long their runs really take.
 *
 * @param {Record<string, {warmUp: number, truly: number}>} perMs iterations in a millisecond
 */
async function size(perMs) {
  /** @type {Map<string, {perMs: number} | null>} */
  const speeds = new Map(Object.entries(perMs).map(([id, { warmUp }]) => [id, { perMs: warmUp }]));
  /** @type {Record<string, number>} */
  const runs = Object.fromEntries(Object.keys(perMs).map((id) => [id, 0]));
  /** @type {Map<string, number>} */
  let counts = new Map();
  const resize = () => {
    const cells = [...speeds].map(([id, speed]) => ({
      id,
      perMs: speed?.perMs ?? null,
      keySize: 1,
      valueSize: 1,
    }));
    counts = sizeIterations('auto', { runTimeMs: RUN_TIME_MS, slices: SLICES }, cells);
  };
  resize();
  const runners = Object.entries(perMs).map(([id, { truly }]) => ({
    cell: { id },
    iterations: () => counts.get(id),
    warmUp: async (/** @type {{iterations: number}} */ { iterations }) => {
      runs[id]++;
      return { elapsedMs: iterations / truly };
    },
  }));
  const { signal } = new AbortController();
  await sizeAgain(/** @type {any} */ (runners), speeds, {
    sliceMs: RUN_TIME_MS / SLICES,
    slices: SLICES,
    size: resize,
    signal,
  });
  return { counts: Object.fromEntries(counts), runs };
}

describe('runner/size-again', () => {
  it('gives a cell that was held up in its warm-up runs of a proper length', async () => {
    const { counts } = await size({
      fast: { warmUp: 5, truly: 5 },
      'held up': { warmUp: 0.001, truly: 2.5 },
    });
    assert.deepEqual(counts, { fast: 1500, 'held up': 1500 });
  });

  it('does so where all cells were held up', async () => {
    const { counts } = await size({ only: { warmUp: 0.001, truly: 2.5 } });
    assert.deepEqual(counts, { only: 750 });
  });

  it('runs a cell that is slow once more, and leaves it as it is', async () => {
    const { counts, runs } = await size({ fast: { warmUp: 5, truly: 5 }, slow: { warmUp: 0.1, truly: 0.1 } });
    assert.deepEqual(counts, { fast: 1500, slow: 120 });
    assert.deepEqual(runs, { fast: 0, slow: 1 });
  });
});
