import semver from 'semver';
import { sameBut } from '../../axes/ids.js';
import { figureOfCell, metricsIn } from '../../metrics/metric-values.js';
import { comparable } from './comparable.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { VersionSeries } from '../types.js'
 * @import { CellContrasts, MeasuredCell } from './compare-group.js'
 */

/**
 * @typedef {object} VersionAxis along which versions follow each other
 * @property {'release' | 'node'} id
 * @property {(cell: MeasuredCell) => string | null} version exact; null where there is none
 */

/** @type {VersionAxis[]} */
const AXES = [
  { id: 'release', version: ({ release }) => release?.version ?? null },
  { id: 'node', version: ({ runtime }) => runtime?.version ?? null },
];

/**
 * @typedef {object} Series
 * @property {'release' | 'node'} axis
 * @property {MeasuredCell[]} cells the oldest first
 * @property {string[]} versions of those
 */

/**
 * The releases of a client, or of Node, that stand side by side in a group.
 *
 * @param {CellResult[]} cells of one group
 * @returns {Series[]} none where everything has one version
 */
export function seriesIn(cells) {
  const measured = comparable(cells);
  return AXES.flatMap((axis) => {
    const versioned = measured.filter((cell) => axis.version(cell) !== null && isFirst(cell));
    const keyOf = sameBut([axis.id], measured);
    return [...new Set(versioned.map(keyOf))]
      .map((key) =>
        inOrder(
          versioned.filter((cell) => keyOf(cell) === key),
          axis,
        ),
      )
      .filter((series) => series.length > 1)
      .map((series) => ({
        axis: axis.id,
        cells: series,
        versions: series.map((cell) => String(axis.version(cell))),
      }));
  });
}

/** @param {MeasuredCell} cell @returns {boolean} whether it is no repetition of a client or a server that was named twice */
const isFirst = ({ copy, serverCopy = 1 }) => copy === 1 && serverCopy === 1;

/** @param {MeasuredCell[]} series @param {VersionAxis} axis @returns {MeasuredCell[]} the oldest first */
const inOrder = (series, { version }) =>
  [...series].sort((a, b) => semver.compare(String(version(a)), String(version(b))));

/**
 * @param {Series} series
 * @returns {[MeasuredCell, MeasuredCell][]} what is told of it: each version against the one before and the newest
 */
export const toldPairs = ({ cells }) =>
  cells.flatMap((cell, place) =>
    [cells[place - 1], ...(place < cells.length - 2 ? [cells[cells.length - 1]] : [])]
      .filter((other) => other !== undefined)
      .map((other) => /** @type {[MeasuredCell, MeasuredCell]} */ ([cell, other])),
  );

/**
 * Each version of each series against the newest and against the one before.
 *
 * @param {CellResult[]} cells of one group
 * @param {Pick<CellContrasts, 'betweenVersions'>} contrasts of these
 * @returns {VersionSeries[]}
 */
export const versionSeries = (cells, { betweenVersions }) =>
  seriesIn(cells).map(({ axis, cells: series, versions }) => ({
    axis,
    entries: series.map((cell, place) => {
      const figures = metricsIn('versions').map((metric) => [
        metric.id,
        {
          median: figureOfCell(metric, cell.summary) ?? null,
          toPrevious: place === 0 ? null : betweenVersions(metric.id, cell.id, series[place - 1].id),
          toNewest: betweenVersions(metric.id, cell.id, series[series.length - 1].id),
        },
      ]);
      return { cell: cell.id, version: versions[place], ...Object.fromEntries(figures) };
    }),
  }));
