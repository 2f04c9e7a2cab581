/** How cells are warmed up: in turn, until they are warm or so far behind that it does not matter. */
import { MEASURING } from '../../method.js';
import { learn, standingOf, tooLong } from './policy/starts.js';
import { FULL_WARM_UP, nextWindowMs, perMsIn, warmUpTime } from './policy/warm-up.js';

/** @import { GroupContext } from '../../run/types.js' */
/** @import { State } from './policy/starts.js' */
/** @import { WarmUpTime, Window } from './policy/warm-up.js' */
/** @import { CellRunner } from './run-cell.js' */
/** @import { Turn } from './visit.js' */

/** A window that shows so much less than the warm-up is looked at twice; of the machine as it is, some clients do. */
const SUSPICIOUS_DROP = 2;

const SETTLING = { part: MEASURING.settlePart, patience: MEASURING.fewTakeLonger };

/** Whether the tool finds how many iterations a run has. @param {GroupContext} context */
export const isSized = ({ settings }) => settings.durationMs === undefined && settings.iterations === 'auto';

/**
 * In rounds of a few windows each, so that none has cooled down when the last is warm, and what is far behind is known early.
 * @param {Turn} turn
 * @param {State} asked
 * @param {CellRunner[]} order
 * @param {number} at which condition
 * @returns {Promise<State>}
 */
export async function warmUpAll({ context, leftMs }, asked, order, at) {
  const { settings, idlePrevention, signal } = context;
  const isFirst = asked.starts === 1;
  const isFar = (order[0]?.cell.distance?.rttMs ?? 0) > 0;
  const time = warmUpTime(asked, order.length, { settings, states: idlePrevention.states, isFar });
  const isNeeded = settings.warmupRuns > 0 || (isFirst && isSized(context));
  let state = asked;
  let skipped = null;
  let warming = order.map((runner) => ({ runner, warmUp: warmUpOf(runner, context, time) }));
  while (warming.length > 0 && !signal.aborted) {
    const unfinished = [];
    for (const each of warming) {
      const { runner, warmUp } = each;
      if (isFirst && settings.budgetMs !== undefined)
        skipped ??= tooLong(state.conditions[at], leftMs(), settings.budgetMs);
      if (skipped !== null && warmUp.perMs() === null) runner.leaveOut(skipped);
      if (!isNeeded || signal.aborted) continue;
      // Only in a race is a cell that is far behind left with its row.
      const known = state.planned === 'race' ? state.conditions[at].cells : [];
      const isWarm = await warmUp.further(Math.max(0, ...known.map(({ perMs }) => Number(perMs))));
      const perMs = warmUp.perMs();
      if (perMs !== null) state = learn(state, runner.cell.id, { perMs });
      if (!isWarm) {
        unfinished.push(each);
        continue;
      }
      runner.warmed();
      if (isFirst) emitWarmed(runner, state, context);
    }
    warming = unfinished;
  }
  return state;
}

/**
 * @param {CellRunner} runner
 * @param {GroupContext} context
 * @param {WarmUpTime} [time]
 */
export function warmUpOf(runner, { settings, signal }, time = FULL_WARM_UP) {
  /** @type {Window[]} */
  const windows = [];
  let tookMs = 0;
  return {
    /** @returns {number | null} iterations of one task in a millisecond; null if nothing is known yet, or it failed */
    perMs: () => (windows.length === 0 ? null : perMsIn(windows)),

    /**
     * Some windows more.
     * @param {number} [bestPerMs] of the cells that are known
     * @returns {Promise<boolean>} whether the cell needs no more
     */
    async further(bestPerMs = 0) {
      for (let taken = 0; taken < MEASURING.hopelessWindows; taken++) {
        const durationMs = nextWindowMs(windows, { ...time, settings }, tookMs, bestPerMs);
        if (durationMs === null || signal.aborted) return true;
        const startedMs = performance.now();
        const window = await runner.warmUp({ durationMs });
        tookMs += performance.now() - startedMs;
        if (window === undefined) {
          windows.length = 0;
          return true;
        }
        windows.push(window);
      }
      return false;
    },
  };
}

/**
 * The heaps of cells shrank and their code left the caches while others warmed up, or they come from another condition; the first
 * time, this sizes their runs.
 * @param {Turn} turn
 * @param {State} asked
 * @param {CellRunner[]} order
 * @returns {Promise<State>}
 */
export async function rewarm({ context }, asked, order) {
  const { settings, idlePrevention } = context;
  if (settings.warmupRuns === 0 || settings.smoke) return asked;
  const found = await takeWindows(order, asked, context);
  if (asked.starts > 1) return asked;
  const warmOf = (/** @type {CellRunner} */ runner) => standingOf(asked, runner.cell.id).perMs;
  // A stall in one window would make runs too short, and what is near the best look far behind.
  const isDoubtful = (/** @type {CellRunner} */ runner) =>
    Number(found.get(runner)) < Number(warmOf(runner)) / SUSPICIOUS_DROP;
  const again = await takeWindows(order.filter(isDoubtful), asked, context);
  const wasAwake = idlePrevention.states.length > 1;
  let state = asked;
  for (const runner of order) {
    const all = [found.get(runner), again.get(runner), wasAwake ? null : warmOf(runner)];
    const perMs = Math.max(...all.map(Number).filter(Boolean), 0) || warmOf(runner);
    state = learn(state, runner.cell.id, { perMs });
    if (wasAwake || warmOf(runner) === null) emitWarmed(runner, state, context);
  }
  return state;
}

/**
 * In another condition, or from a distance, other code runs, and operations take up to five times the CPU in the first 150 ms. So what
 * is near the best may look that far behind at first.
 * @param {Turn} turn
 * @param {State} asked
 * @param {CellRunner[]} order
 * @returns {Promise<State>}
 */
export async function settle({ context }, asked, order) {
  const { settings, signal } = context;
  if (settings.warmupRuns === 0 || settings.smoke) return asked;
  const perMsOf = (/** @type {CellRunner} */ { cell }) => Number(standingOf(asked, cell.id).perMs);
  const least = Math.max(...order.map(perMsOf)) / MEASURING.hopeless;
  let state = asked;
  for (const runner of order) {
    if (signal.aborted) break;
    if (perMsOf(runner) < least) continue;
    const warmUp = warmUpOf(runner, context, SETTLING);
    await warmUp.further();
    const perMs = warmUp.perMs();
    if (asked.starts === 1 && perMs !== null) state = learn(state, runner.cell.id, { perMs });
  }
  return state;
}

/** @param {CellRunner} runner @param {State} state @param {GroupContext} context */
export function emitWarmed(runner, state, { onEvent }) {
  const { perMs } = standingOf(state, runner.cell.id);
  if (perMs) onEvent({ type: 'warmed', cell: runner.cell, perMs });
}

/** @param {CellRunner[]} runners @param {State} state @param {GroupContext} context @returns {Promise<Map<CellRunner, number>>} iterations of a task in a millisecond */
export async function takeWindows(runners, state, { signal }) {
  const found = new Map();
  for (const runner of runners) {
    if (signal.aborted) break;
    const { perMs, batchSize } = standingOf(state, runner.cell.id);
    // One that takes long has settled all.
    if (perMs !== null && perMs * MEASURING.windowMs < batchSize) continue;
    const window = await runner.warmUp({ durationMs: MEASURING.windowMs });
    if (window !== undefined) found.set(runner, perMsIn([window]));
  }
  return found;
}
