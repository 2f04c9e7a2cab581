/**
 * Corrects the p of many comparisons, so that the chance of any false claim is that of a single one.
 *
 * Holm's correction takes 66 pairs of twelve cells for 66 independent chances. But they share these cells, and one estimate of how much
 * cells vary, which is too small for all of them or for none: with 12 degrees of freedom and six such groups, Holm asks for a t of 5.4
 * where 4.5 keep the promise. So chance is played some thousand times: the smallest p that equal cells reach (Westfall and Young,
 * Resampling-Based Multiple Testing, 1993: step-down minP). A comparison of which no more is known counts as independent of all others.
 */

import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { studentTwoSided } from './student.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/**
 * @typedef {object} CellError how far the level of a cell may be off
 * @property {object} cell the same in all of its comparisons
 * @property {number} variance
 * @property {object} estimate the same where cells vary by one estimate
 * @property {number} degrees of freedom of that
 *
 * @typedef {{p: number, errors?: [CellError, CellError] | null}} Comparison `errors`: where both cells vary by one estimate
 */

/** A corrected p of 0.05 is known to 0.005 then. */
const GAMES = 2000;
/** The same figures are judged alike each time. */
const SEED = 1993;

/**
 * @param {Comparison[]} comparisons
 * @param {number} error chance of any false claim
 * @returns {{corrected: number[], left: number[]}} `corrected`: p of each; `left`: of how many independent comparisons the same would be
 *   claimed
 */
export function stepDown(comparisons, error) {
  const order = comparisons.map((_, index) => index).sort((a, b) => comparisons[a].p - comparisons[b].p);
  const ordered = order.map((index) => comparisons[index]);
  const byHolm = ordered.map(({ p }, place) => p * (ordered.length - place));
  // What Holm claims needs no game.
  const from = byHolm.findIndex((p) => p > error);
  const played = from === -1 ? [] : play(ordered.slice(from));
  const corrected = new Array(comparisons.length).fill(1);
  const left = new Array(comparisons.length).fill(1);
  let largest = 0;
  /** @type {number | undefined} of the first that is not claimed, and all that follow */
  let leftNow;
  for (const [place, index] of order.entries()) {
    const { p } = comparisons[index];
    largest = Math.max(largest, Math.min(1, byHolm[place], played[place - from] ?? 1));
    const most = ordered.length - place;
    const own = Math.min(most, Math.max(1, countOf(largest, p)));
    if (largest > error) leftNow ??= own;
    corrected[index] = largest;
    left[index] = leftNow ?? own;
  }
  return { corrected, left };
}

/** @param {number} any chance of one of them at least @param {number} p chance of each @returns {number} of how many that are independent */
const countOf = (any, p) =>
  p === 0 ? Number.POSITIVE_INFINITY : Math.log1p(-Math.min(any, ALMOST_ONE)) / Math.log1p(-p);

const ALMOST_ONE = 1 - 1e-9;

/** @param {Comparison[]} ordered by their p @returns {number[]} how often the smallest p by chance of each and all after it is smaller; none without any errors */
function play(ordered) {
  const errors = ordered.flatMap((comparison) => comparison.errors ?? []);
  if (errors.length === 0) return [];
  const random = xoroshiro128plus(SEED);
  const cells = new Map([...new Set(errors.map(({ cell }) => cell))].map((cell, place) => [cell, place]));
  const estimates = [...new Map(errors.map(({ estimate, degrees }) => [estimate, degrees]))];
  const scales = estimates.map(([estimate, degrees]) => ({ estimate, degrees, tail: tailOf(degrees) }));
  const pairs = ordered.map(({ errors: two }) => {
    if (!two) return null;
    const [a, b] = two;
    const part = a.variance === 0 ? 0 : a.variance / (a.variance + b.variance);
    return {
      one: Number(cells.get(a.cell)),
      other: Number(cells.get(b.cell)),
      ofOne: Math.sqrt(part),
      ofOther: Math.sqrt(1 - part),
      scale: scales.findIndex(({ estimate }) => estimate === a.estimate),
    };
  });
  const levels = new Float64Array(cells.size);
  const spreads = new Float64Array(scales.length);
  const reached = new Uint32Array(ordered.length);
  for (let game = 0; game < GAMES; game++) {
    for (let place = 0; place < levels.length; place++) levels[place] = normal(random);
    for (let place = 0; place < spreads.length; place++) {
      const { degrees } = scales[place];
      spreads[place] = Math.sqrt(chiSquare(random, degrees) / degrees);
    }
    let least = 1;
    for (let place = ordered.length - 1; place >= 0; place--) {
      const pair = pairs[place];
      if (pair === null) least = Math.min(least, uniform(random));
      else {
        const difference = pair.ofOne * levels[pair.one] - pair.ofOther * levels[pair.other];
        least = Math.min(least, scales[pair.scale].tail(Math.abs(difference) / spreads[pair.scale]));
      }
      if (least <= ordered[place].p) reached[place]++;
    }
  }
  return Array.from(reached, (count) => (count + 1) / (GAMES + 1));
}

const STEPS_OF_T = 4;
const MOST_T = 12;

/** The two-sided p of Student's t, by a table: it is asked a million times. @param {number} degrees @returns {(t: number) => number} */
function tailOf(degrees) {
  const logs = Float64Array.from({ length: MOST_T * STEPS_OF_T + 1 }, (_, step) =>
    Math.log(Math.max(Number.MIN_VALUE, studentTwoSided(step / STEPS_OF_T, degrees))),
  );
  return (t) => {
    if (t >= MOST_T) return studentTwoSided(t, degrees);
    const at = t * STEPS_OF_T;
    const step = Math.floor(at);
    return Math.exp(logs[step] + (at - step) * (logs[step + 1] - logs[step]));
  };
}

/** @param {RandomGenerator} random @returns {number} above 0 */
const uniform = (random) => ((random.next() >>> 0) + 0.5) / 2 ** 32;

/** By Box and Muller. @param {RandomGenerator} random */
const normal = (random) =>
  Math.sqrt(-2 * Math.log(uniform(random))) * Math.cos(2 * Math.PI * uniform(random));

/** By Marsaglia and Tsang (2000). @param {RandomGenerator} random @param {number} degrees @returns {number} */
function chiSquare(random, degrees) {
  if (degrees < 2) return chiSquare(random, degrees + 2) * uniform(random) ** (2 / degrees);
  const d = degrees / 2 - 1 / 3;
  for (;;) {
    const x = normal(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(uniform(random)) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return 2 * d * v;
  }
}
