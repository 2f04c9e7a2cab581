import { withAdvice } from '../causes.js';
import { messageOf } from '../errors.js';
import { createRounds } from '../plan/rounds.js';
import { failedRun } from '../results/run-record.js';
import { createCellLog } from './cell-log.js';
import { runWithFault } from './run-with-fault.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { GroupContext, GroupOutcome } from './types.js'
 */

/** Later than this, it is another run than the one that was asked for: the target is a tenth of a picture's column. */
const STRIKES_WITHIN_MS = 20;

/**
 * Runs a group in whose runs something breaks: round by round, each run with processes and a server of its own.
 *
 * @param {Cell[]} cells
 * @param {GroupContext} context
 * @returns {Promise<GroupOutcome>}
 */
export async function runFaultGroup(cells, context) {
  const { settings, signal, onEvent } = context;
  const members = cells.map((cell) => ({ cell, log: createCellLog(cell, context.record) }));
  let keysRemoved = true;
  for (const [index, order] of createRounds(members, settings.runs, settings.seed).entries()) {
    for (const member of order) {
      if (signal.aborted) return { lost: null, keysRemoved: false };
      keysRemoved = (await runOne(member, index + 1, context)) && keysRemoved;
    }
    onEvent({ type: 'round-end', round: index + 1 });
  }
  return { lost: null, keysRemoved };
}

/**
 * @param {{cell: Cell, log: ReturnType<typeof createCellLog>}} member
 * @param {number} round
 * @param {GroupContext} context
 * @returns {Promise<boolean>} whether its keys are removed for certain
 */
async function runOne({ cell, log }, round, context) {
  const { signal, onEvent } = context;
  onEvent({ type: 'run', cell, round });
  try {
    const { run, effectiveOptions } = await runWithFault(cell, round, context);
    if (round === 1) {
      log.facts.effectiveOptions = effectiveOptions;
      log.recordFacts();
    }
    const lateMs = run.fault?.struckLateMs ?? 0;
    const warnings =
      lateMs <= STRIKES_WITHIN_MS
        ? []
        : [`the fault struck ${Math.round(lateMs)} ms later than it was meant to: this machine was busy`];
    log.keep({ ...run, warnings });
    onEvent({ type: 'run-end', cell, round, run });
    if (run.failed !== null) onEvent({ type: 'failure', cell, message: run.failed });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    const reason = withAdvice(messageOf(error));
    log.keep(failedRun({ round, start: round }, reason));
    onEvent({ type: 'failure', cell, message: reason });
    return false;
  }
}
