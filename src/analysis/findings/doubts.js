import { reachPercent } from '../statistics/stability.js';

/**
 * @import { CellResult, ResultFacts } from '../../results/types.js'
 * @import { Finding } from '../types.js'
 */

/** Below this many runs intervals are wide and Mann-Whitney cannot claim anything. */
const FEW_RUNS = 5;

/**
 * What makes all figures of a benchmark doubtful.
 *
 * @param {{cells: CellResult[]}[]} groups
 * @param {Pick<ResultFacts['settings'], 'runs' | 'untilStable'>} settings
 * @returns {Finding[]}
 */
export const warningsOf = (groups, settings) => [
  ...fewRuns(
    groups.flatMap(({ cells }) => cells),
    settings,
  ),
  ...groups.flatMap(({ cells }) => unstable(cells, settings)),
];

/**
 * @param {CellResult[]} cells
 * @param {Pick<ResultFacts['settings'], 'runs' | 'untilStable'>} settings
 * @returns {Finding[]}
 */
function fewRuns(cells, { runs, untilStable }) {
  // A search runs each rate until its runs agree, and of what breaks all runs are told, not their median.
  const counted = cells.filter(
    ({ summary, openLoop, fault }) => summary !== null && !openLoop?.search && fault === undefined,
  );
  if (untilStable !== null || runs >= FEW_RUNS || counted.length === 0) return [];
  return [{ kind: 'few-runs', group: null, cells: counted.map(({ id }) => id), runs }];
}

/**
 * @param {CellResult[]} cells of one group
 * @param {Pick<ResultFacts['settings'], 'untilStable'>} settings
 * @returns {Finding[]} the cells that --until-stable waited for in vain
 */
function unstable(cells, { untilStable }) {
  if (untilStable === null) return [];
  const reaches = cells.flatMap(({ id, runs, summary }) => {
    const percent = reachPercent(runs);
    if (!summary || summary.failedRuns > 0 || percent <= untilStable) return [];
    return { cell: id, percent: Number.isFinite(percent) ? percent : null };
  });
  if (reaches.length === 0) return [];
  return [
    {
      kind: 'unstable',
      group: cells[0].group,
      cells: reaches.map(({ cell }) => cell),
      limitPercent: untilStable,
      reaches,
    },
  ];
}
