import { clientName } from '../../axes/names.js';
import { sameBut } from '../../axes/pairing.js';
import { times } from '../../report/words/figures.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { VersionEntry, VersionSeries } from '../types.js'
 */

/**
 * What a reader of versions wants first: between which two the client's CPU changed most, and whether
 * it did so with the client's other options too.
 *
 * @param {CellResult[]} cells of one group
 * @param {VersionSeries[]} series of that group
 * @returns {string[]} a sentence for each client that has versions side by side
 */
export function versionSentences(cells, series) {
  /** @type {Map<string, VersionSeries[]>} */
  const twins = new Map();
  for (const each of series) {
    // Twins are the same, but for the options of the client.
    const key = `${each.axis} ${sameBut([each.axis, 'variant'], cells)(cellsOf(each, cells)[0])}`;
    twins.set(key, [...(twins.get(key) ?? []), each]);
  }
  return [...twins.values()].map(([first, ...others]) => sentence(first, others, cells));
}

/** @param {VersionSeries} series @param {CellResult[]} cells */
const cellsOf = ({ entries }, cells) =>
  entries.map(({ cell }) => /** @type {CellResult} */ (cells.find(({ id }) => id === cell)));

/**
 * @param {VersionSeries} series
 * @param {VersionSeries[]} others the same with other options of the client
 * @param {CellResult[]} cells
 */
function sentence(series, others, cells) {
  const names = cellsOf(series, cells).map(nameOf);
  const [{ tasks, scenario }] = cellsOf(series, cells);
  const place = `${tasks === 1 ? 'with 1 task' : `at ${tasks} tasks`}, ${scenario.replaceAll('-', ' ')}`;
  const step = largestStep(series);
  if (step === null) {
    return `${names[0]} to ${names.at(-1)}: no difference in client CPU that can be claimed (${place}).`;
  }
  const change = `${names[step]} uses ${cpuOf(series, step)} the client CPU of ${names[step - 1]} for an operation`;
  const rest = others.flatMap((other) => twinText(other, series, step, cells) ?? []);
  return `${[`${change} (${place})`, ...rest].join('; ')}.`;
}

/** @param {CellResult} cell */
const nameOf = (cell) =>
  clientName({ ...cell, version: cell.version ?? cell.release?.version ?? null, copy: 1 }) +
  (cell.runtime === null ? '' : ` on Node ${cell.runtime.name}`);

/** @param {VersionSeries} series @returns {number | null} the place of the version after it; null where there is none */
function largestStep({ entries }) {
  const size = (/** @type {VersionEntry} */ { cpuUsPerOp: { toPrevious } }) =>
    toPrevious?.differs ? Math.abs(Math.log(toPrevious.ratio)) : 0;
  const sizes = entries.map(size);
  const largest = Math.max(...sizes);
  return largest > 0 ? sizes.indexOf(largest) : null;
}

/** @param {VersionSeries} series @param {number} place */
const cpuOf = ({ entries }, place) => times(entries[place].cpuUsPerOp.toPrevious?.ratio ?? Number.NaN);

/**
 * @param {VersionSeries} other
 * @param {VersionSeries} series
 * @param {number} step
 * @param {CellResult[]} cells
 * @returns {string | null} the same step with other options; null where it was not measured
 */
function twinText(other, series, step, cells) {
  const place = other.entries.findIndex(({ version }) => version === series.entries[step].version);
  if (place < 1 || other.entries[place - 1].version !== series.entries[step - 1].version) return null;
  const [{ client, variant }] = cellsOf(other, cells);
  const differs = other.entries[place].cpuUsPerOp.toPrevious?.differs ?? false;
  return `as ${client}:${variant}, ${differs ? cpuOf(other, place) : 'no difference that can be claimed'}`;
}
