import semver from 'semver';
import { sameBut } from '../../../axes/all-axes.js';
import { groupBy, pairsOf } from '../../../collections.js';
import { contrastFamily, inverse, isSlower, verdictsOn } from '../../../statistics/contrasts.js';
import { LEVEL } from '../../../statistics/interval.js';
import { opensConnections, RACED } from '../../../statistics/race.js';
import { withNoise } from '../../../statistics/slice-noise.js';
import { countStarts, FEWEST_STARTS } from '../../../statistics/start-test.js';
import {
  figureOfCell,
  figureOfRun,
  metricNamed,
  metricsIn,
  samplesBy,
  samplesOf,
} from '../../../store/metrics.js';
import { compareUntested } from '../../../store/results.js';

/** @import { CellResult, Metric, Sample, Summary } from '../../../store/types.js' */
/** @import { Block, Contrast, Level, Verdict } from '../../../statistics/contrasts.js' */
/** @import { Fastest, GroupComparison, VersionFigure, VersionSeries } from './types.js' */

/**
 * Compares with the fastest cell and with the first one named, the fastest first.
 * @type {(group: ContrastedGroup) => GroupComparison}
 */
export function compareGroup(group) {
  const { cells, compared, ranked, tested, between } = group;
  const contrasts = ranked.map((cell) => between(cell.id, ranked[0].id));
  const verdicts = verdictsOn(contrasts);
  const ranking = ranked.map((cell, place) => ({
    cell: cell.id,
    opsPerSecond: cell.summary.opsPerSecond,
    timesSlower: ranked[0].summary.opsPerSecond / cell.summary.opsPerSecond,
    verdict: verdicts[place],
    againstFastest: contrasts[place],
    againstFirst: between(cell.id, compared[0].id),
    ofCeiling: ofCeiling(cell, cells),
  }));
  return { group: cells[0].group, tested, ranking, versions: versionsOf(group) };
}

/**
 * `cells`: in the order of the plan, and so are those `compared`; `ranked`: the fastest first; `between`: by ids, in operations per
 * second, null for a cell and itself, or with one run; `contrastBy`: by metric, that or what series of versions report.
 * @typedef {CellResult & {summary: Summary}} MeasuredCell
 * @typedef {ReturnType<typeof contrastGroups>[number]} ContrastedGroup
 * @typedef {ContrastedGroup & {comparison: GroupComparison}} ComparedGroup
 */

/**
 * Compares all pairs of cells of all groups as one family.
 * @param {CellResult[][]} groups @param {boolean} [races] whether it might have ended earlier
 */
export function contrastGroups(groups, races = false) {
  const subjects = groups.map((cells) => {
    const measured = comparable(cells);
    const clients = measured.filter(({ floor }) => !floor);
    const compared = clients.length > 0 ? clients : measured;
    const series = seriesIn(measured);
    const blocks = [blockOf(SPEED, compared, measured), ...series.flatMap(versionBlocks)];
    return { cells, compared, series, blocks };
  });
  const found = contrastFamily(
    subjects.flatMap(({ blocks }) => blocks),
    races ? RACED : 1,
  );
  return subjects.map(({ blocks, ...subject }) => {
    const families = found.splice(0, blocks.length);
    const group = levelled(subject, families[0].levelOf);
    /** @type {(metric: string, a: string, b: string) => Contrast | null} by the first of that metric that has both cells */
    const contrastBy = (metric, a, b) =>
      families.flatMap(({ between }, place) =>
        blocks[place].metric.id === metric ? (between(a, b) ?? []) : [],
      )[0] ?? null;
    const ranked = group.compared.toSorted((a, b) => b.summary.opsPerSecond - a.summary.opsPerSecond);
    return { ...group, ...families[0], ranked, contrastBy };
  });
}

/**
 * The contrasts of two cells in any metric: of speeds those of the report, all others within the same starts too. Undefined where
 * the cells share none, or a figure has no ratio; null where they were not compared, or started once, which does not show how much
 * starts differ.
 * @param {CellResult[]} cells @param {boolean} [races] @returns {(metric: Metric, a: CellResult, b: CellResult) => Contrast | null | undefined}
 */
export function contrastsWithin(cells, races = false) {
  /** @type {ContrastedGroup[] | undefined} */
  let groups;
  return (metric, a, b) => {
    if (a.group !== b.group || a === b) return undefined;
    groups ??= contrastGroups(
      groupBy(cells, ({ group }) => group),
      races,
    );
    const speeds = groups.find((group) => group.cells[0].group === a.group);
    const measured = comparable(speeds?.cells ?? []);
    const both = measured.filter(({ id }) => id === a.id || id === b.id);
    const block = blockOf(metric, both, measured);
    const isRatio = (/** @type {MeasuredCell} */ { id }) => block.of?.(id).every(({ value }) => value > 0);
    if (!both.every(isRatio)) return undefined;
    const isKnown = metric === SPEED && speeds?.between(a.id, b.id);
    const { tested, between } = isKnown && speeds ? speeds : contrastFamily([block], races ? RACED : 1)[0];
    return tested.by === 'starts' ? between(a.id, b.id) : null;
  };
}

/** @type {(cells: CellResult[]) => MeasuredCell[]} */
export const comparable = (cells) =>
  cells.flatMap((cell) =>
    cell.summary && !cell.summary.tooShort && cell.warm !== false ? [{ ...cell, summary: cell.summary }] : [],
  );

/**
 * Cells get the speeds and intervals of the model that compared them, so that ratios are the quotients of speeds.
 * @template {{cells: CellResult[], compared: MeasuredCell[], series: Series[]}} Group
 * @param {Group} group @param {(id: string) => Level | null} levelOf @returns {Group}
 */
function levelled(group, levelOf) {
  /** @template {CellResult} Any @param {Any} cell @returns {Any} */
  const withLevel = (cell) => {
    const { summary } = cell;
    const level = summary && levelOf(cell.id);
    if (summary === null || level === null) return cell;
    const { value: opsPerSecond, interval } = level;
    const intervals = { ...summary.intervals, opsPerSecond: interval && { ...interval, level: LEVEL } };
    const parts = summary.parts.map((part) => ({
      ...part,
      perSecond: (part.perSecond / summary.opsPerSecond) * opsPerSecond,
    }));
    return { ...cell, summary: { ...summary, opsPerSecond, intervals, parts } };
  };
  return {
    ...group,
    cells: group.cells.map(withLevel),
    compared: group.compared.map(withLevel),
    series: group.series.map(({ axis, cells }) => ({ axis, cells: cells.map(withLevel) })),
  };
}

const SPEED = metricNamed('opsPerSecond');
const CPU = metricNamed('cpuUsPerOp');

/**
 * Starts in which processors were kept awake count where those of the machine as it is show how much starts vary.
 * @type {(cells: MeasuredCell[], metric: Metric) => (id: string) => Sample}
 */
const sampleBy = (cells, metric) => (id) => {
  const runs = cells.find((cell) => cell.id === id)?.runs ?? [];
  const asItIs = samplesOf(runs, metric);
  const sample =
    countStarts(asItIs) < FEWEST_STARTS ? asItIs : samplesBy(runs, (run) => figureOfRun(metric, run));
  return metric === SPEED ? withNoise(sample, runs) : sample;
};

/** @typedef {Block<string> & {metric: Metric}} MetricBlock */

/** All others of the same starts are witnesses. @param {Metric} metric @param {MeasuredCell[]} compared @param {MeasuredCell[]} measured @returns {MetricBlock} */
const blockOf = (metric, compared, measured) => ({
  metric,
  figure: metric.id,
  pairs: pairsOf(compared.map(({ id }) => id)),
  witnesses: measured.filter((cell) => !compared.includes(cell)).map(({ id }) => id),
  of: sampleBy(measured, metric),
  kindOf: (id) => Number(measured.some((cell) => cell.id === id && opensConnections(cell))),
});

/** @type {(series: Series) => MetricBlock[]} */
const versionBlocks = (series) =>
  metricsIn('versions')
    .filter((metric) => metric !== SPEED)
    .map((metric) => ({ metric, pairs: reportedPairs(series), of: sampleBy(series.cells, metric) }));

/** @param {MeasuredCell} cell @param {CellResult[]} cells @returns {number | null} over the floor with the same placement */
function ofCeiling(cell, cells) {
  const rest = sameBut(['client'], cells);
  const floor = cells.find(
    (other) => other.floor && other.summary && !other.summary.tooShort && rest(other) === rest(cell),
  );
  return !floor?.summary || cell.floor ? null : cell.summary.opsPerSecond / floor.summary.opsPerSecond;
}

/** @typedef {{id: 'release' | 'node', version: (cell: MeasuredCell) => string | null}} VersionAxis exact, if there is one */

/** @type {VersionAxis[]} */
const AXES = [
  { id: 'release', version: ({ release }) => release?.version ?? null },
  { id: 'node', version: ({ runtime }) => runtime?.version ?? null },
];

/** @typedef {{axis: VersionAxis, cells: MeasuredCell[]}} Series the oldest first */

/** @param {MeasuredCell[]} measured of one group @returns {Series[]} */
export const seriesIn = (measured) =>
  AXES.flatMap((axis) => {
    // Copies of a client are left out.
    const versioned = measured.filter((cell) => axis.version(cell) !== null && cell.copy === 1);
    const order = (/** @type {MeasuredCell} */ a, /** @type {MeasuredCell} */ b) =>
      semver.compare(String(axis.version(a)), String(axis.version(b)));
    return groupBy(versioned, sameBut([axis.id], measured))
      .map((releases) => ({ axis, cells: releases.sort(order) }))
      .filter(({ cells }) => cells.length > 1);
  });

/** Each version against the one before and the newest. @type {(series: Series) => [string, string][]} */
const reportedPairs = ({ cells }) =>
  cells.flatMap(({ id }, index) => {
    const others = [...cells.slice(Math.max(0, index - 1), index), ...cells.slice(index + 2).slice(-1)];
    return others.map((other) => [id, other.id]);
  });

/** @type {(group: ContrastedGroup) => VersionSeries[]} */
export const versionsOf = ({ series, contrastBy }) =>
  series.map(({ axis, cells }) => ({
    axis: axis.id,
    entries: cells.map((cell, index) => {
      const [previous, newest] = [cells.at(index - 1), cells.at(-1)].map((other) => String(other?.id));
      /** @type {(metric: Metric) => VersionFigure} */
      const figureOf = (metric) => ({
        median: figureOfCell(metric, cell.summary) ?? null,
        toPrevious: index === 0 ? null : contrastBy(metric.id, cell.id, previous),
        toNewest: contrastBy(metric.id, cell.id, newest),
      });
      return {
        cell: cell.id,
        version: String(axis.version(cell)),
        opsPerSecond: figureOf(SPEED),
        cpuUsPerOp: figureOf(CPU),
      };
    }),
  }));

/** A median this much lower is no tie, even if the difference is not proven. */
export const NO_TIE = 1.25;

/** @param {Pick<GroupComparison, 'group' | 'ranking'>} comparison of at least one cell @returns {Fastest} */
export function fastestOf({ group, ranking }) {
  const [{ cell, opsPerSecond }, ...others] = ranking;
  const those = (/** @type {Verdict} */ wanted) => others.filter(({ verdict }) => verdict === wanted);
  return {
    group,
    cells: ranking.map((place) => place.cell),
    cell,
    opsPerSecond,
    ties: those('tied').map((place) => place.cell),
    doubtful: those('not decided').map((place) => ({ cell: place.cell, timesSlower: timesBehind(place) })),
    notCompared: those('not measured').map((place) => place.cell),
    slower: those('slower').flatMap((place) => {
      if (place.againstFastest === null) return [];
      const { ratio, low, high } = inverse(place.againstFastest);
      return { cell: place.cell, ratio, low, high };
    }),
  };
}

/**
 * @param {Pick<ContrastedGroup, 'compared' | 'between'>} group
 * @returns {(pair: [MeasuredCell, MeasuredCell]) => boolean} whether a test shows that they differ
 */
const areShown =
  ({ between }) =>
  ([a, b]) =>
    between(a.id, b.id)?.differs === true;

/** Whether any two cells are shown to differ, the fastest or not. @param {Pick<ContrastedGroup, 'compared' | 'between'>} group */
export const showsDifference = (group) => pairsOf(group.compared).some(areShown(group));

/** @param {Pick<ContrastedGroup, 'compared' | 'between'>} group @returns {[MeasuredCell, MeasuredCell][]} */
export const differingPairs = (group) => pairsOf(group.compared).filter(areShown(group));

/** @type {(group: ComparedGroup) => {cell: MeasuredCell, than: MeasuredCell}[]} */
export const slowerPairs = ({ comparison: { ranking }, ranked }) =>
  ranked.filter((_, place) => isSlower(ranking[place])).map((cell) => ({ cell, than: ranked[0] }));

/** @param {GroupComparison['ranking'][number]} place */
export const timesBehind = ({ timesSlower }) => timesSlower ?? Number.POSITIVE_INFINITY;

/** @typedef {CellResult & {summary: Summary & {openLoop: NonNullable<Summary['openLoop']>}}} RatedCell */

/** Sustained rates first, by their p99; the steps of a search by rate. @param {CellResult[]} cells of one group */
export const compareOpenLoop = (cells) =>
  compareUntested(
    cells,
    isSearch(cells)
      ? ladders(cells).flatMap(({ steps }) => steps)
      : cells
          .filter(isRated)
          .sort(
            (a, b) =>
              Number(b.summary.openLoop.held) - Number(a.summary.openLoop.held) ||
              (a.summary.openLoop.p99Us ?? 0) - (b.summary.openLoop.p99Us ?? 0),
          ),
  );

/** @param {CellResult[]} cells of one group */
export const isSearch = (cells) => cells.some(({ openLoop }) => openLoop?.search);

/** Cells that differ only in their rate, the highest sustained one and the first that was not. @param {CellResult[]} cells */
export function ladders(cells) {
  const rated = cells.filter(isRated);
  const everythingButRate = sameBut(['rate'], rated);
  const keyOf = (/** @type {RatedCell} */ cell) => `${cell.copy} ${everythingButRate(cell)}`;
  return groupBy(rated, keyOf).map((rates) => {
    const steps = rates.sort((a, b) => rateOf(a) - rateOf(b));
    const broken = steps.find(({ summary }) => !summary.openLoop.held);
    const held = steps.filter((cell) => !broken || rateOf(cell) < rateOf(broken)).at(-1);
    return { steps, held, broken };
  });
}

/** @param {CellResult} cell @returns {cell is RatedCell} */
const isRated = (cell) => cell.summary?.openLoop != null;

/** @param {RatedCell} cell */
const rateOf = ({ summary }) => summary.openLoop.intendedPerSecond;
