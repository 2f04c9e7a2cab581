import { RunError } from '../../errors.js';
import { runOf, withEmitted } from '../../run/cell-log.js';
import { createCellWorker } from '../../run/cell-worker.js';
import { runApart, withRelays } from '../../run/independent-runs.js';

/** @import { Cell } from '../../run/plan/types.js' */
/** @import { GroupContext } from '../../run/types.js' */
/** @import { RunLength } from '../../worker/types.js' */

/** V8 has compiled what is hot by then. */
const WARM_MS = 300;

/** Each run has processes of its own, since two starts may differ by luck. @param {Cell[]} cells @param {GroupContext} context */
export const runGroup = (cells, context) =>
  withRelays(cells, context, async (contextOf) => {
    const { iterations, durationMs, warmupRuns } = context.settings;
    const length = typeof iterations === 'number' ? { iterations } : { durationMs };
    let areKeysRemoved = true;
    const { lost, keysRemoved } = await runApart(cells, context, async (cell, round, log) => {
      const own = contextOf(cell);
      const worker = createCellWorker(cell, own, log);
      const run = async (/** @type {RunLength} */ of) =>
        runOf(await worker.observe(of), { round, start: round }, cell, own);
      context.signal.addEventListener('abort', worker.interrupt);
      try {
        await worker.begin();
        const warm = warmupRuns > 0 ? await run({ durationMs: WARM_MS * warmupRuns }) : null;
        log.noteEmitted(warm?.emitted ?? null);
        if (warm?.failed) throw new RunError(warm.failed);
        return withEmitted(await run(length), log.takeEmitted());
      } finally {
        context.signal.removeEventListener('abort', worker.interrupt);
        areKeysRemoved = (await worker.finish()) && areKeysRemoved;
        await worker.end();
      }
    });
    return { lost, keysRemoved: keysRemoved && areKeysRemoved };
  });
