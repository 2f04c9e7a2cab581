import { sameBut } from '../../axes/ids.js';
import { everyPair } from '../../core/alike.js';
import { contrastFamily } from '../../core/statistics/contrasts.js';
import { opensConnections, RACED } from '../../core/statistics/race.js';
import { countStarts, FEWEST_STARTS } from '../../core/statistics/start-variance.js';
import {
  figureOfRun,
  metricNamed,
  metricsIn,
  samplesBy,
  samplesOf,
} from '../../core/store/metrics/metric-values.js';
import { reportedPairs, seriesIn, versionsOf } from './version-series.js';
import { comparable } from './warm-runs.js';

/** @import { Metric } from '../../core/store/metrics/types.js' */
/** @import { CellResult } from '../../core/store/types.js' */
/** @import { Block } from '../../core/statistics/contrasts.js' */
/** @import { Contrast, GroupComparison, Sample, Summary, Tested } from './types.js' */
/** @import { Series } from './version-series.js' */

/**
 * Compares with the fastest cell and with the first one named. Clients are measured against the floor, which takes no part.
 * @param {ContrastedGroup} group @returns {GroupComparison} the fastest first
 */
export function compareGroup(group) {
  const { cells, compared, ranked, tested, between } = group;
  const [first] = compared;
  const [fastest] = ranked;
  const ranking = ranked.map((cell) => ({
    cell: cell.id,
    opsPerSecond: cell.summary.opsPerSecond,
    timesSlower: timesSlower(cell, group),
    againstFastest: between(cell.id, fastest.id),
    againstFirst: between(cell.id, first.id),
    ofCeiling: ofCeiling(cell, cells),
  }));
  return { group: cells[0].group, tested, ranking, versions: versionsOf(group) };
}

/** As the test has it, within the same starts. @param {MeasuredCell} cell @param {ContrastedGroup} group */
function timesSlower(cell, { ranked: [fastest], tested, between }) {
  const contrast = tested.by === 'starts' ? between(cell.id, fastest.id) : null;
  return contrast === null
    ? fastest.summary.opsPerSecond / cell.summary.opsPerSecond
    : Math.max(1, 1 / contrast.ratio);
}

/**
 * @typedef {CellResult & {summary: Summary}} MeasuredCell
 * @typedef {(a: string, b: string) => Contrast | null} Between by ids; null for a cell and itself, or with one run
 *
 * @typedef {object} ContrastedGroup
 * @property {CellResult[]} cells in the order of the plan
 * @property {MeasuredCell[]} compared in the same order
 * @property {MeasuredCell[]} ranked the fastest first
 * @property {Series[]} series of versions
 * @property {Tested} tested
 * @property {Between} between in operations per second
 * @property {(metric: string, ...pair: Parameters<Between>) => Contrast | null} contrastBy by metric: operations per
 *   second, and what series of versions report
 *
 * @typedef {ContrastedGroup & {comparison: GroupComparison}} ComparedGroup
 */

/**
 * Compares all pairs of cells of all groups as one family.
 * @param {CellResult[][]} groups @param {boolean} [races] whether it might have ended earlier @returns {ContrastedGroup[]}
 */
export function contrastGroups(groups, races = false) {
  const subjects = groups.map((cells) => {
    const measured = comparable(cells);
    const clients = measured.filter(({ floor }) => !floor);
    const compared = clients.length > 0 ? clients : measured;
    const series = seriesIn(measured);
    const blocks = [speedBlock(compared), ...series.flatMap(versionBlocks)];
    return { blocks, group: { cells, compared, series } };
  });
  const found = contrastFamily(
    subjects.flatMap(({ blocks }) => blocks),
    races ? RACED : 1,
  );
  return subjects.map(({ blocks, group }) => {
    const [speed, ...ofVersions] = found.splice(0, blocks.length);
    const { between } = speed;
    const known = [
      { metric: SPEED, between },
      ...ofVersions.map((each, index) => ({ metric: blocks[index + 1].metric, between: each.between })),
    ];
    return {
      ...group,
      ranked: group.compared.toSorted((a, b) => b.summary.opsPerSecond - a.summary.opsPerSecond),
      tested: speed.tested,
      between,
      contrastBy: byMetric(known),
    };
  });
}

/**
 * By the first of that metric that has both cells.
 * @param {{metric: Metric, between: Between}[]} known @returns {ContrastedGroup['contrastBy']}
 */
const byMetric = (known) => (metric, a, b) =>
  known.flatMap((each) => (each.metric.id === metric ? (each.between(a, b) ?? []) : []))[0] ?? null;

const SPEED = metricNamed('opsPerSecond');

/**
 * Starts in which processors were kept awake count where those of the machine as it is show how much starts vary.
 * @param {MeasuredCell[]} cells @param {Metric} metric @returns {(id: string) => Sample}
 */
const sampleBy = (cells, metric) => (id) => {
  const runs = cells.find((cell) => cell.id === id)?.runs ?? [];
  const asItIs = samplesOf(runs, metric);
  return countStarts(asItIs) < FEWEST_STARTS ? asItIs : samplesBy(runs, (run) => figureOfRun(metric, run));
};

/** @typedef {Block<string> & {metric: Metric}} MetricBlock */

/** @param {MeasuredCell[]} compared @returns {MetricBlock} */
const speedBlock = (compared) => ({
  metric: SPEED,
  pairs: everyPair(compared.map(({ id }) => id)),
  of: sampleBy(compared, SPEED),
  kindOf: (id) => Number(compared.some((cell) => cell.id === id && opensConnections(cell))),
});

/** Besides the speed. @param {Series} series @returns {MetricBlock[]} */
const versionBlocks = (series) =>
  metricsIn('versions')
    .filter((metric) => metric !== SPEED)
    .map((metric) => ({
      metric,
      pairs: reportedPairs(series).map(([a, b]) => [a.id, b.id]),
      of: sampleBy(series.cells, metric),
    }));

/** @param {MeasuredCell} cell @param {CellResult[]} all @returns {number | null} over the floor with the same placement */
function ofCeiling(cell, all) {
  const rest = sameBut(['client'], all);
  const floor = all.find(
    (other) => other.floor && other.summary && !other.summary.tooShort && rest(other) === rest(cell),
  );
  return !floor?.summary || cell.floor ? null : cell.summary.opsPerSecond / floor.summary.opsPerSecond;
}
