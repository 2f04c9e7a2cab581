import semver from 'semver';
import { sameBut } from '../../axes/ids.js';
import { alike } from '../../core/alike.js';
import { figureOfCell, metricsIn } from '../../core/store/metrics/metric-values.js';

/** @import { VersionEntry, VersionSeries } from './types.js' */
/** @import { ContrastedGroup, MeasuredCell } from './compare-group.js' */

/** @typedef {{id: 'release' | 'node', version: (cell: MeasuredCell) => string | null}} VersionAxis exact, if there is one */

/** Along which versions are compared. @type {VersionAxis[]} */
const AXES = [
  { id: 'release', version: ({ release }) => release?.version ?? null },
  { id: 'node', version: ({ runtime }) => runtime?.version ?? null },
];

/** @typedef {{axis: VersionAxis, cells: MeasuredCell[]}} Series the oldest first */

/** The releases of a client or of Node. @param {MeasuredCell[]} measured of one group @returns {Series[]} */
export const seriesIn = (measured) =>
  AXES.flatMap((axis) => {
    // Copies of a client or server are left out.
    const versioned = measured.filter(
      (cell) => axis.version(cell) !== null && cell.copy === 1 && (cell.serverCopy ?? 1) === 1,
    );
    const order = (/** @type {MeasuredCell} */ a, /** @type {MeasuredCell} */ b) =>
      semver.compare(String(axis.version(a)), String(axis.version(b)));
    return alike(versioned, sameBut([axis.id], measured))
      .map((own) => ({ axis, cells: own.sort(order) }))
      .filter(({ cells }) => cells.length > 1);
  });

/** Each version against the one before and the newest. @param {Series} series @returns {[MeasuredCell, MeasuredCell][]} */
export const reportedPairs = ({ cells }) =>
  cells.flatMap((cell, index) =>
    [cells[index - 1], ...(index < cells.length - 2 ? [cells[cells.length - 1]] : [])]
      .filter((other) => other !== undefined)
      .map((other) => /** @type {[MeasuredCell, MeasuredCell]} */ ([cell, other])),
  );

/** @param {ContrastedGroup} group @returns {VersionSeries[]} */
export const versionsOf = ({ series: all, contrastBy }) =>
  all.map(({ axis, cells: series }) => ({
    axis: axis.id,
    entries: series.map((cell, index) => {
      const previous = series[index - 1] ?? null;
      const figures = figuresOf(cell, previous, series[series.length - 1], contrastBy);
      return { cell: cell.id, version: String(axis.version(cell)), ...figures };
    }),
  }));

/**
 * @param {MeasuredCell} cell @param {MeasuredCell | null} previous @param {MeasuredCell} newest
 * @param {ContrastedGroup['contrastBy']} contrastBy @returns {Omit<VersionEntry, 'cell' | 'version'>}
 */
function figuresOf(cell, previous, newest, contrastBy) {
  const figures = metricsIn('versions').map((metric) => [
    metric.id,
    {
      median: figureOfCell(metric, cell.summary) ?? null,
      toPrevious: previous && contrastBy(metric.id, cell.id, previous.id),
      toNewest: contrastBy(metric.id, cell.id, newest.id),
    },
  ]);
  return Object.fromEntries(figures);
}
