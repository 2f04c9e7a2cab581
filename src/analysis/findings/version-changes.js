import { sameBut } from '../../axes/pairing.js';

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
    // Twins are the same, but for the options of the client.
    const key = `${each.axis} ${sameBut([each.axis, 'variant'], cells)(first)}`;
    twins.set(key, [...(twins.get(key) ?? []), each]);
  }
  return [...twins.values()].map(([first, ...others]) => changeIn(first, others, cells[0].group));
}

/**
 * @param {VersionSeries} series
 * @param {VersionSeries[]} others the same with other options of the client
 * @param {string} group
 * @returns {Finding}
 */
function changeIn({ axis, entries }, others, group) {
  const place = largestStep(entries);
  if (place === null) {
    const [from, to] = [entries[0].cell, entries[entries.length - 1].cell];
    return { kind: 'no-version-change', group, cells: entries.map(({ cell }) => cell), axis, from, to };
  }
  const [before, after] = [entries[place - 1], entries[place]];
  const { ratio, low, high } = /** @type {Contrast} */ (after.cpuUsPerOp.toPrevious);
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
    twins,
  };
}

/** @param {VersionEntry[]} entries @returns {number | null} the place of the version after it; null where there is none */
function largestStep(entries) {
  const sizes = entries.map(({ cpuUsPerOp: { toPrevious } }) =>
    toPrevious?.differs ? Math.abs(Math.log(toPrevious.ratio)) : 0,
  );
  const largest = Math.max(...sizes);
  return largest > 0 ? sizes.indexOf(largest) : null;
}

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
