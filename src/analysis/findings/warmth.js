import { LEVEL } from '../statistics/interval.js';
import { welch } from '../statistics/t-test.js';
import { comparable } from './comparable.js';
import { coldStarts } from './warm-runs.js';

/**
 * @import { CellResult, Slice } from '../../results/types.js'
 * @import { Finding } from '../types.js'
 */

/** What falls by less than this would not change what is concluded. */
const NOTABLE = 1.1;
/** The first and the last of so many parts of a start are held against each other. */
const PARTS = 3;
const FEWEST_VALUES = 4;

/**
 * Cells that were not warm: those that the warm-up gave up on, and those whose CPU an operation still fell from
 * the first slices of a start to the last ones while they were timed.
 *
 * @param {CellResult[]} cells
 * @returns {Finding[]}
 */
export function warmthOf(cells) {
  const cold = cells.filter(({ warm, summary }) => warm === false && summary !== null);
  const measured = comparable(cells);
  const laterFaster = measured.flatMap((cell) => {
    const ratio = fallOf(cell, measured.length);
    return ratio === null ? [] : { cell: cell.id, ratio };
  });
  const leftOut = cells.flatMap(({ id, runs, warm }) => {
    const starts = warm === false ? 0 : coldStarts(runs).length;
    return starts === 0 ? [] : { cell: id, starts };
  });
  if (cold.length + laterFaster.length + leftOut.length === 0) return [];
  return [{ kind: 'not-warm', group: cells[0].group, cells: cold.map(({ id }) => id), laterFaster, leftOut }];
}

/**
 * @param {CellResult} cell
 * @param {number} comparisons
 * @returns {number | null} how many times as much CPU an operation took at first; null where no fall was shown
 */
function fallOf({ runs }, comparisons) {
  const starts = [...new Set(runs.map(({ start }) => start))].map((start) =>
    runs.filter((run) => run.start === start && run.failed === null).flatMap((run) => run.slices ?? []),
  );
  const part = (/** @type {Slice[]} */ slices) => Math.max(1, Math.floor(slices.length / PARTS));
  const several = starts.filter((slices) => slices.length > 1);
  const first = several.flatMap((slices) => slices.slice(0, part(slices)).flatMap(logCpu));
  const last = several.flatMap((slices) => slices.slice(-part(slices)).flatMap(logCpu));
  if (Math.min(first.length, last.length) < FEWEST_VALUES) return null;
  const { p, interval } = welch(first, last);
  const { low, high } = interval();
  const ratio = Math.exp((low + high) / 2);
  return ratio >= NOTABLE && p * comparisons <= 1 - LEVEL ? ratio : null;
}

/** @param {Slice} slice @returns {number[]} of a disturbed one nothing: its CPU is not its own */
const logCpu = ({ cpuUs, operations, disturbed }) =>
  disturbed || cpuUs <= 0 ? [] : [Math.log(cpuUs / operations)];
