import { createCellLog } from './cell-log.js';

/** @import { Cell } from '../../core/plan/types.js' */
/** @import { Run } from '../../core/store/types.js' */
/** @import { CellLog, KnownOfCell, When } from './cell-log.js' */
/** @import { GroupContext } from './contexts.js' */

/** @typedef {Omit<ReturnType<typeof createRunnerApart>, 'log'> & {areKeysRemoved: () => boolean}} RunnerApart */

/**
 * Nothing is sliced, warmed or repeated, because each run starts all it needs.
 * @param {Cell} cell @param {Pick<GroupContext, 'record' | 'onEvent' | 'signal'>} context
 * @param {(round: number) => Promise<{run: Run, known: Partial<KnownOfCell>}>} measure
 * @param {(error: unknown, when: When, log: CellLog) => unknown} onError records why there was no run
 */
export function createRunnerApart(cell, context, measure, onError) {
  const { signal, onEvent } = context;
  const log = createCellLog(cell, context);
  return {
    cell,
    log,
    /** @param {number} round */
    async run(round) {
      onEvent({ type: 'run', cell, round });
      try {
        const { run, known } = await measure(round);
        if (round === 1) {
          log.learn(known);
          log.recordKnown();
        }
        log.keep(run);
        onEvent({ type: 'run-end', cell, round, run });
        if (run.failed !== null) onEvent({ type: 'failure', cell, message: run.failed });
      } catch (error) {
        if (!signal.aborted) await onError(error, { round, start: round }, log);
      }
    },
    async end() {},
  };
}
