import assert from 'node:assert/strict';
import { sliceFigures } from '../../src/store/run-record.js';

/** @import { SeenSlice } from '../../src/run/types.js' */

/** @param {number} workerQueuedMs of 60 @param {number | null} stolenMs */
const slice = (workerQueuedMs, stolenMs) =>
  sliceFigures(
    /** @type {SeenSlice} */ (
      /** @type {unknown} */ ({
        measured: {
          elapsedMs: 60,
          taskIterations: [100],
          client: { cpuUs: 50_000, appWorkUs: 0 },
        },
        seen: null,
        runQueue: { workerQueuedMs, workerRanMs: 50, serverQueuedMs: 1, stolenMs },
        relay: null,
      })
    ),
    1,
  );

describe('slice-record', () => {
  it('a slice is disturbed where who ran in it waited, or the hypervisor took their processors', () => {
    assert.equal(slice(1, 0).disturbed, false);
    assert.equal(slice(1, null).disturbed, false);
    assert.equal(slice(9, 0).disturbed, true);
    assert.equal(slice(1, 10).disturbed, true);
  });
});
