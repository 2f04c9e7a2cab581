import { contrastAll, medianOf } from '../core/statistics/contrasts.js';

/** @import { Bisection, BisectionQuestion } from '../benchmark/types.js' */
/** @import { Contrast, Sample, Tested } from '../benchmark/judge/types.js' */

/** @template T @typedef {Omit<T, 'test'> & {tested: Tested}} Untested whose test has no words yet */

/**
 * Within this part of the way from one end to the other, on a logarithmic scale, a release is on that end's side even
 * if it differs significantly: processes of one release differ by a few percent, too.
 */
const SMALL_PART = 0.25;

/**
 * Whether the two ends of a range of releases differ.
 * @param {Sample[]} samples of both ends, in the same rounds @returns {Untested<NonNullable<Bisection['ends']>> | null}
 * null with fewer than two runs of one
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
 * @returns {Untested<Pick<BisectionQuestion, 'side' | 'sure' | 'medians' | 'toLow' | 'toHigh' | 'test'>> | null} null
 * with fewer than two runs of one
 */
export function sideOf(samples) {
  const { tested, between } = contrastAll(samples);
  const [toLow, toHigh, whole] = [between(1, 0), between(1, 2), between(2, 0)];
  if (toLow === null || toHigh === null || whole === null) return null;
  const way = size(whole);
  const isLike = (/** @type {Contrast} */ contrast) =>
    !contrast.differs || size(contrast) <= SMALL_PART * way;
  const [likeLow, likeHigh] = [isLike(toLow), isLike(toHigh)];
  const nearer = size(toLow) <= size(toHigh) ? 'low' : 'high';
  const [low, release, high] = samples.map(medianOf);
  return {
    tested,
    toLow,
    toHigh,
    medians: { low, release, high },
    side: likeLow || likeHigh ? nearer : 'between',
    // If it is like both, the nearer one is only a guess.
    sure: !(likeLow && likeHigh),
  };
}

/** @param {Contrast} contrast @returns {number} the same for 2x and for half */
const size = ({ ratio }) => Math.abs(Math.log(ratio));
