import semver from 'semver';
import { sameBut } from '../../axes/pairing.js';
import { metricNamed, samplesOf } from '../../metrics/figures.js';
import { contrastAll } from '../statistics/contrasts.js';
import { comparable } from './comparable.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { VersionEntry, VersionSeries } from '../types.js'
 * @import { MeasuredCell } from './compare-group.js'
 */

/** What is told of each version. */
const FIELDS = /** @type {const} */ (['opsPerSecond', 'cpuUsPerOp']);

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
  const [ops, cpu] = FIELDS.map((field) =>
    contrastAll(series.map(({ runs }) => samplesOf(runs, metricNamed(field)))),
  );
  const contrasts = (/** @type {typeof ops} */ { between }, /** @type {number} */ place) => ({
    toPrevious: between(place, place - 1),
    toNewest: between(place, series.length - 1),
  });
  return series.map((cell, place) => ({
    cell: cell.id,
    version: String(axis.version(cell)),
    opsPerSecond: { median: cell.summary.opsPerSecond, ...contrasts(ops, place) },
    cpuUsPerOp: { median: cell.summary.client.cpuUsPerOp, ...contrasts(cpu, place) },
  }));
}
