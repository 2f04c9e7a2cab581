import { sameBut } from '../../axes/ids.js';
import { metricNamed, metricsIn, samplesOf } from '../../metrics/metric-values.js';
import { betweenPlaces, contrastFamily, everyPair, inverse } from '../statistics/contrasts.js';
import { notBorneOut } from './borne-out.js';
import { seriesIn, toldPairs, versionSeries } from './version-series.js';
import { comparable } from './warm-runs.js';

/** @import { Metric } from '../../metrics/types.js' */
/** @import { CellResult } from '../../results/types.js' */
/** @import { Block, Contrasts } from '../statistics/contrasts.js' */
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
 * @typedef {object} ComparedGroup
 * @property {CellResult[]} cells
 * @property {CellContrasts} contrasts
 * @property {GroupComparison} comparison
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
    const places = new Map(compared.map(({ id }, place) => [id, place]));
    const betweenAll = betweenPlaces(borneOut(compared, speed.contrastOf));
    /** @type {CellContrasts['between']} */
    const between = (a, b) => betweenAll(places.get(a) ?? Number.NaN, places.get(b) ?? Number.NaN);
    const byMetric = betweenTold(told, ofVersions);
    return {
      compared,
      tested: speed.tested,
      between,
      betweenVersions: (metric, a, b) => (metric === SPEED.id ? between(a, b) : byMetric(metric, a, b)),
    };
  });
}

/**
 * @param {MeasuredCell[]} compared
 * @param {Contrasts['contrastOf']} contrastOf of every pair
 * @returns {Contrasts['contrastOf']} which claims what more than the time bears out
 */
function borneOut(compared, contrastOf) {
  if (!compared.some(({ runs }) => runs.some(({ slices }) => slices?.some(({ disturbed }) => disturbed))))
    return contrastOf;
  const contrasts = everyPair(compared).map((pair, index) => ({ pair, contrast: contrastOf(index) }));
  const claimed = contrasts.filter(({ contrast }) => contrast?.differs);
  const verdicts = notBorneOut(
    claimed.map(({ pair: [a, b], contrast }) => {
      const { ratio } = /** @type {Contrast} */ (contrast);
      return ratio < 1 ? { slower: a, faster: b, times: 1 / ratio } : { slower: b, faster: a, times: ratio };
    }),
  );
  return (index) => {
    const each = contrasts[index];
    const verdict = verdicts[claimed.indexOf(each)] ?? null;
    if (!each?.contrast || verdict === null) return each?.contrast ?? null;
    return { ...each.contrast, differs: false, notBorneOut: verdict };
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

/** @param {MeasuredCell[]} compared @returns {Block} */
function speedBlock(compared) {
  const samples = compared.map(({ runs }) => samplesOf(runs, SPEED));
  const opening = samples.filter((_, place) => opensConnections(compared[place]));
  return {
    pairs: everyPair(samples),
    rounds: samples,
    kindOf: (sample) => Number(opening.includes(sample)),
  };
}

/** A connection for fewer operations than this is part of what a cell does. */
const OPENS_FOR = 100;

/** @param {Pick<MeasuredCell, 'runs'>} cell */
export const opensConnections = ({ runs }) =>
  runs.some(
    ({ connections, operations }) => Number(connections) * OPENS_FOR > operations && operations > OPENS_FOR,
  );

/**
 * @typedef {object} Told what is told of a series of versions besides the speed, which all cells are held
 *   against each other by
 * @property {Series} series
 * @property {Metric} metric
 */

/** @param {Series[]} all @returns {Told[]} */
const toldOf = (all) =>
  all.flatMap((series) =>
    metricsIn('versions').flatMap((metric) => (metric.id === SPEED.id ? [] : { series, metric })),
  );

/** @param {Told} told @returns {Block} */
function toldBlock({ series, metric }) {
  const samples = new Map(series.cells.map((cell) => [cell, samplesOf(cell.runs, metric)]));
  return {
    pairs: toldPairs(series).map(([a, b]) => [samples.get(a) ?? [], samples.get(b) ?? []]),
    rounds: [...samples.values()],
  };
}

/** @param {Told[]} told @param {Contrasts[]} found for each of them @returns {CellContrasts['betweenVersions']} */
function betweenTold(told, found) {
  const keyOf = (/** @type {string[]} */ ...parts) => JSON.stringify(parts);
  const places = new Map(
    told.flatMap(({ series, metric }, index) =>
      toldPairs(series).map(
        ([a, b], place) => /** @type {const} */ ([keyOf(metric.id, a.id, b.id), { index, place }]),
      ),
    ),
  );
  const one = (/** @type {string[]} */ ...parts) => {
    const known = places.get(keyOf(...parts));
    return known === undefined ? null : found[known.index].contrastOf(known.place);
  };
  return (metric, a, b) => {
    const back = one(metric, b, a);
    return one(metric, a, b) ?? (back === null ? null : inverse(back));
  };
}

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
