import semver from 'semver';
import { sameBut } from '../../axes/ids.js';
import { inverse } from '../../core/statistics/contrasts.js';
import { figureOfCell, metricsIn } from '../../core/store/metrics/metric-values.js';
import { codeDifference } from '../../why/code-difference.js';
import { alike } from '../judge/alike.js';

/** @import { CellResult } from '../../core/store/types.js' */
/** @import { Contrast, Finding, VersionEntry, VersionSeries } from '../judge/types.js' */
/** @import { ComparedGroup, ContrastedGroup, MeasuredCell } from './compare-group.js' */

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

/** Between which versions the client's CPU changed most. @param {ComparedGroup} group @returns {Finding[]} */
export function versionChanges({ cells, comparison: { versions } }) {
  // Twins differ only in the client's options.
  const twins = alike(
    versions,
    ({ axis, entries: [first] }) => `${axis} ${sameBut([axis, 'variant'], cells)(cellOf(first, cells))}`,
  );
  return twins.map(([first, ...others]) => changeIn(first, others, cells));
}

/** @param {VersionSeries} series @param {VersionSeries[]} others @param {CellResult[]} all of its group @returns {Finding} */
function changeIn({ axis, entries }, others, all) {
  const [{ group }] = all;
  const step = largestChange(entries);
  const kind = 'version-change';
  if (step === null) {
    const cells = entries.map(({ cell }) => cell);
    const nothing = { ratio: null, low: null, high: null, twins: [] };
    return { kind, group, cells, axis, from: cells[0], to: cells[cells.length - 1], ...nothing };
  }
  const { before, after, contrast } = step;
  const { ratio, low, high } = contrast;
  const [from, to] = [before.cell, after.cell];
  const twins = others.flatMap((other) => twinOf(other.entries, before.version, after.version) ?? []);
  const cells = [from, to, ...twins.map(({ cell }) => cell)];
  const code = codeDifference(cellOf(after, all), cellOf(before, all)) ?? undefined;
  return { kind, group, cells, axis, from, to, ratio, low, high, code, twins };
}

/** @param {VersionEntry} entry @param {CellResult[]} all */
const cellOf = (entry, all) => /** @type {CellResult} */ (all.find(({ id }) => id === entry.cell));

/** @typedef {{before: VersionEntry, after: VersionEntry, contrast: Contrast}} Step the contrast is that of the later one */

/** Between neighbours; else to the newest, because small steps may add up. @param {VersionEntry[]} entries @returns {Step | null} */
function largestChange(entries) {
  const newest = entries[entries.length - 1];
  const steps = entries.flatMap((after, index) => {
    const contrast = after.cpuUsPerOp.toPrevious;
    return contrast?.differs ? [{ before: entries[index - 1], after, contrast }] : [];
  });
  const ways = entries.flatMap((before) => {
    const contrast = before.cpuUsPerOp.toNewest;
    return contrast?.differs ? [{ before, after: newest, contrast: inverse(contrast) }] : [];
  });
  // The same for twice and for half.
  const sizeOf = (/** @type {Step} */ { contrast: { ratio } }) => Math.abs(Math.log(ratio));
  const [largest = null] = (steps.length > 0 ? steps : ways).sort((a, b) => sizeOf(b) - sizeOf(a));
  return largest;
}

/** The same step with other options. @param {VersionEntry[]} entries @param {string} before @param {string} after */
function twinOf(entries, before, after) {
  const index = entries.findIndex(({ version }) => version === after);
  if (index < 1 || entries[index - 1].version !== before) return null;
  const { cell, cpuUsPerOp } = entries[index];
  return { cell, ratio: cpuUsPerOp.toPrevious?.differs ? cpuUsPerOp.toPrevious.ratio : null };
}
