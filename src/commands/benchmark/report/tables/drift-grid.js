import { median } from '../../../../descriptive-statistics.js';
import { duration, micro, said, whole } from '../../../../report/figures.js';
import { gridOf } from '../../../../report/grid.js';

/** @import { Grid } from '../../../../report/types.js' */
/** @import { CellResult, Report, Run } from '../../../../store/types.js' */
/** @import { HeadedGroup } from './rows.js' */

/** A tenth of fewer is a run or two. */
const MANY_RUNS = 20;

/** Whether the user asked for so many runs to see what changes. @param {{runs: unknown, races?: unknown}} settings */
export const isLong = ({ runs, races }) => !races && Number(runs) > MANY_RUNS;

export const DRIFT = 'medians of the first tenth of the runs → of the last tenth';

/** @typedef {{title: string, of: (run: Run) => number | null | undefined, text: (value: number) => string}} Figure */

/** @type {Figure[]} */
const FIGURES = [
  { title: 'p99', of: ({ latency }) => latency?.p99Us, text: duration },
  { title: 'CPU/op', of: ({ client }) => client?.cpuUsPerOp, text: micro },
  { title: 'MB', of: ({ client }) => client?.peakRssBytes, text: (bytes) => whole(bytes / 1e6) },
];

/** @param {Run[]} runs @param {Figure} figure */
function middleOf(runs, { of, text }) {
  const values = runs.flatMap((run) => of(run) ?? []);
  return values.length === 0 ? '' : text(median(values));
}

/** @type {(group: HeadedGroup, settings: Report['settings']) => Grid | undefined} */
export function driftGrid({ rows }, settings) {
  if (!isLong(settings)) return undefined;
  const long = rows.flatMap(({ name, cell }) => {
    const runs = goodRuns(cell);
    return runs.length > MANY_RUNS ? { name, runs, tenth: Math.round(runs.length / 10) } : [];
  });
  if (long.length === 0) return undefined;
  return gridOf(
    long,
    ({ name }) => ({ name }),
    FIGURES.map((figure) => ({
      title: figure.title,
      text: ({ runs, tenth }) =>
        said([middleOf(runs.slice(0, tenth), figure), middleOf(runs.slice(-tenth), figure)]).join(' → '),
    })),
  );
}

/** @param {CellResult} cell */
const goodRuns = ({ runs }) => runs.filter(({ failed }) => failed === null);
