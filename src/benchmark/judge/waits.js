import { sum } from 'simple-statistics';
import { slicesOf } from './warm-runs.js';

/** @import { CpuLimited } from '../../core/machine/types.js' */
/** @import { Run, Slice } from '../../core/store/types.js' */
/** @import { Waits } from './types.js' */

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

/** Whether its figures are those of a busy machine. @param {Waits | null} [waits] */
export const isDisturbed = (waits) => waits != null && waits.disturbed > waits.slices / 2;

/**
 * A limit stops them for a part of a period. Where they waited much more than that, other programs were running.
 * @param {CpuLimited} limited @param {number} waitedShare
 */
export const explainsWaits = ({ throttled, periods }, waitedShare) => throttled / periods > waitedShare / 2;
