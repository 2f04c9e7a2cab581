import { sameBut } from '../../axes/ids.js';
import { inverse } from './claims.js';
import { codeDifference } from './code-difference.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Contrast, Finding, VersionEntry, VersionSeries } from '../types.js'
 */

/**
 * What a reader of versions wants first: between which two the client's CPU changed most, and whether
 * it did so with the client's other options too.
 *
 * @param {CellResult[]} cells of one group
 * @param {VersionSeries[]} series of that group
 * @returns {Finding[]} one for each client that has versions side by side
 */
export function versionChanges(cells, series) {
  /** @type {Map<string, VersionSeries[]>} */
  const twins = new Map();
  for (const each of series) {
    const first = /** @type {CellResult} */ (cells.find(({ id }) => id === each.entries[0].cell));
    // Twins differ only in the client's options.
    const key = `${each.axis} ${sameBut([each.axis, 'variant'], cells)(first)}`;
    twins.set(key, [...(twins.get(key) ?? []), each]);
  }
  return [...twins.values()].map(([first, ...others]) => changeIn(first, others, cells));
}

/**
 * @param {VersionSeries} series
 * @param {VersionSeries[]} others the same with other options of the client
 * @param {CellResult[]} all of its group
 * @returns {Finding}
 */
function changeIn({ axis, entries }, others, all) {
  const [{ group }] = all;
  const newest = entries[entries.length - 1];
  const step = largestStep(entries) ?? largestWay(entries);
  if (step === null) {
    const cells = entries.map(({ cell }) => cell);
    return { kind: 'no-version-change', group, cells, axis, from: entries[0].cell, to: newest.cell };
  }
  const { before, after, contrast } = step;
  const { ratio, low, high } = contrast;
  const twins = others.flatMap((other) => twinOf(other.entries, before.version, after.version) ?? []);
  return {
    kind: 'version-change',
    group,
    cells: [before.cell, after.cell, ...twins.map(({ cell }) => cell)],
    axis,
    from: before.cell,
    to: after.cell,
    ratio,
    low,
    high,
    code: codeDifference(cellOf(after, all), cellOf(before, all)) ?? undefined,
    twins,
  };
}

/** @param {VersionEntry} entry @param {CellResult[]} all */
const cellOf = (entry, all) => /** @type {CellResult} */ (all.find(({ id }) => id === entry.cell));

/**
 * @typedef {object} Step
 * @property {VersionEntry} before
 * @property {VersionEntry} after
 * @property {Contrast} contrast of the later version over the earlier one
 */

/** @param {VersionEntry[]} entries @returns {Step | null} the largest change from one version to the next */
const largestStep = (entries) =>
  largest(
    entries.flatMap((after, place) => {
      const contrast = after.cpuUsPerOp.toPrevious;
      return contrast?.differs ? [{ before: entries[place - 1], after, contrast }] : [];
    }),
  );

/**
 * @param {VersionEntry[]} entries
 * @returns {Step | null} the largest change to the newest version: small steps may add up to one that can be claimed
 */
function largestWay(entries) {
  const newest = entries[entries.length - 1];
  return largest(
    entries.flatMap((before) => {
      const contrast = before.cpuUsPerOp.toNewest;
      return contrast?.differs ? [{ before, after: newest, contrast: inverse(contrast) }] : [];
    }),
  );
}

/** @param {Step[]} steps @returns {Step | null} */
const largest = (steps) =>
  steps.reduce(
    (most, step) => (most === null || sizeOf(step) > sizeOf(most) ? step : most),
    /** @type {Step | null} */ (null),
  );

/** @param {Step} step @returns {number} the same for twice and for half */
const sizeOf = ({ contrast: { ratio } }) => Math.abs(Math.log(ratio));

/**
 * @param {VersionEntry[]} entries of a series with other options
 * @param {string} before
 * @param {string} after
 * @returns {{cell: string, ratio: number | null} | null} the same step; null where it was not measured
 */
function twinOf(entries, before, after) {
  const place = entries.findIndex(({ version }) => version === after);
  if (place < 1 || entries[place - 1].version !== before) return null;
  const { cell, cpuUsPerOp } = entries[place];
  return { cell, ratio: cpuUsPerOp.toPrevious?.differs ? cpuUsPerOp.toPrevious.ratio : null };
}
