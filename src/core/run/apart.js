import { openDistances } from '../relay/measure-distance.js';
import { createCellLog } from './cell-log.js';
import { createOrders } from './orders.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Run } from '../store/types.js' */
/** @import { CellLog, KnownOfCell, When } from './cell-log.js' */
/** @import { GroupContext, RunContext } from '../../benchmark/run/contexts.js' */
/** @import { GroupOutcome } from '../../benchmark/run/types.js' */

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

/** Each run starts all it needs. @param {RunnerApart[]} runners @param {GroupContext} context @returns {Promise<GroupOutcome>} */
export async function runApart(runners, context) {
  const { settings, signal, onEvent } = context;
  let lost = null;
  try {
    for (const [index, order] of createOrders(runners, settings.runs, settings.seed).entries()) {
      for (const runner of order) if (!signal.aborted) await runner.run(index + 1);
      if (!signal.aborted) onEvent({ type: 'round-end', round: index + 1 });
    }
  } catch (error) {
    lost = error;
  }
  await Promise.all(runners.map((runner) => runner.end()));
  const keysRemoved = lost === null && !signal.aborted && runners.every((runner) => runner.areKeysRemoved());
  return { lost, keysRemoved };
}

/**
 * The same with a relay for those that are at a distance.
 * @param {Cell[]} cells of a group @param {GroupContext} context
 * @param {(cell: Cell, context: RunContext) => RunnerApart} createRunner @returns {Promise<GroupOutcome>}
 */
export async function runApartAtDistance(cells, context, createRunner) {
  const relays = await openDistances(cells, context);
  try {
    const runners = cells.map((cell) => {
      const place = context.placeOf(cell);
      return createRunner(cell, { ...context, ...place, distant: relays.get(place.server) ?? null });
    });
    return await runApart(runners, context);
  } finally {
    await Promise.all([...relays.values()].map((relay) => relay.end()));
  }
}
