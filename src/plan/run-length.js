import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { sum } from 'simple-statistics';

/** @import { Settings } from '../options/types.js' */
/** @import { Plan } from './types.js' */

/**
 * A run is executed in slices, and the slices of all cells alternate: noise that lasts longer than a slice affects all
 * cells alike. Measured with five benchmarks each on a shared machine, ratios to the fastest cell were 15 to 31 % off with
 * 5 runs of 300 ms, and 9 to 17 % with 30 of 50 ms.
 */

/** Of the group's fastest cell. */
const SLICE_MS = 60;
/** Per task. Slices of a dozen cost open-and-close 15 % more CPU per operation. */
const FEWEST_ITERATIONS = 25;
/** A slice may become as long for their sake. */
const LONGEST_SLICE_MS = 4 * SLICE_MS;
const MOST_SLICES = 50;

/**
 * @param {object} run @param {number} run.expectedMs of the fastest cell
 * @param {number | null} run.iterations of each task, where the user fixed them
 * @param {boolean} run.divisible whether a run may be interrupted at all @returns {number} slices of a run
 */
export function slicesPerRun({ expectedMs, iterations, divisible }) {
  if (!divisible) return 1;
  const byTime = Math.round(expectedMs / SLICE_MS);
  const byIterations = iterations === null ? byTime : Math.floor(iterations / FEWEST_ITERATIONS);
  return Math.max(1, Math.min(byTime, byIterations, MOST_SLICES));
}

/** @param {number} count of a slice, by time @param {number | null} perMs of a task @returns {number} enough for a slice */
export const withFewest = (count, perMs) =>
  Math.max(count, Math.min(FEWEST_ITERATIONS, Math.floor((perMs ?? 0) * LONGEST_SLICE_MS)));

/** @param {number} iterationMs at least @returns {number} how long a slice becomes */
export const leastSliceMs = (iterationMs) =>
  Math.max(SLICE_MS, Math.min(FEWEST_ITERATIONS * iterationMs, LONGEST_SLICE_MS), iterationMs);

/** Of the average length of a slice. */
const VARIES_BY = 1 / 3;

/**
 * How the slices of a run share its length. Slices of equal length could run in lockstep with another benchmark on this
 * machine, which would disturb the same cell each time.
 * @param {number} slices @param {number} seed @returns {number[]} parts of the run that add up to 1, the same for all cells
 */
export function drawShares(slices, seed) {
  const random = xoroshiro128plus(seed);
  const weights = Array.from(
    { length: slices },
    () => 1 + VARIES_BY * (uniformInt(random, -STEPS, STEPS) / STEPS),
  );
  const all = sum(weights);
  return weights.map((weight) => weight / all);
}

/** Of a draw. */
const STEPS = 1000;
/** Average per slice; a slice may be half as long. */
const FEWEST_BATCHES = 2;

/**
 * Divides the iterations of a run among its slices, in whole batches.
 * @param {number} iterations @param {number[]} shares of the slices @param {number} batchSize
 * @returns {number[]} close to the shares; the last one takes what is left of a batch
 */
export function sliceIterations(iterations, shares, batchSize) {
  const batches = Math.ceil(iterations / batchSize);
  const slices = shares.length;
  // Otherwise a short slice would have none.
  const isEven = batches < FEWEST_BATCHES * slices;
  let upTo = 0;
  return shares.map((_, slice) => {
    const before = upTo;
    const part = isEven ? (slice + 1) / slices : sum(shares.slice(0, slice + 1));
    upTo = slice === slices - 1 ? iterations : Math.min(iterations, Math.floor(part * batches) * batchSize);
    return upTo - before;
  });
}

/** A cell that would take this many times the run time gets its own count. */
const LONGEST = 4;

/**
 * The iterations of each task in a run of each cell of a group. With `auto`, the group's fastest cell takes about the run
 * time and the others do the same work. Cells that would take over four times as long get a count for the run time too;
 * otherwise one slow scenario would take most of the benchmark.
 * @param {Settings['iterations']} wanted
 * @param {{runTimeMs: number, slices: number}} run what is found out is divided evenly among its slices
 * @param {{id: string, keySize: number, valueSize: number, perMs: number | null, batchSize?: number}[]} cells `perMs`:
 * iterations of one task in the warm-up, null where it failed; fewer than `batchSize` would be smaller batches
 * @param {number} [known] the count of cells of the group that were measured before these @returns {Map<string, number>} by id
 */
export function sizeIterations(wanted, { runTimeMs, slices }, cells, known) {
  if (wanted !== 'auto') return new Map(cells.map((cell) => [cell.id, fixed(wanted, cell)]));
  const fastest = Math.max(...cells.map((cell) => cell.perMs ?? 0));
  const sliceMs = runTimeMs / slices;
  const common = known === undefined ? rounded(fastest * sliceMs) : Math.ceil(known / slices);
  return new Map(
    cells.map(({ id, perMs, batchSize = 1 }) => {
      const slow = perMs !== null && common / perMs > LONGEST * sliceMs;
      const count = withFewest(slow ? rounded(perMs * sliceMs) : common, perMs);
      return [id, Math.max(1, Math.round(count / batchSize)) * batchSize * slices];
    }),
  );
}

/** @param {Exclude<Settings['iterations'], 'auto'>} wanted @param {{keySize: number, valueSize: number}} cell */
function fixed(wanted, { keySize, valueSize }) {
  if (typeof wanted === 'number') return wanted;
  // Key and value travel once each; with one length for both this is the suite's formula.
  const size = (keySize + valueSize) / 2;
  return Math.max(1, Math.floor(wanted.budget / (wanted.perOperation + wanted.perByte * size)));
}

/** @param {number} count an estimate @returns {number} with two significant digits */
const rounded = (count) => Math.max(1, Math.round(Number(count.toPrecision(2))));

/** All runs of a start of all cells, if all were as fast as the fastest. */
const OF_ALL_MS = 1500;
/** With few cells, longer runs would take most of the time; shorter ones have too few slices. */
const BETWEEN = { shortestMs: 120, longestMs: 400 };

/**
 * The run time where the user does not set it: few cells have time for longer runs, which are less noisy.
 * @param {Settings} settings @param {Pick<Plan, 'groups'>} plan @returns {Settings}
 */
export function withRunTime(settings, { groups }) {
  if (settings.runTimeMs > 0) return settings;
  const most = Math.max(...groups.map((cells) => cells.length));
  const ms = Math.round(OF_ALL_MS / most);
  return { ...settings, runTimeMs: Math.min(BETWEEN.longestMs, Math.max(BETWEEN.shortestMs, ms)) };
}

/** A run that takes longer is taken to hang. */
const TIMES_EXPECTED = 10;
/** A short run on a busy machine may take much longer than expected. */
const SHORTEST_MS = 30_000;
/** For a first run of unknown length. */
const UNKNOWN_MS = 600_000;

/** Ms after which a run has failed. @param {number | undefined} given by the user @param {number | null} expectedMs */
export function runTimeout(given, expectedMs) {
  if (given !== undefined) return given;
  return expectedMs === null ? UNKNOWN_MS : Math.max(SHORTEST_MS, expectedMs * TIMES_EXPECTED);
}

/** For anything else, such as connecting and storing data. @param {number | undefined} given */
export const prepareTimeout = (given) => (given === undefined ? UNKNOWN_MS : Math.max(given, SHORTEST_MS));
