import { sameBut } from '../../axes/ids.js';
import { metricNamed, metricsIn, samplesIn } from '../../metrics/metric-values.js';
import { everyPair } from '../alike.js';
import { contrastFamily } from '../statistics/contrasts.js';
import { notBorneOut } from './borne-out.js';
import { reportedPairs, seriesIn, versionsOf } from './version-series.js';
import { comparable } from './warm-runs.js';

/** @import { Metric } from '../../metrics/types.js' */
/** @import { CellResult } from '../../results/types.js' */
/** @import { Block } from '../statistics/contrasts.js' */
/** @import { Contrast, GroupComparison, Sample, Summary, Tested } from '../types.js' */
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
    timesSlower: fastest.summary.opsPerSecond / cell.summary.opsPerSecond,
    againstFastest: between(cell.id, fastest.id),
    againstFirst: between(cell.id, first.id),
    ofCeiling: ofCeiling(cell, cells),
  }));
  return { group: cells[0].group, tested, ranking, versions: versionsOf(group) };
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

/** Compares all pairs of cells of all groups as one family. @param {CellResult[][]} groups @returns {ContrastedGroup[]} */
export function contrastGroups(groups) {
  const subjects = groups.map((cells) => {
    const measured = comparable(cells);
    const clients = measured.filter(({ floor }) => !floor);
    const compared = clients.length > 0 ? clients : measured;
    const series = seriesIn(measured);
    const blocks = [speedBlock(compared), ...series.flatMap(versionBlocks)];
    return { blocks, group: { cells, compared, series } };
  });
  const found = contrastFamily(subjects.flatMap(({ blocks }) => blocks));
  return subjects.map(({ blocks, group }) => {
    const [speed, ...ofVersions] = found.splice(0, blocks.length);
    const between = confirmedOnly(group.compared, speed.between);
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

/** Claims only what more than the time confirms. @param {MeasuredCell[]} compared @param {Between} between @returns {Between} */
function confirmedOnly(compared, between) {
  const slices = compared.flatMap(({ runs }) => runs).flatMap((run) => run.slices ?? []);
  if (!slices.some(({ disturbed }) => disturbed)) return between;
  const claims = everyPair(compared).flatMap(([a, b]) => {
    const contrast = between(a.id, b.id);
    if (!contrast?.differs) return [];
    const { ratio } = contrast;
    return ratio < 1 ? { cell: a, than: b, times: 1 / ratio } : { cell: b, than: a, times: ratio };
  });
  const verdicts = notBorneOut(claims);
  return (a, b) => {
    const contrast = between(a, b);
    const claim = claims.findIndex(({ cell, than }) =>
      cell.id === a ? than.id === b : cell.id === b && than.id === a,
    );
    const verdict = verdicts[claim] ?? null;
    return contrast && verdict ? { ...contrast, differs: false, notBorneOut: verdict } : contrast;
  };
}

const SPEED = metricNamed('opsPerSecond');

/** @param {MeasuredCell[]} cells @param {Metric} metric @returns {(id: string) => Sample} */
const sampleBy = (cells, metric) => (id) =>
  samplesIn(cells.find((cell) => cell.id === id) ?? { runs: [] }, metric);

/** @typedef {Block<string> & {metric: Metric}} MetricBlock */

/** @param {MeasuredCell[]} compared @returns {MetricBlock} */
const speedBlock = (compared) => ({
  metric: SPEED,
  pairs: everyPair(compared.map(({ id }) => id)),
  of: sampleBy(compared, SPEED),
  kindOf: (id) => Number(compared.some((cell) => cell.id === id && opensConnections(cell))),
});

/** Fewer operations per connection make opening part of what a cell does. */
const OPENS_FOR = 100;

/** @param {Pick<MeasuredCell, 'runs'>} cell */
export const opensConnections = ({ runs }) =>
  runs.some(
    ({ connections, operations }) => Number(connections) * OPENS_FOR > operations && operations > OPENS_FOR,
  );

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
