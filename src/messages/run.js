import { RunError } from '../core/errors.js';
import { atDistance, runApart } from '../core/run/apart.js';
import { runOf } from '../core/run/cell-log.js';
import { createCellWorker } from '../core/run/cell-worker.js';

/** @import { Cell } from '../core/plan/types.js' */
/** @import { GroupContext } from '../core/run/types.js' */
/** @import { WatchedRun } from '../core/run/types.js' */

/** V8 has compiled what is hot by then. */
const WARM_MS = 300;

/** Each run has processes of its own, since two starts may differ by luck. @param {Cell[]} cells @param {GroupContext} context */
export const runGroup = (cells, context) =>
  atDistance(cells, context, async (contextOf) => {
    const { iterations, durationMs, warmupRuns } = context.settings;
    const length = typeof iterations === 'number' ? { iterations } : { durationMs };
    let areKeysRemoved = true;
    /** @param {Cell} cell @param {number} round */
    async function measure(cell, round) {
      const own = contextOf(cell);
      const worker = createCellWorker(cell, own);
      context.signal.addEventListener('abort', worker.interrupt);
      try {
        await worker.begin();
        const { facts, observe } = worker.current();
        const { effectiveOptions, ...known } = facts;
        const asRun = (/** @type {Omit<WatchedRun, keyof typeof known>} */ seen) =>
          runOf({ ...seen, ...known }, { round, start: round }, cell, own);
        if (warmupRuns > 0) {
          const { failed } = asRun(await observe({ durationMs: WARM_MS * warmupRuns }));
          if (failed !== null) throw new RunError(failed);
        }
        return { run: asRun(await observe(length)), known: { effectiveOptions } };
      } finally {
        context.signal.removeEventListener('abort', worker.interrupt);
        areKeysRemoved = (await worker.finish()) && areKeysRemoved;
        await worker.end();
      }
    }
    const { lost, keysRemoved } = await runApart(cells, context, measure);
    return { lost, keysRemoved: keysRemoved && areKeysRemoved };
  });
