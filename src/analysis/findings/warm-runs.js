import { stillWarming } from '../statistics/warming.js';

/** @import { Run } from '../../results/types.js' */

/**
 * @param {Run[]} runs of a cell
 * @returns {Run[]} those of starts that were warm; all of them where no start was
 */
export function warmRuns(runs) {
  const cold = coldStarts(runs);
  const warm = cold.length === 0 ? runs : runs.filter(({ start }) => !cold.includes(start));
  return warm.length === 0 ? runs : warm;
}

/** @param {Run[]} runs of a cell @returns {boolean} whether no start of them was warm */
export const areCold = (runs) => runs.length > 0 && coldStarts(runs).length === startsOf(runs).length;

/** @param {Run[]} runs of a cell @returns {Run['start'][]} starts that still warmed up while they were timed */
export const coldStarts = (runs) =>
  startsOf(runs).filter((start) =>
    stillWarming(runs.flatMap((run) => (run.start === start ? (run.slices ?? []) : []))),
  );

/** @param {Run[]} runs */
const startsOf = (runs) => [...new Set(runs.map(({ start }) => start))];
