import { mean, sum } from 'simple-statistics';

/** @import { CellResult, Run, Slice } from '../../results/types.js' */
/** @import { MeasuredCell } from './compare-group.js' */

/** @param {Run[]} runs of a cell @returns {Run[]} those of starts that were warm; all of them where no start was */
export function warmRuns(runs) {
  const cold = coldStarts(runs);
  const warm = cold.length === 0 ? runs : runs.filter(({ start }) => !cold.includes(start));
  return warm.length === 0 ? runs : warm;
}

/** A cell whose CPU still fell spent all but this part of its time elsewhere: more would show in its figures. */
const MOSTLY_ELSEWHERE = 0.25;

/**
 * What becomes of a cell whose CPU still fell when its warm-up had to end, or while its runs were timed. Where nobody
 * wanted a warm-up, a cold process is the question. A cell that mostly waits for a distant server, or mostly does the
 * application's work, can be compared all the same.
 * @param {Pick<CellResult, 'distance' | 'appWorkUs'>} cell
 * @param {{isFalling: boolean, cpuMs: number, elapsedMs: number}} seen
 * @param {{warmupRuns: number, smoke: boolean}} settings the figures of a smoke run mean nothing, cold or warm
 * @returns {'warm' | 'waits' | 'cold'} a cold one is not compared
 */
export function warmthOf({ distance, appWorkUs }, { isFalling, cpuMs, elapsedMs }, { warmupRuns, smoke }) {
  if (!isFalling || warmupRuns === 0 || smoke) return 'warm';
  const isElsewhere = distance !== undefined || appWorkUs > 0;
  return isElsewhere && cpuMs < MOSTLY_ELSEWHERE * elapsedMs ? 'waits' : 'cold';
}

/**
 * Of a cell's runs, for `warmthOf`. They fell where no start was warm. By chance 1 in 20 starts looks cold: too many for
 * all that is known of a cell to depend on one, so its only start must have fallen by more.
 * @param {Run[]} runs
 */
export function fallOf(runs) {
  const starts = startsOf(runs);
  const slices = runs.flatMap(slicesOf);
  return {
    isFalling:
      runs.length > 0 && coldStarts(runs, starts.length === 1 ? PLAIN : NOTABLE).length === starts.length,
    cpuMs: sum(slices.map(({ cpuUs }) => cpuUs)) / 1000,
    elapsedMs: sum(slices.map(({ elapsedMs }) => elapsedMs)),
  };
}

/**
 * @param {Run[]} runs of a cell @param {number} [by] so many times the CPU at first
 * @returns {Run['start'][]} starts that still warmed up while they were timed
 */
export const coldStarts = (runs, by = NOTABLE) =>
  startsOf(runs).filter((start) =>
    stillWarming(runs.filter((run) => run.start === start).flatMap(slicesOf), by),
  );

/** @param {Run} run @returns {Slice[]} none where it was not divided */
export const slicesOf = ({ slices = [] }) => slices;

/** @param {Run[]} runs */
export const startsOf = (runs) => [...new Set(runs.map(({ start }) => start))];

/**
 * @param {CellResult[]} cells
 * @returns {MeasuredCell[]} those that were warm, with the runs of their warm starts, and whose runs were long enough
 *   to mean something
 */
export const comparable = (cells) =>
  cells.flatMap((cell) =>
    cell.summary && !cell.summary.tooShort && cell.warm !== false
      ? [{ ...cell, runs: warmRuns(cell.runs), summary: cell.summary }]
      : [],
  );

/** Nearer ones may be equal: on a busy machine starts of one cell differ by as much. */
const FAR_AHEAD = 2;

/**
 * Cells that were not warm are not compared, but warmer they would only be faster.
 * @param {{cells: CellResult[], ranked: MeasuredCell[]}[]} groups
 * @returns {CellResult[]} those far ahead of all of their group that were warm
 */
export const aheadThoughCold = (groups) =>
  groups.flatMap(({ cells, ranked: [fastest] }) =>
    cells.filter(
      ({ floor, warm, summary }) =>
        warm === false &&
        !floor &&
        summary &&
        !summary.tooShort &&
        summary.opsPerSecond > FAR_AHEAD * (fastest?.summary.opsPerSecond ?? Number.POSITIVE_INFINITY),
    ),
  );

/** The first and the last of so many parts are compared. */
const PARTS = 3;
/** With fewer slices in a part, chance puts all of one part above all of the other too often. */
const FEWEST_IN_PART = 3;
/** What falls by less changes no conclusion by much. */
const NOTABLE = 1.25;
/** Starts of redis:tuned that were not warm fell by 1.7 times and more; chance seldom looks like that. */
const PLAIN = 1.6;

/**
 * Whether the CPU of an operation still fell while a start was timed: each of its first slices took more than each
 * of the last ones, and by a quarter on average. Beside other programs all slices take longer, and some take more
 * CPU; but only warming up makes the first ones the worst, and of equal starts 1 in 20 at most looks like that.
 * @param {Slice[]} slices of a start, in their order @param {number} [by] so many times the CPU at first
 * @returns {boolean} false where there are too few of them to tell
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
