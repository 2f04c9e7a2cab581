import { sameBut } from '../../axes/ids.js';
import { metricNamed, metricsIn, samplesOf } from '../../metrics/metric-values.js';
import { everyPair } from '../alike.js';
import { contrastFamily } from '../statistics/contrasts.js';
import { notBorneOut } from './borne-out.js';
import { seriesIn, toldPairs, versionSeries } from './version-series.js';
import { comparable } from './warm-runs.js';

/** @import { Metric } from '../../metrics/types.js' */
/** @import { CellResult } from '../../results/types.js' */
/** @import { Block } from '../statistics/contrasts.js' */
/** @import { Contrast, GroupComparison, Summary, Tested } from '../types.js' */
/** @import { Series } from './version-series.js' */

/**
 * The cells of one group against its fastest and against the one that was named first. Where there are clients to
 * compare, the floor takes no part: they are measured against it.
 * @param {string} group
 * @param {CellResult[]} cells of that group, in the order of the plan
 * @param {CellContrasts} [contrasts] of these cells
 * @returns {GroupComparison} with the cells in order, the fastest first
 */
export function compareGroup(group, cells, contrasts = contrastCells(cells)) {
  const { compared, tested, between } = contrasts;
  const [first] = compared;
  const ordered = [...compared].sort((a, b) => b.summary.opsPerSecond - a.summary.opsPerSecond);
  const [fastest] = ordered;
  const ranking = ordered.map((cell) => ({
    cell: cell.id,
    opsPerSecond: cell.summary.opsPerSecond,
    timesSlower: fastest.summary.opsPerSecond / cell.summary.opsPerSecond,
    againstFastest: between(cell.id, fastest.id),
    againstFirst: between(cell.id, first.id),
    ofCeiling: ofCeiling(cell, cells),
  }));
  return { group, tested, ranking, versions: versionSeries(cells, contrasts) };
}

/**
 * @typedef {CellResult & {summary: Summary}} MeasuredCell
 *
 * @typedef {object} CellContrasts
 * @property {MeasuredCell[]} compared
 * @property {Tested} tested
 * @property {(a: string, b: string) => Contrast | null} between in operations a second; takes ids; null for a
 *   cell and itself, and with fewer than two runs
 * @property {(metric: string, a: string, b: string) => Contrast | null} betweenVersions by a metric that is told
 *   of versions; takes its id and ids of cells; null also for what no series of versions tells of
 *
 * @typedef {{cells: CellResult[], contrasts: CellContrasts, comparison: GroupComparison}} ComparedGroup
 */

/**
 * Every pair of cells of a group, where claims are made about this group only.
 * @param {CellResult[]} cells @returns {CellContrasts}
 */
export const contrastCells = (cells) => contrastGroups([cells])[0];

/**
 * Every pair of cells of every group: all that a report may claim, as one family.
 * @param {CellResult[][]} groups @returns {CellContrasts[]} one for each group
 */
export function contrastGroups(groups) {
  const subjects = groups.map((cells) => ({ compared: comparedOf(cells), told: toldOf(seriesIn(cells)) }));
  const found = contrastFamily(
    subjects.flatMap(({ compared, told }) => [speedBlock(compared), ...told.map(toldBlock)]),
  );
  return subjects.map(({ compared, told }) => {
    const [speed, ...ofVersions] = found.splice(0, 1 + told.length);
    const between = borneOut(compared, speed.between);
    const byMetric = (/** @type {string} */ metric, /** @type {string} */ a, /** @type {string} */ b) =>
      ofVersions.flatMap((each, place) =>
        told[place].metric.id === metric ? (each.between(a, b) ?? []) : [],
      );
    return {
      compared,
      tested: speed.tested,
      between,
      betweenVersions: (metric, a, b) =>
        metric === SPEED.id ? between(a, b) : (byMetric(metric, a, b)[0] ?? null),
    };
  });
}

/**
 * @param {MeasuredCell[]} compared
 * @param {CellContrasts['between']} between every pair
 * @returns {CellContrasts['between']} which claims what more than the time bears out
 */
function borneOut(compared, between) {
  if (!compared.some(({ runs }) => runs.some(({ slices }) => slices?.some(({ disturbed }) => disturbed))))
    return between;
  const claims = everyPair(compared).flatMap(([a, b]) => {
    const contrast = between(a.id, b.id);
    if (!contrast?.differs) return [];
    const { ratio } = contrast;
    return ratio < 1 ? { slower: a, faster: b, times: 1 / ratio } : { slower: b, faster: a, times: ratio };
  });
  const verdicts = notBorneOut(claims);
  return (a, b) => {
    const contrast = between(a, b);
    const claim = claims.findIndex(({ slower, faster }) =>
      slower.id === a ? faster.id === b : slower.id === b && faster.id === a,
    );
    const verdict = verdicts[claim] ?? null;
    return contrast && verdict ? { ...contrast, differs: false, notBorneOut: verdict } : contrast;
  };
}

/** @param {CellResult[]} cells @returns {MeasuredCell[]} */
function comparedOf(cells) {
  const measured = comparable(cells);
  const clients = measured.filter((cell) => !cell.floor);
  return clients.length > 0 ? clients : measured;
}

/** What cells are ranked by. */
const SPEED = metricNamed('opsPerSecond');

/** @param {MeasuredCell[]} compared @returns {Block<string>} */
function speedBlock(compared) {
  const byId = new Map(compared.map((cell) => [cell.id, cell]));
  const cellOf = (/** @type {string} */ id) => /** @type {MeasuredCell} */ (byId.get(id));
  return {
    pairs: everyPair([...byId.keys()]),
    of: (id) => samplesOf(cellOf(id).runs, SPEED),
    kindOf: (id) => Number(opensConnections(cellOf(id))),
  };
}

/** A connection for fewer operations than this is part of what a cell does. */
const OPENS_FOR = 100;

/** @param {Pick<MeasuredCell, 'runs'>} cell */
export const opensConnections = ({ runs }) =>
  runs.some(
    ({ connections, operations }) => Number(connections) * OPENS_FOR > operations && operations > OPENS_FOR,
  );

/** @typedef {{series: Series, metric: Metric}} Told of a series of versions, besides the speed */

/** @param {Series[]} all @returns {Told[]} */
const toldOf = (all) =>
  all.flatMap((series) =>
    metricsIn('versions').flatMap((metric) => (metric.id === SPEED.id ? [] : { series, metric })),
  );

/** @param {Told} told @returns {Block<string>} */
const toldBlock = ({ series, metric }) => ({
  pairs: toldPairs(series).map(([a, b]) => [a.id, b.id]),
  of: (id) => samplesOf(series.cells.find((cell) => cell.id === id)?.runs ?? [], metric),
});

/**
 * @param {MeasuredCell} cell @param {CellResult[]} all
 * @returns {number | null} its share of the floor's operations a second, in the same placement
 */
function ofCeiling(cell, all) {
  const rest = sameBut(['client'], all);
  const floor = all.find(
    (other) => other.floor && other.summary && !other.summary.tooShort && rest(other) === rest(cell),
  );
  return !floor?.summary || cell.floor ? null : cell.summary.opsPerSecond / floor.summary.opsPerSecond;
}
