import { sum } from '../../../descriptive-statistics.js';
import { MEASURING } from '../../../method.js';

/** @import { Settings } from '../../../options/types.js' */

/**
 * @typedef {object} RunSize
 * @property {number | null} iterations of each task in a run; null where its time is fixed
 * @property {number} slices in which it is executed
 * @property {number | null} runMs about how long it takes
 *
 * @typedef {object} Warm a cell after its warm-up
 * @property {string} id
 * @property {number} keySize
 * @property {number} valueSize
 * @property {number | null} perMs iterations of one task in a millisecond; null before a warm-up, and where that failed
 * @property {number} [batchSize] fewer iterations would be smaller batches
 */

/** @type {RunSize} */
export const UNSIZED = { iterations: null, slices: 1, runMs: null };

/**
 * With `auto`, the group's fastest cell takes about the run time and cells that are nearly as fast do the same work; a
 * much slower one has iterations of its own, for otherwise it would take most of the time.
 * @param {Pick<Settings, 'iterations' | 'runTimeMs' | 'durationMs' | 'runs' | 'races'>} settings in a race, what is far behind
 *   takes no longer than the fastest
 * @param {object} group
 * @param {Warm[]} group.cells
 * @param {boolean} group.divisible whether runs may be interrupted at all
 * @param {boolean} [group.sameWork] whether all cells have the same iterations, however slow they are
 * @param {number} [group.known] iterations of a slice of the cells that were measured before these
 * @param {number} group.mostMs for one start of all of them
 * @returns {Map<string, RunSize>} by id
 */
export function sizeRuns(settings, { cells, divisible, sameWork = false, known, mostMs }) {
  const { iterations, runTimeMs, durationMs, runs, races } = settings;
  const fastest = Math.max(...cells.map(({ perMs }) => perMs ?? 0));
  const fixed = iterations === 'auto' ? null : cells.map((cell) => fixedCount(iterations, cell));
  const shortestMs = fixed && Math.min(...cells.map(({ perMs }, index) => timeOf(fixed[index], perMs)));
  const wanted = slicesPerRun(durationMs ?? shortestMs ?? runTimeMs, divisible);
  const sliceMs = runTimeMs / wanted;
  const common = known ?? rounded(fastest * sliceMs);
  const sizes = cells.map((cell, index) => {
    if (durationMs !== undefined) return { iterations: null, slices: wanted, runMs: durationMs };
    if (fixed !== null) {
      const slices = Math.max(1, Math.min(wanted, Math.floor(fixed[index] / MEASURING.fewestIterations)));
      return { iterations: fixed[index], slices, runMs: timeOf(fixed[index], cell.perMs) };
    }
    const each = sameWork ? common : sliceCount(cell, common, sliceMs);
    const eachMs = timeOf(each, cell.perMs);
    const isBrief = races && isSlower(cell, common, sliceMs * MEASURING.farBehind);
    const inTime = isBrief
      ? Math.round((wanted * MEASURING.briefPart * sliceMs) / eachMs)
      : Math.floor((wanted * longest(sliceMs)) / eachMs);
    const slices = Math.max(1, Math.min(wanted, inTime));
    return { iterations: each * slices, slices, runMs: eachMs * slices };
  });
  const wholeMs = runs * sum(sizes.map(({ runMs, slices }) => runMs + slices * MEASURING.betweenMs));
  const part = durationMs === undefined && fixed === null && wholeMs > mostMs ? mostMs / wholeMs : 1;
  return new Map(cells.map(({ id }, index) => [id, shorter(sizes[index], part)]));
}

/** @param {RunSize & {runMs: number}} size @param {number} part of its slices that there is time for @returns {RunSize} */
function shorter({ iterations, slices, runMs }, part) {
  const fewer = Math.max(1, Math.floor(slices * part));
  const share = fewer / slices;
  return {
    iterations: iterations && Math.round(iterations * share),
    slices: fewer,
    runMs: Number.isFinite(runMs) ? runMs * share : null,
  };
}

/** @param {number} runMs of the fastest cell @param {boolean} divisible */
const slicesPerRun = (runMs, divisible) =>
  divisible ? Math.max(1, Math.min(Math.round(runMs / MEASURING.sliceMs), MEASURING.mostSlices)) : 1;

/** @param {number} sliceMs @returns {number} how long a slice may become for the sake of its iterations */
const longest = (sliceMs) => Math.max(sliceMs, MEASURING.longestSliceMs);

/** @param {Warm} cell @param {number} iterations @param {number} mostMs that these may take */
const isSlower = ({ perMs }, iterations, mostMs) => perMs !== null && iterations / perMs > mostMs;

/** @param {Warm} cell @param {number} common @param {number} sliceMs */
function sliceCount(cell, common, sliceMs) {
  const { perMs, batchSize = 1 } = cell;
  const isAlike = !isSlower(cell, common, sliceMs * MEASURING.alikeWithin);
  const count = isAlike ? common : rounded(Number(perMs) * sliceMs);
  const fewest = Math.min(MEASURING.fewestIterations, Math.floor((perMs ?? 0) * longest(sliceMs)));
  return Math.max(1, Math.round(Math.max(count, fewest) / batchSize)) * batchSize;
}

/** @param {number} iterations @param {number | null} perMs */
const timeOf = (iterations, perMs) => (perMs ? iterations / perMs : Number.POSITIVE_INFINITY);

/** @param {Exclude<Settings['iterations'], 'auto'>} wanted @param {{keySize: number, valueSize: number}} cell */
function fixedCount(wanted, { keySize, valueSize }) {
  if (typeof wanted === 'number') return wanted;
  // Key and value travel once each; with one length for both this is the suite's formula.
  const size = (keySize + valueSize) / 2;
  return Math.max(1, Math.floor(wanted.budget / (wanted.perOperation + wanted.perByte * size)));
}

/** @param {number} count an estimate @returns {number} with two significant digits */
const rounded = (count) => Math.max(1, Math.round(Number(count.toPrecision(2))));

/**
 * Spreads the slices of a cell evenly over those of the group: a slow cell has fewer.
 * @param {number} index
 * @param {number} most slices of a cell
 * @param {number} own
 * @returns {number | null} which of its own it takes now; null where it takes none
 */
export function sliceAt(index, most, own) {
  const slice = Math.floor((index * own) / most);
  return index === Math.ceil((slice * most) / own) ? slice : null;
}

/**
 * Divides the iterations of a run among its slices, in whole batches.
 * @param {number} iterations
 * @param {number} slices
 * @param {number} batchSize
 * @returns {number[]}
 */
export function sliceIterations(iterations, slices, batchSize) {
  const batches = Math.ceil(iterations / batchSize);
  const upTo = (/** @type {number} */ slice) =>
    slice === slices ? iterations : Math.floor((slice * batches) / slices) * batchSize;
  return Array.from({ length: slices }, (_, slice) => upTo(slice + 1) - upTo(slice));
}
