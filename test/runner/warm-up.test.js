import assert from 'node:assert/strict';
import { warmUp } from '../../src/runner/warm-up.js';

describe('runner/warm-up', () => {
  /** @param {number} [runTimeoutMs] @returns {Promise<object[]>} the lengths of runs that warm a later start */
  async function lengthsWith(runTimeoutMs) {
    /** @type {object[]} */
    const lengths = [];
    const runner = /** @type {any} */ ({
      cell: { id: 'a', openLoop: null, tasks: 2 },
      async warmUp(/** @type {object} */ length) {
        lengths.push(length);
        return { taskIterations: [5000, 5000] };
      },
    });
    const warmed = new Map([['a', { perMs: 10, iterations: 12_000 }]]);
    const context = /** @type {any} */ ({
      settings: { warmupRuns: 1, seed: 1, runTimeoutMs },
      signal: new AbortController().signal,
    });
    await warmUp({ runners: [runner], warmed, slices: 1 }, context);
    return lengths;
  }

  it('does as much again as made the first start warm, in one run', async () =>
    assert.deepEqual(await lengthsWith(), [{ iterations: 12_000 }]));

  it('takes windows as the first start did where --run-timeout may end a run', async () =>
    assert.deepEqual(
      await lengthsWith(400),
      Array.from({ length: 3 }, () => ({ durationMs: 75 })),
    ));
});
