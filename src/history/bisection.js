import { contrastAll, medianOf } from '../core/statistics/contrasts.js';

/** @import { Sample } from '../benchmark/judge/types.js' */
/** @import { Contrast } from '../core/statistics/contrasts.js' */

/**
 * Which release to measure next, until every change of a figure lies between two neighbours. Releases are numbered by
 * their order; the first and the last are known to differ.
 *
 * @typedef {{low: number, middle: number, high: number}} Question is the release in the middle like the one below or above?
 *
 * @typedef {'low' | 'high' | 'between' | 'broken'} Answer `between`: it differs from both, so the change comes in several
 * steps; `broken`: it cannot be measured
 *
 * @typedef {{before: number, after: number}} Step a change came after `before` and is there with `after`; what lies
 * between could not be measured
 */

/** @param {number} count of releases @returns {Generator<Question, Step[], Answer>} */
export function* bisection(count) {
  return yield* search(0, count - 1, { low: 0, high: count - 1 }, new Set());
}

/**
 * @param {number} before the newest that is like `references.low` @param {number} after the oldest that is like `references.high`
 * @param {{low: number, high: number}} references what candidates are compared with
 * @param {Set<number>} broken @returns {Generator<Question, Step[], Answer>}
 */
function* search(before, after, references, broken) {
  const middle = nearestToMiddle(before, after, broken);
  if (middle === undefined) return [{ before, after }];
  const answer = yield { ...references, middle };
  switch (answer) {
    case 'low':
      return yield* search(middle, after, references, broken);
    case 'high':
      return yield* search(before, middle, references, broken);
    case 'between':
      return [
        ...(yield* search(before, middle, { ...references, high: middle }, broken)),
        ...(yield* search(middle, after, { ...references, low: middle }, broken)),
      ];
    default:
      broken.add(middle);
      return yield* search(before, after, references, broken);
  }
}

/** @param {number} before @param {number} after @param {Set<number>} broken @returns {number | undefined} */
function nearestToMiddle(before, after, broken) {
  const middle = (before + after) / 2;
  return Array.from({ length: after - before - 1 }, (_, index) => before + 1 + index)
    .filter((index) => !broken.has(index))
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
}

/**
 * Within this part of the way from one end to the other, on a logarithmic scale, a release is on that end's side even
 * if it differs significantly: processes of one release differ by a few percent, too.
 */
const SMALL_PART = 0.25;

/**
 * Whether the two ends of a range of releases differ.
 * @param {Sample[]} samples of both ends, in the same rounds @returns null with fewer than two runs of one
 */
export function endsOf(samples) {
  const { tested, between } = contrastAll(samples);
  const contrast = between(1, 0);
  if (contrast === null) return null;
  const [low, high] = samples.map(medianOf);
  return { tested, medians: { low, high }, contrast };
}

/**
 * Which end a release is like.
 * @param {Sample[]} samples of the lower end, the release and the upper end, in the same rounds
 * @returns null with fewer than two runs of one
 */
export function sideOf(samples) {
  const { tested, between } = contrastAll(samples);
  const [toLow, toHigh, whole] = [between(1, 0), between(1, 2), between(2, 0)];
  if (toLow === null || toHigh === null || whole === null) return null;
  const way = size(whole);
  const isLike = (/** @type {Contrast} */ contrast) =>
    !contrast.differs || size(contrast) <= SMALL_PART * way;
  const [likeLow, likeHigh] = [isLike(toLow), isLike(toHigh)];
  /** @type {Answer} */
  const nearer = size(toLow) <= size(toHigh) ? 'low' : 'high';
  const [low, release, high] = samples.map(medianOf);
  return {
    tested,
    toLow,
    toHigh,
    medians: { low, release, high },
    side: likeLow || likeHigh ? nearer : /** @type {Answer} */ ('between'),
    // If it is like both, the nearer one is only a guess.
    sure: !(likeLow && likeHigh),
  };
}

/** @param {Contrast} contrast @returns {number} the same for 2x and for half */
const size = ({ ratio }) => Math.abs(Math.log(ratio));
