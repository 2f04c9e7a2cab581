import { nameCells } from '../axes/names.js';
import { adviseOn } from './findings/advice.js';
import { compareGroup, contrastCells } from './findings/compare-group.js';
import { compareOpenLoop, sustainedRates } from './findings/sustained.js';
import { versionSentences } from './findings/version-sentence.js';
import { halfWidth } from './statistics/stability.js';

/**
 * @import { CellResult, Report } from '../results/types.js'
 * @import { Group } from './findings/advice.js'
 */

/** Below this many runs intervals are wide and Mann-Whitney cannot claim anything. */
const FEW_RUNS = 5;

/**
 * Everything that is concluded from the cells of a benchmark. The same cells give the same conclusions.
 *
 * @param {CellResult[]} cells
 * @param {Pick<Report['settings'], 'runs' | 'untilStable' | 'smoke' | 'value'>} settings
 * @param {boolean} partial whether the benchmark ended early
 * @returns {Pick<Report, 'comparisons' | 'advice' | 'warnings'>}
 */
export function analyse(cells, settings, partial) {
  const groups = [...new Set(cells.map((cell) => cell.group))].map((group) => {
    const members = cells.filter((cell) => cell.group === group);
    const contrasts = contrastCells(members);
    const comparison =
      members[0].openLoop === null
        ? compareGroup(group, members, contrasts)
        : compareOpenLoop(group, members);
    return { cells: members, contrasts, comparison };
  });
  const sentences = settings.smoke
    ? []
    : groups.flatMap(({ cells: members, comparison }) => versionSentences(members, comparison.versions));
  const rates = settings.smoke ? [] : sustainedRates(cells);
  return {
    comparisons: groups.map(({ comparison }) => comparison),
    // Operations a second, which the rest of the advice is about, are given in an open loop.
    advice: rates.length > 0 ? rates : [...sentences, ...adviseOn(groups, settings, partial)],
    warnings: [...fewRuns(cells, settings), ...unstable(groups, settings)],
  };
}

/**
 * @param {CellResult[]} cells
 * @param {Pick<Report['settings'], 'runs' | 'untilStable' | 'smoke' | 'value'>} settings
 * @returns {string[]}
 */
function fewRuns(cells, { runs, untilStable, smoke }) {
  // A search runs each rate until its runs agree.
  const counted = cells.filter(({ summary, openLoop }) => summary !== null && !openLoop?.search);
  if (smoke || untilStable !== null || runs >= FEW_RUNS || counted.length === 0) return [];
  return [
    `${runs} ${runs === 1 ? 'run' : 'runs'} of each cell are few: intervals are wide and small differences cannot be seen; use --runs ${FEW_RUNS} or more (6 for a 95 % interval)`,
  ];
}

/**
 * @param {Group[]} groups
 * @param {Pick<Report['settings'], 'untilStable'>} settings
 * @returns {string[]} the cells that --until-stable waited for in vain
 */
function unstable(groups, { untilStable }) {
  if (untilStable === null) return [];
  const wide = groups.flatMap(({ cells }) => {
    const names = nameCells(cells);
    return cells.flatMap(({ id, runs, summary }) => {
      const width = halfWidth(runs);
      if (!summary || summary.failedRuns > 0 || width <= untilStable) return [];
      return `"${names.get(id)}" ${Number.isFinite(width) ? `± ${width.toFixed(1)} %` : 'too few runs'}`;
    });
  });
  if (wide.length === 0) return [];
  return [
    `not stable within ${untilStable} %: ${wide.join(', ')}; use more --max-runs, or a longer --run-time`,
  ];
}
