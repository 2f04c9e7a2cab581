import { groupBy } from '../collections.js';
import { mean, sum } from '../descriptive-statistics.js';
import { asIs } from './metrics.js';

/** @import { CellResult, Run, Slice, Waits } from './types.js' */
/** @import { CpuLimited } from '../machine/types.js' */

/** A cell whose CPU still fell spent all but this part of its time elsewhere. */
const MOSTLY_ELSEWHERE = 0.25;

/**
 * Whether its CPU was still falling in each start, so that it cannot be compared. Without a warm-up, or in a smoke run, that
 * does not matter; nor in a cell that mostly waits for a distant server or does the application's work.
 * @param {Pick<CellResult, 'distance' | 'appWorkUs'>} cell @param {Run[]} all
 * @param {{warmupRuns: number, smoke: boolean}} settings
 */
export function neverWarmed({ distance, appWorkUs }, all, { warmupRuns, smoke }) {
  // Being kept awake changes what an operation costs.
  const runs = asIs(all);
  if (warmupRuns === 0 || smoke || runs.length === 0) return false;
  const starts = groupBy(runs, ({ start }) => start).map((own) => own.flatMap(slicesOf));
  // Chance makes 1 in 20 starts look like that, so a single one must fall by more.
  const by = starts.length === 1 ? PLAIN : NOTABLE;
  if (!starts.every((own) => stillWarming(own, by))) return false;
  const slices = runs.flatMap(slicesOf);
  const cpuMs = sum(slices.map(({ cpuUs }) => cpuUs)) / 1000;
  const waits = cpuMs < MOSTLY_ELSEWHERE * sum(slices.map(({ elapsedMs }) => elapsedMs));
  return !(waits && (distance !== undefined || appWorkUs > 0));
}

/** @param {Run} run @returns {Slice[]} */
export const slicesOf = ({ slices = [] }) => slices;

const PARTS = 3;
/** Chance puts all of fewer slices above all others too often. */
const FEWEST_IN_PART = 3;
/** Smaller falls hardly change a conclusion. */
const NOTABLE = 1.25;
/** Starts of redis:tuned without a warm-up fell by 1.7 times and more; chance seldom looks like that. */
const PLAIN = 1.6;

/**
 * Whether CPU per operation fell: each of the first slices took more than each of the last, and by a quarter on average. Other
 * programs slow slices down, but only warming up makes the first ones the worst; of equal starts 1 in 20 at most looks like that.
 * @param {Slice[]} slices of a start, in order @param {number} [by] so many times the CPU at first
 */
export function stillWarming(slices, by = NOTABLE) {
  const costs = slices.flatMap(({ cpuUs, operations }) =>
    cpuUs > 0 && operations > 0 ? [cpuUs / operations] : [],
  );
  const part = Math.max(FEWEST_IN_PART, Math.ceil(costs.length / PARTS));
  if (costs.length < 2 * part) return false;
  const [first, last] = [costs.slice(0, part), costs.slice(-part)];
  return Math.min(...first) > Math.max(...last) && mean(first) >= by * mean(last);
}

/** How much a cell waited for CPU that other programs used. @param {Run[]} runs @returns {Waits | null} null if unknown */
export function waitsOf(runs) {
  const slices = watchedSlices(runs);
  if (slices.length === 0) return null;
  const elapsedMs = sum(slices.map((slice) => slice.elapsedMs));
  const stolen = slices.flatMap((slice) =>
    slice.stolenMs === null ? [] : Math.min(slice.elapsedMs, slice.stolenMs),
  );
  return {
    slices: slices.length,
    disturbed: slices.filter(({ disturbed }) => disturbed).length,
    repeats: sum(slices.map(({ repeats }) => repeats)),
    waitedShare: sum(slices.map(waitedMsOf)) / elapsedMs,
    stolenShare: stolen.length === 0 ? null : sum(stolen) / elapsedMs,
  };
}

/** @param {Run[]} runs */
export const watchedSlices = (runs) => runs.flatMap(slicesOf).filter(({ waitedMs }) => waitedMs !== null);

/** Both may wait at once. @param {Slice} slice */
const waitedMsOf = ({ elapsedMs, waitedMs, serverWaitedMs }) =>
  Math.min(elapsedMs, (waitedMs ?? 0) + (serverWaitedMs ?? 0));

/** @param {Waits | null} [waits] */
export const isDisturbed = (waits) => waits != null && waits.disturbed > waits.slices / 2;

/**
 * A limit stops them for a part of a period. Where they waited much more than that, other programs were running.
 * @param {CpuLimited} limited @param {number} waitedShare
 */
export const explainsWaits = ({ throttled, periods }, waitedShare) => throttled / periods > waitedShare / 2;
