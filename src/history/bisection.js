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
