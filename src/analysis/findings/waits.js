import { sum } from 'simple-statistics';

/**
 * @import { Run, Slice } from '../../results/types.js'
 * @import { CellResult } from '../../results/types.js'
 * @import { Finding, Waits } from '../types.js'
 */

/**
 * How much a cell had to wait for processors that others used.
 *
 * @param {Run[]} runs
 * @returns {Waits | null} null where that is not known
 */
export function waitsOf(runs) {
  const slices = runs.flatMap((run) => run.slices ?? []).filter(({ waitedMs }) => waitedMs !== null);
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

/** @param {Slice} slice @returns {number} both may wait at once */
const waitedMsOf = ({ elapsedMs, waitedMs, serverWaitedMs }) =>
  Math.min(elapsedMs, (waitedMs ?? 0) + (serverWaitedMs ?? 0));

/** @param {Slice} slice @returns {number} milliseconds in which a side had no processor, at most */
export const withoutProcessorMs = (slice) =>
  Math.min(slice.elapsedMs, waitedMsOf(slice) + (slice.stolenMs ?? 0));

/** @param {Waits | null} waits @returns {boolean} whether a cell's figures are those of a busy machine */
export const isDisturbed = (waits) => waits !== null && waits.disturbed > waits.slices / 2;

/**
 * How busy others kept the machine.
 *
 * @param {CellResult[]} cells
 * @returns {Finding[]}
 */
export function disturbanceOf(cells) {
  const own = cells.filter(({ summary }) => summary?.waits);
  const runs = own.flatMap((cell) => cell.runs.filter(({ failed }) => failed === null));
  const waits = waitsOf(runs);
  if (waits === null) return [];
  return [
    {
      kind: 'disturbance',
      group: null,
      cells: own.filter(({ summary }) => isDisturbed(summary?.waits ?? null)).map(({ id }) => id),
      ...waits,
      server: serverIn(runs),
      isWhole: own.length === cells.filter(({ summary }) => summary !== null).length,
    },
  ];
}

/**
 * A relay on the server's processor keeps it waiting as a matter of course, so that its waits are not counted; those
 * of a server elsewhere are not known.
 *
 * @param {Run[]} runs
 * @returns {'all' | 'some' | 'none'}
 */
function serverIn(runs) {
  const slices = runs.flatMap((run) => run.slices ?? []).filter(({ waitedMs }) => waitedMs !== null);
  const known = slices.filter(({ serverWaitedMs }) => serverWaitedMs !== null).length;
  if (known === 0) return 'none';
  return known === slices.length ? 'all' : 'some';
}
