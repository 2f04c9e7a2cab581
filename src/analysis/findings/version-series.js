import semver from 'semver';
import { sameBut } from '../../axes/pairing.js';
import { figureOfCell, metricsIn, samplesOf } from '../../metrics/figures.js';
import { contrastAll } from '../statistics/contrasts.js';
import { comparable } from './comparable.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { VersionEntry, VersionSeries } from '../types.js'
 * @import { MeasuredCell } from './compare-group.js'
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
 * The releases of a client, or of Node, that stand side by side in a group: in their order, each
 * against the newest and against the one before.
 *
 * @param {CellResult[]} cells of one group
 * @returns {VersionSeries[]} none where everything has one version
 */
export function versionSeries(cells) {
  const measured = comparable(cells);
  return AXES.flatMap((axis) => {
    const versioned = measured.filter((cell) => axis.version(cell) !== null);
    const keyOf = sameBut([axis.id], measured);
    const keys = [...new Set(versioned.map(keyOf))];
    return keys
      .map((key) => versioned.filter((cell) => keyOf(cell) === key && cell.copy === 1))
      .filter((series) => series.length > 1)
      .map((series) => ({ axis: axis.id, entries: entriesOf(inOrder(series, axis), axis) }));
  });
}

/** @param {MeasuredCell[]} series @param {VersionAxis} axis @returns {MeasuredCell[]} the oldest first */
const inOrder = (series, { version }) =>
  [...series].sort((a, b) => semver.compare(String(version(a)), String(version(b))));

/**
 * @param {MeasuredCell[]} series the oldest first
 * @param {VersionAxis} axis
 * @returns {VersionEntry[]}
 */
function entriesOf(series, axis) {
  const tested = metricsIn('versions').map((metric) => ({
    metric,
    ...contrastAll(series.map(({ runs }) => samplesOf(runs, metric))),
  }));
  return series.map((cell, place) => {
    const figures = tested.map(({ metric, between }) => [
      metric.id,
      {
        median: figureOfCell(metric, cell.summary) ?? null,
        toPrevious: between(place, place - 1),
        toNewest: between(place, series.length - 1),
      },
    ]);
    return { cell: cell.id, version: String(axis.version(cell)), ...Object.fromEntries(figures) };
  });
}
