import { isDisturbed, waitsOf } from './waits.js';

/** @import { Run, Slice } from '../../results/types.js' */

/**
 * What a map takes of a run: others at work make a run slower by far more than what choices differ by. Which slices
 * those are is told by who was without a processor, never by their result.
 *
 * @param {Run} run
 * @returns {Slice[]} all of them where most are disturbed; none where the run was not divided
 */
export function undisturbed({ slices = [] }) {
  const own = slices.filter(({ disturbed }) => !disturbed);
  return own.length * 2 >= slices.length ? own : slices;
}

/**
 * The starts of a point that count. One in which a choice was disturbed for most of its run tells of the machine, so
 * it is left for another; but where most starts are like that, the machine is, and all count.
 *
 * @param {Run[][]} cells the runs of each
 * @returns {number[]} the first one at least
 */
export function countedStarts(cells) {
  const runs = cells.flat();
  const starts = [...new Set(runs.map(({ start = 1 }) => start))].sort((a, b) => a - b);
  const quiet = starts.filter((own) =>
    runs.every((run) => (run.start ?? 1) !== own || !isDisturbed(waitsOf([run]))),
  );
  return quiet.length * 2 >= starts.length ? quiet : starts;
}
