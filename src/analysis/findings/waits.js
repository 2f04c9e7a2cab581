import { sum } from 'simple-statistics';
import { about } from './about.js';
import { slicesOf } from './warm-runs.js';

/** @import { CellResult, Run, Slice } from '../../results/types.js' */
/** @import { Finding, Waits } from '../types.js' */

/**
 * How much a cell had to wait for processors that others used.
 * @param {Run[]} runs @returns {Waits | null} null where that is not known
 */
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

/** @param {Run[]} runs @returns {Slice[]} in which it is known how long the worker waited */
const watchedSlices = (runs) => runs.flatMap(slicesOf).filter(({ waitedMs }) => waitedMs !== null);

/** @param {Slice} slice @returns {number} both may wait at once */
const waitedMsOf = ({ elapsedMs, waitedMs, serverWaitedMs }) =>
  Math.min(elapsedMs, (waitedMs ?? 0) + (serverWaitedMs ?? 0));

/** @param {Slice} slice @returns {number} milliseconds in which a side had no processor, at most */
export const withoutProcessorMs = (slice) =>
  Math.min(slice.elapsedMs, waitedMsOf(slice) + (slice.stolenMs ?? 0));

/** @param {Waits | null} [waits] @returns {boolean} whether a cell's figures are those of a busy machine */
export const isDisturbed = (waits) => waits != null && waits.disturbed > waits.slices / 2;

/** How busy others kept the machine. @param {CellResult[]} cells @returns {Finding[]} */
export function disturbanceOf(cells) {
  const own = cells.filter(({ summary }) => summary?.waits);
  const runs = own.flatMap((cell) => cell.runs.filter(({ failed }) => failed === null));
  const waits = waitsOf(runs);
  if (waits === null) return [];
  return [
    {
      kind: 'disturbance',
      ...about(own.filter(({ summary }) => isDisturbed(summary?.waits))),
      ...waits,
      server: serverIn(runs),
      isWhole: own.length === cells.filter(({ summary }) => summary !== null).length,
    },
  ];
}

/**
 * A relay on the server's processor keeps it waiting as a matter of course, so that its waits are not counted; those
 * of a server elsewhere are not known.
 * @param {Run[]} runs @returns {'all' | 'some' | 'none'}
 */
function serverIn(runs) {
  const slices = watchedSlices(runs);
  const known = slices.filter(({ serverWaitedMs }) => serverWaitedMs !== null).length;
  if (known === 0) return 'none';
  return known === slices.length ? 'all' : 'some';
}

/**
 * What a map takes of a run: others at work make a run slower by far more than what choices differ by. Which slices
 * those are is decided by who was without a processor, never by their result.
 * @param {Run} run @returns {Slice[]} all of them where most are disturbed; none where the run was not divided
 */
export function undisturbed({ slices = [] }) {
  const own = slices.filter(({ disturbed }) => !disturbed);
  return own.length * 2 >= slices.length ? own : slices;
}

/** @param {Run} run */
export const startOf = ({ start = 1 }) => start;

/**
 * The starts of a point that count. One in which a choice was disturbed for most of its run tells of the machine, so
 * it is left for another; but where most starts are like that, the machine is, and all count.
 * @param {Run[][]} cells the runs of each @returns {number[]} the first one at least
 */
export function countedStarts(cells) {
  const runs = cells.flat();
  const starts = [...new Set(runs.map(startOf))].sort((a, b) => a - b);
  const loud = runs.filter((run) => isDisturbed(waitsOf([run]))).map(startOf);
  const quiet = starts.filter((start) => !loud.includes(start));
  return quiet.length * 2 >= starts.length ? quiet : starts;
}
