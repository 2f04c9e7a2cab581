import { RunError } from '../core/errors.js';
import { createRunnerApart, runApartAtDistance } from '../core/run/apart.js';
import { recordFailure, runOf } from '../core/run/cell-log.js';
import { createCellWorker } from '../core/worker/cell-worker.js';

/** @import { Cell } from '../core/plan/types.js' */
/** @import { GroupContext, RunContext } from '../benchmark/run/contexts.js' */

/** V8 has compiled what is hot by then. */
const WARM_MS = 300;

/** @param {Cell[]} cells @param {GroupContext} context */
export const runGroup = (cells, context) => runApartAtDistance(cells, context, createRunner);

/** Each run has processes of its own, since two starts may differ by luck. @param {Cell} cell @param {RunContext} context */
function createRunner(cell, context) {
  const { settings, signal } = context;
  const { iterations, durationMs, warmupRuns } = settings;
  const length = typeof iterations === 'number' ? { iterations } : { durationMs };
  const worker = createCellWorker(cell, context);
  let areKeysRemoved = true;
  /** @param {number} round */
  async function measure(round) {
    const when = { round, start: round };
    signal.addEventListener('abort', worker.interrupt);
    try {
      await worker.begin();
      const { facts, observe } = worker.current();
      const { connections, remarks, effectiveOptions } = facts;
      const asRun = (/** @type {Awaited<ReturnType<typeof observe>>} */ seen) =>
        runOf({ ...seen, connections, remarks }, when, cell, context);
      if (warmupRuns > 0) {
        const { failed } = asRun(await observe({ durationMs: WARM_MS * warmupRuns }));
        if (failed !== null) throw new RunError(failed);
      }
      const run = asRun(await observe(length));
      return { run, known: { effectiveOptions } };
    } finally {
      signal.removeEventListener('abort', worker.interrupt);
      areKeysRemoved = (await worker.finish()) && areKeysRemoved;
      await worker.end();
    }
  }
  const { log, ...runner } = createRunnerApart(cell, context, measure, (error, when) =>
    recordFailure(error, when, log, context),
  );
  return { ...runner, areKeysRemoved: () => areKeysRemoved };
}
