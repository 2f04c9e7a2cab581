/** What there is time for: the states of processors, warm-ups, cells, and how long the rest takes. */
import { sum } from 'simple-statistics';
import { MEASURING } from '../../../method.js';
import { batchSizeOf } from '../../../run/plan/loads.js';
import { inRun, nearBest, statesOf } from './rounds.js';
import { FULL_WARM_UP } from './run-length.js';

/** @import { GroupContext } from '../../../run/types.js' */
/** @import { Racer, Turn } from '../run-group.js' */

/**
 * Unless the user wants both states of the processors, only where there is time for enough starts that have both.
 * @param {Turn} turn @param {GroupContext} context @returns {GroupContext}
 */
export function chooseCpuStates({ racers, leftMs }, { idlePrevention, ...context }) {
  const { startMs, warmUpMs, runs, runTimeMs, expectedNear, degrees, slower } = MEASURING;
  const eachMs = (/** @type {boolean[]} */ states) =>
    startMs + warmUpMs + statesOf(runs, states).length * runTimeMs * slower;
  const near = Math.max(2, racers.length * expectedNear);
  const laterStarts = Math.ceil(degrees / (near - 1));
  const needMs =
    eachMs(idlePrevention.states.slice(0, 1)) * racers.length +
    eachMs(idlePrevention.states) * laterStarts * near;
  const both = context.settings.cpus !== undefined || needMs <= leftMs();
  return {
    ...context,
    idlePrevention: both ? idlePrevention : { ...idlePrevention, states: idlePrevention.states.slice(0, 1) },
  };
}

/**
 * The part of the usual time that a warm-up takes, less where the user's time is short, for cells must be measured, too; and how
 * many times as long it may take beside other programs.
 * @param {Turn} turn @param {number} cells of this start @param {GroupContext} context
 */
export function warmUpTime({ planned, leftMs, starts }, cells, { settings, idlePrevention }) {
  const { runTimeMs, runs, patience, fewTakeLonger, warmUpShare } = MEASURING;
  const isStrict = settings.budgetMs !== undefined;
  if (!isStrict && planned !== 'race') return FULL_WARM_UP;
  const warmUpMs = MEASURING.warmUpMs * settings.warmupRuns;
  const eachMs = leftMs() / cells;
  const isShort = isStrict && starts === 1;
  const inTime = eachMs / (warmUpMs + statesOf(runs, idlePrevention.states).length * runTimeMs);
  const part = isShort ? Math.min(1, Math.max(1 / 4, inTime)) : 1;
  const inShare = (eachMs * warmUpShare) / (warmUpMs * part);
  return { part, patience: Math.min(patience, Math.max(fewTakeLonger, inShare)) };
}

/**
 * Why no further cell can be measured: a run of each that is warm would take longer than there is time, with a warm-up and a run
 * of another, which is a batch each at least.
 * @param {Turn} turn @param {number} budgetMs of the user @param {GroupContext} context
 */
export function tooLong({ racers, leftMs }, budgetMs, { catalogue }) {
  const batchesMs = racers.flatMap(({ cell, perMs }) =>
    perMs ? (batchSizeOf(cell.chosen.pipelining, catalogue) ?? 1) / perMs : [],
  );
  if (batchesMs.length === 0) return null;
  const [ofWarm, ofAnother] = [sum(batchesMs), 2 * Math.max(...batchesMs)];
  if (ofWarm + ofAnother <= leftMs()) return null;
  const ofOthers = (racers.length - batchesMs.length) * Math.max(ofAnother, MEASURING.leastStartMs);
  const needMs = budgetMs + ofWarm + ofOthers - leftMs();
  return /** @type {const} */ ({ kind: 'no-time', budgetMs, needMs });
}

/**
 * Once a start is warm, it is known how long it takes.
 * @param {Turn} turn @param {number} runs of this start @param {number} warmMs that it took until now @param {GroupContext} context
 * @returns {number} ms
 */
export function timeLeft({ racers, planned, leftMs, starts }, runs, warmMs, { settings, idlePrevention }) {
  const isStrict = settings.budgetMs !== undefined;
  const states = statesOf(runs, idlePrevention.states, starts);
  const runsMs = (/** @type {Racer[]} */ some) =>
    sum(
      states
        .flatMap((_, run) => inRun(run, states, some, { planned, starts }))
        .map(({ runMs, slices }) => Number(runMs) + slices * MEASURING.betweenMs),
    );
  // With the user's budget, a start ends with a run of each cell once the time is over.
  const leastMs = runsMs(racers) / (isStrict ? states.length : 1);
  if (planned !== 'race') {
    const later = planned.length - starts;
    const needMs = runsMs(racers) * (1 + later) + warmMs * later;
    return isStrict ? Math.min(needMs, Math.max(leftMs(), leastMs)) : needMs;
  }
  // A second start of two cells is worth more than the default time.
  const near = nearBest(racers);
  const eachMs = warmMs / racers.length + runsMs(near) / near.length;
  const secondMs = isStrict || starts > 1 ? 0 : 2 * eachMs;
  return Math.max(leftMs(), leastMs + secondMs);
}
