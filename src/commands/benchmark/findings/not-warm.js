import { groupBy } from '../../../collections.js';
import { count } from '../../../numbers.js';
import { said, times } from '../../../report/figures.js';
import { LEVEL } from '../../../statistics/interval.js';
import { welch } from '../../../statistics/student.js';
import { slicesOf } from '../../../store/slices.js';
import { comparable } from '../judge/compare-group.js';
import { about } from '../judge/no-verdict.js';

/** @import { CellResult, Slice } from '../../../store/types.js' */
/** @import { FindingFile } from './definitions.js' */

/** A smaller fall would not change a conclusion. */
const NOTABLE = 1.1;
const PARTS = 3;
const FEWEST_VALUES = 4;
/** With 3,000 iterations of 64 tasks redis:tuned took up to 1.28 times the CPU of a bare loop, with 30,000 at most 1.05. */
const LONGER = 10;

/** What was not warm when it was timed. @satisfies {FindingFile<'not-warm'>} */
export default {
  id: 'not-warm',
  place: 'warning',

  find: ({ groups }) =>
    groups.flatMap(({ cells }) => {
      const cold = cells.filter(({ warm, summary }) => warm === false && summary !== null);
      const measured = comparable(cells);
      const laterFaster = measured.flatMap((cell) => {
        const ratio = shownFall(cell, measured.length);
        return ratio === null ? [] : { cell: cell.id, ratio };
      });
      return cold.length + laterFaster.length === 0 ? [] : [{ ...about(cold, cells[0].group), laterFaster }];
    }),

  say({ cells, laterFaster }, { name, settings: { iterations } }) {
    const [most] = laterFaster.toSorted((a, b) => b.ratio - a.ratio);
    const advice =
      typeof iterations === 'number' ? `--iterations ${LONGER * iterations}` : 'more --warmup-runs';
    return said([
      cells.length > 0 &&
        `not warm after the longest warm-up, so not compared: ${count(cells.length, 'cell')}; use more --warmup-runs`,
      most !== undefined &&
        `${name(most.cell)} was still getting faster (${times(most.ratio)} the CPU per operation at first); use ${advice}`,
    ]);
  },
};

/** How many times the CPU an operation took at first, if a test shows it. @param {CellResult} cell @param {number} comparisons */
function shownFall({ runs }, comparisons) {
  const good = runs.filter(({ failed }) => failed === null);
  const starts = groupBy(good, ({ start }) => start).map((runs) => runs.flatMap(slicesOf));
  const third = (/** @type {Slice[]} */ slices) => Math.max(1, Math.floor(slices.length / PARTS));
  const several = starts.filter((slices) => slices.length > 1);
  const first = several.flatMap((slices) => slices.slice(0, third(slices)).flatMap(logCpu));
  const last = several.flatMap((slices) => slices.slice(-third(slices)).flatMap(logCpu));
  if (Math.min(first.length, last.length) < FEWEST_VALUES) return null;
  const { p, interval } = welch(first, last);
  const { low, high } = interval();
  const ratio = Math.exp((low + high) / 2);
  return ratio >= NOTABLE && p * comparisons <= 1 - LEVEL ? ratio : null;
}

/** @type {(slice: Slice) => number[]} */
const logCpu = ({ cpuUs, operations, disturbed }) =>
  disturbed || cpuUs <= 0 ? [] : [Math.log(cpuUs / operations)];
