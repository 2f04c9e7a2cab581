import { stillWarming } from '../analysis/findings/warm-runs.js';

/**
 * @import { CellRunner } from './run-cell.js'
 * @import { RunContext } from './types.js'
 */

/** A start that still falls after so many runs is left to the analysis. */
const MOST_TRIES = 3;

/**
 * Whether the slices that were just taken are warm-up, of all cells alike, because one still became faster. Decided
 * by the CPU of its operations, not by their time.
 *
 * @param {CellRunner[]} runners
 * @param {Pick<RunContext, 'settings' | 'signal'>} context
 * @param {number} tries
 */
export function isWarmUp(runners, { settings, signal }, tries) {
  const isToRepeat =
    tries <= MOST_TRIES &&
    settings.warmupRuns > 0 &&
    !signal.aborted &&
    settings.budgetMs === undefined &&
    runners.some((runner) => stillWarming(runner.slices()));
  if (isToRepeat) for (const runner of runners) runner.forget();
  return isToRepeat;
}
