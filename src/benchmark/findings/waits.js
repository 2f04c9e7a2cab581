import { sum } from 'simple-statistics';
import { about } from './about.js';
import { slicesOf } from './warm-runs.js';

/** @import { CpuLimited } from '../../core/machine/types.js' */
/** @import { CellResult, Run, Slice } from '../../core/store/types.js' */
/** @import { Finding, Waits } from '../judge/types.js' */

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
const watchedSlices = (runs) => runs.flatMap(slicesOf).filter(({ waitedMs }) => waitedMs !== null);

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

/** @param {CellResult[]} cells @param {CpuLimited} [limited] @returns {Finding[]} */
export function disturbanceOf(cells, limited) {
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
      ...(limited && explainsWaits(limited, waits.waitedShare) && { limitedTo: limited.limitedTo }),
      isWhole: own.length === cells.filter(({ summary }) => summary !== null).length,
    },
  ];
}

/**
 * Waits of a server next to a relay are not counted; those of a remote one are unknown.
 * @param {Run[]} runs @returns {'all' | 'some' | 'none'}
 */
function serverIn(runs) {
  const slices = watchedSlices(runs);
  const known = slices.filter(({ serverWaitedMs }) => serverWaitedMs !== null).length;
  if (known === 0) return 'none';
  return known === slices.length ? 'all' : 'some';
}
