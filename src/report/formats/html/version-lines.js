import semver from 'semver';
import { nameCells } from '../../../axes/cell-names.js';
import { figureOfCell, samplesIn } from '../../../metrics/metric-values.js';
import { inCharts } from './svg.js';

/** @import { Interval, VersionSeries } from '../../../analysis/types.js' */
/** @import { CellResult } from '../../../results/types.js' */
/** @import { Metric } from '../../../metrics/types.js' */
/** @import { Group } from './page.js' */

/**
 * @typedef {object} VersionLine
 * @property {string} name of what stays the same along it
 * @property {{label: string, version: string, cell: CellResult}[]} members the oldest first
 * @typedef {object} VersionFacet lines over the same versions
 * @property {string} title
 * @property {string[]} labels of all their versions, the oldest first
 * @property {VersionLine[]} lines the most that can be distinguished
 * @typedef {object} VersionPoint
 * @property {string} label
 * @property {number} median
 * @property {Interval | null} interval
 * @property {{value: number, round: number}[]} runs
 */

/**
 * What the charts of a group's versions show: the releases of each client, and those of Node.
 * @param {Pick<Group, 'cells' | 'comparison'>} group @returns {VersionFacet[]} none where everything has one version
 */
export function versionFacets({ cells, comparison }) {
  const lines = comparison.versions.map((series) => lineOf(series, cells));
  return [...new Set(lines.map(({ subject }) => subject))].flatMap((subject) => {
    const all = lines.filter((line) => line.subject === subject);
    return inCharts(subject, all).map((chart) => ({ ...chart, labels: labelsOf(all) }));
  });
}

/** @param {VersionSeries} series @param {CellResult[]} cells of the group */
function lineOf({ axis, entries }, cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  // Without the axis along which the line runs, its cells have one name.
  const names = nameCells(cells, [axis]);
  const members = entries.map(({ cell: id, version }) => {
    const cell = /** @type {CellResult} */ (byId.get(id));
    return { cell, version, label: axis === 'release' ? releaseText(cell, version) : `Node ${cell.node}` };
  });
  return {
    subject: axis === 'release' ? members[0].cell.client : 'Node',
    name: String(names.get(entries[0].cell)),
    members,
  };
}

/**
 * @param {CellResult} cell @param {string} installed
 * @returns {string} `redis@4.7.1`; `redis 6.3.1` of the one that is installed with this tool
 */
const releaseText = ({ client, version }, installed) =>
  version === null ? `${client} ${installed}` : `${client}@${version}`;

/**
 * @param {VersionLine} line @param {Metric} metric
 * @returns {VersionPoint[]} for the versions that have the figure; a logarithmic axis has no place for 0
 */
export const pointsOf = ({ members }, metric) =>
  members.flatMap(({ label, cell }) => {
    const { summary } = cell;
    const median = summary && figureOfCell(metric, summary);
    const interval = summary?.intervals[metric.id] ?? null;
    if (!median || median <= 0) return [];
    return {
      label,
      median,
      interval: interval && interval.low > 0 ? interval : null,
      runs: samplesIn(cell, metric).filter(({ value }) => value > 0),
    };
  });

/** @param {ReturnType<typeof lineOf>[]} lines @returns {string[]} each version once, the oldest first */
function labelsOf(lines) {
  const versions = new Map(
    lines.flatMap(({ members }) => members.map(({ label, version }) => [label, version])),
  );
  return [...versions].sort(([, a], [, b]) => semver.compare(a, b)).map(([label]) => label);
}
