import { cameThrough, compareFaults, faultSummary, haveFault } from '../../break/fault-ranking.js';
import { firstReplies, startedCold } from '../../cold/first-replies.js';
import { profiledOf } from '../../why/code-costs.js';
import { about, noConclusion } from '../findings/about.js';
import { findAll } from '../findings/all.js';
import { keptAwake } from '../findings/awake.js';
import { compareGroup, contrastGroups } from '../findings/compare-group.js';
import { fastestOf } from '../findings/group-findings.js';
import { lowestP99s } from '../findings/latency-contrasts.js';
import { distancesFound, notMeasured, replicaReads } from '../findings/measured-under.js';
import { keptRates, sustainedRates } from '../findings/rates.js';
import { recommend } from '../findings/recommend.js';
import { compareOpenLoop } from '../findings/sustained.js';
import { versionChanges } from '../findings/version-series.js';
import { disturbanceOf } from '../findings/waits.js';
import { aheadThoughCold } from '../findings/warm-runs.js';
import { controlOf, fewRuns, notWarm, unstable } from '../findings/warnings.js';
import { alike } from './alike.js';

/** @import { CpuLimited } from '../../core/machine/types.js' */
/** @import { CellResult, MeasuredDistance, ReportData, ResultFacts } from '../../core/store/types.js' */
/** @import { Finding } from './types.js' */
/** @import { ComparedGroup, ContrastedGroup } from '../findings/compare-group.js' */

/**
 * What findings are made from. `decided`: the groups of which it is known what is fastest.
 * @typedef {object} Judged
 * @property {CellResult[]} cells
 * @property {ComparedGroup[]} groups
 * @property {ComparedGroup[]} decided
 */

/**
 * All that is concluded from the cells of a benchmark.
 * @param {CellResult[]} cells
 * @param {Pick<ResultFacts['settings'], 'runs' | 'races' | 'untilStable' | 'smoke'>} settings
 * @param {boolean} partial whether it ended early @param {MeasuredDistance[]} [distances]
 * @param {CpuLimited} [limited] @returns {Pick<ReportData, 'comparisons' | 'findings'>}
 */
export function analyse(cells, settings, partial, distances = [], limited = undefined) {
  const groups = contrastGroups(
    alike(cells, ({ group }) => group),
    settings.races,
  ).map((group) => ({
    ...group,
    comparison: comparisonOf(group),
  }));
  const comparisons = groups.map(({ comparison }) => comparison);
  const subjects = [null, ...comparisons.map(({ group }) => group)];
  const findings = settings.smoke
    ? subjects.map((group) => noConclusion('smoke', [], group))
    : comparedFindings(cells, groups, settings, partial, distances, limited);
  return { comparisons, findings: [...partialReplay(cells), ...findings] };
}

/**
 * @param {CellResult[]} cells @param {ComparedGroup[]} groups @param {Parameters<typeof analyse>[1]} settings
 * @param {boolean} partial @param {MeasuredDistance[]} distances @param {CpuLimited | undefined} limited @returns {Finding[]}
 */
function comparedFindings(cells, groups, settings, partial, distances, limited) {
  const faults = faultSummary(cells);
  const openLoop =
    faults.length > 0 ? faults : [...firstReplies(cells), ...sustainedRates(cells), ...lowestP99s(cells)];
  const outcomes = groups.flatMap(outcomesIn);
  const decided = groups.filter(
    (group) =>
      group.cells[0].openLoop === null &&
      !startedCold(group.cells) &&
      outcomes.some(({ kind, group: own }) => kind === 'fastest' && own === group.comparison.group),
  );
  return [
    // Advice is about operations per second, which an open loop is given.
    ...(openLoop.length > 0
      ? [...openLoop, notMeasured(cells, partial)]
      : [...groups.flatMap(versionChanges), ...recommend(groups, partial)]),
    ...groups.flatMap(keptAwake),
    ...groups.flatMap(controlOf),
    ...disturbanceOf(cells, limited),
    ...profiledOf(cells),
    ...outcomes,
    ...findAll({ cells, groups, decided }),
    ...groups.flatMap(notWarm),
    ...distancesFound(distances, cells),
    ...replicaReads(cells),
    ...fewRuns(cells, settings),
    ...groups.flatMap((group) => unstable(group.cells, settings)),
  ];
}

/** @param {ContrastedGroup} group */
function comparisonOf(group) {
  const { cells } = group;
  if (cells[0].openLoop === null) return compareGroup(group);
  return haveFault(cells) ? compareFaults(cells) : compareOpenLoop(cells);
}

/** More than this reads as 100 %. */
const ALL = 0.9995;

/** @param {CellResult[]} cells @returns {Finding[]} */
function partialReplay(cells) {
  const partial = cells.filter(({ chosen }) => (chosen?.workload.data?.share ?? 1) < ALL);
  const examples = [...new Map(partial.map((cell) => [cell.workload, cell])).values()];
  return examples.length === 0 ? [] : [{ kind: 'partial-replay', ...about(examples) }];
}

/** @param {ComparedGroup} group @returns {Finding[]} */
function outcomesIn(group) {
  const { cells, comparison } = group;
  if (haveFault(cells)) return cameThrough(cells);
  if (cells[0].openLoop !== null) return keptRates(cells);
  const ahead = startedCold(cells) ? [] : aheadThoughCold([group]);
  return ahead.length > 0
    ? [noConclusion('ahead-though-cold', ahead, comparison.group)]
    : [fastestOf(comparison)];
}
