/**
 * Spreads each command as evenly as possible over the cycle: the one that is most behind its share is next.
 * @param {Record<string, number>} shares @returns {string[]}
 */
export function interleave(shares) {
  const divisor = Object.values(shares).reduce(greatestCommonDivisor);
  const wanted = Object.entries(shares).map(([name, share]) => ({ name, share: share / divisor, done: 0 }));
  const length = wanted.reduce((sum, { share }) => sum + share, 0);
  return Array.from({ length }, (_, position) => {
    const behind = (/** @type {typeof wanted[number]} */ each) =>
      ((position + 1) * each.share) / length - each.done;
    const next = wanted.reduce((most, each) => (behind(each) > behind(most) ? each : most));
    next.done++;
    return next.name;
  });
}

/** @param {number} a @param {number} b @returns {number} */
const greatestCommonDivisor = (a, b) => (b === 0 ? a : greatestCommonDivisor(b, a % b));
