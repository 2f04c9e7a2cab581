import { reachPercent } from '../../core/statistics/enough-runs.js';
import { LEVEL } from '../../core/statistics/interval.js';
import { welch } from '../../core/statistics/t-test.js';
import { about, foundIn } from './about.js';
import { comparable, slicesOf, startsOf } from './warm-runs.js';

/** @import { CellResult, ResultFacts, Slice } from '../../core/store/types.js' */
/** @import { Finding } from '../judge/types.js' */
/** @import { ComparedGroup } from './compare-group.js' */

/** The noise floor: starts of each cell compared with each other. @param {ComparedGroup} group @returns {Finding[]} */
export function controlOf({ comparison: { group, tested, ranking } }) {
  const { starts, tellsApart } = tested;
  if (starts === undefined || tellsApart === undefined) return [];
  return [{ kind: 'control', group, cells: ranking.map(({ cell }) => cell), starts, tellsApart }];
}

/** A smaller fall would not change a conclusion. */
const NOTABLE = 1.1;
const PARTS = 3;
const FEWEST_VALUES = 4;

/** Cells whose warm-up gave up, or whose CPU per operation fell while timed. @param {ComparedGroup} group @returns {Finding[]} */
export function notWarm({ cells }) {
  const cold = cells.filter(({ warm, summary }) => warm === false && summary !== null);
  const measured = comparable(cells);
  const laterFaster = measured.flatMap((cell) => {
    const ratio = shownFall(cell, measured.length);
    return ratio === null ? [] : { cell: cell.id, ratio };
  });
  if (cold.length + laterFaster.length === 0) return [];
  return [{ kind: 'not-warm', ...about(cold, cells[0].group), laterFaster }];
}

/** How many times the CPU an operation took at first, if a test shows it. @param {CellResult} cell @param {number} comparisons */
function shownFall({ runs }, comparisons) {
  const starts = startsOf(runs).map((start) =>
    runs.filter((run) => run.start === start && run.failed === null).flatMap(slicesOf),
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

/** The CPU of a disturbed slice is not its own. @param {Slice} slice @returns {number[]} */
const logCpu = ({ cpuUs, operations, disturbed }) =>
  disturbed || cpuUs <= 0 ? [] : [Math.log(cpuUs / operations)];

/** With fewer, intervals are wide and Mann-Whitney cannot claim anything. */
const FEW_RUNS = 5;

/** @param {CellResult[]} cells @param {Pick<ResultFacts['settings'], 'runs' | 'races' | 'untilStable'>} settings @returns {Finding[]} */
export function fewRuns(cells, { runs, races, untilStable }) {
  // A search repeats each rate until its runs agree; of faults all runs are reported.
  const counted = cells.filter(
    ({ summary, openLoop, fault }) => summary !== null && !openLoop?.search && fault === undefined,
  );
  if (races || untilStable !== null || runs >= FEW_RUNS || counted.length === 0) return [];
  return [{ kind: 'few-runs', ...about(counted), runs }];
}

/** @param {CellResult[]} cells of one group @param {Pick<ResultFacts['settings'], 'untilStable'>} settings @returns {Finding[]} */
export function unstable(cells, { untilStable }) {
  if (untilStable === null) return [];
  const reaches = cells.flatMap(({ id, runs, summary }) => {
    const percent = reachPercent(runs);
    if (!summary || summary.failedRuns > 0 || percent <= untilStable) return [];
    return { cell: id, percent: Number.isFinite(percent) ? percent : null };
  });
  return foundIn(reaches, { kind: 'unstable', limitPercent: untilStable, reaches }, cells[0].group);
}
