import { alike } from './alike.js';
import { about, noConclusion } from './findings/about.js';
import { compareGroup, contrastGroups } from './findings/compare-group.js';
import { cameThrough, compareFaults, faultSummary, haveFault } from './findings/fault-ranking.js';
import { groupFindings } from './findings/group-findings.js';
import { latencyContrasts, lowestP99s } from './findings/latency-contrasts.js';
import { mapFindings } from './findings/map-findings.js';
import { besideCompany, distancesFound, notMeasured, replicaReads } from './findings/measured-under.js';
import { profiledOf } from './findings/profiled.js';
import { keptRates, sustainedRates } from './findings/rates.js';
import { recommend } from './findings/recommend.js';
import { compareOpenLoop } from './findings/sustained.js';
import { versionChanges } from './findings/version-series.js';
import { disturbanceOf } from './findings/waits.js';
import { controlOf, doubtedOf, warmthOf, warningsOf } from './findings/warnings.js';

/** @import { CellResult, MeasuredDistance, ReportData, ResultFacts } from '../results/types.js' */
/** @import { Finding } from './types.js' */
/** @import { ComparedGroup, ContrastedGroup } from './findings/compare-group.js' */
/** @import { LatencyContrasts } from './findings/latency-contrasts.js' */

/**
 * Everything that is concluded from the cells of a benchmark. The same cells give the same conclusions.
 * @param {CellResult[]} cells
 * @param {Pick<ResultFacts['settings'], 'runs' | 'untilStable' | 'budgetMs' | 'smoke'>} settings
 * @param {boolean} partial whether the benchmark ended early
 * @param {MeasuredDistance[]} [distances]
 * @returns {Pick<ReportData, 'comparisons' | 'findings'>}
 */
export function analyse(cells, settings, partial, distances = []) {
  const groups = contrastGroups(alike(cells, ({ group }) => group)).map((group) => ({
    ...group,
    comparison: comparisonOf(group),
  }));
  const comparisons = groups.map(({ comparison }) => comparison);
  const replay = partialReplay(cells);
  if (settings.smoke)
    return {
      comparisons,
      findings: [
        ...replay,
        ...[null, ...comparisons.map(({ group }) => group)].map((group) => noConclusion('smoke', [], group)),
      ],
    };
  if (settings.budgetMs !== undefined) {
    const maps = mapFindings(cells);
    const leftOut = leftOutOf(maps);
    const findings = [
      ...replay,
      ...maps,
      notMeasured(
        cells.filter(({ id }) => !leftOut.includes(id)),
        partial,
      ),
      ...disturbanceOf(cells),
      ...distancesFound(distances, cells),
      ...replicaReads(cells),
    ];
    return { comparisons, findings };
  }
  const faults = faultSummary(cells);
  const latencies = latencyContrasts(cells);
  const rates =
    faults.length > 0 ? [...faults, notMeasured(cells, partial)] : ratesOf(cells, latencies, partial);
  return {
    comparisons,
    findings: [
      ...replay,
      // Recommendations are about operations a second, which an open loop is given.
      ...(rates.length > 0 ? rates : [...groups.flatMap(changesIn), ...recommend(groups, partial)]),
      ...controlOf(comparisons),
      ...doubtedOf(comparisons),
      ...disturbanceOf(cells),
      ...profiledOf(cells),
      ...groups.flatMap(findingsIn),
      ...groups.flatMap((group) => warmthOf(group.cells)),
      ...distancesFound(distances, cells),
      ...besideCompany(latencies),
      ...replicaReads(cells),
      ...warningsOf(groups, settings),
    ],
  };
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

/**
 * What is said of an open loop as a whole.
 * @param {CellResult[]} cells @param {LatencyContrasts} latencies @param {boolean} partial
 * @returns {Finding[]} none for a closed loop
 */
function ratesOf(cells, latencies, partial) {
  const rates = sustainedRates(cells);
  return rates.length === 0 ? [] : [...rates, ...lowestP99s(latencies), notMeasured(cells, partial)];
}

/** @param {Finding[]} findings @returns {string[]} */
const leftOutOf = (findings) =>
  findings.flatMap((finding) =>
    finding.kind === 'map' ? finding.points.flatMap(({ leftOut }) => leftOut) : [],
  );

/** @param {ComparedGroup} group @returns {Finding[]} */
const changesIn = ({ cells, comparison }) => versionChanges(cells, comparison.versions);

/** @param {ComparedGroup} group @returns {Finding[]} */
const findingsIn = (group) =>
  haveFault(group.cells)
    ? cameThrough(group.cells)
    : group.cells[0].openLoop === null
      ? groupFindings(group)
      : keptRates(group.cells);
