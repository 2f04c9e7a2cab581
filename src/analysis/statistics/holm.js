/**
 * Holm's correction: raises the p values of several comparisons, so that the chance of any false claim among
 * them is what it is for one.
 *
 * @param {number[]} ps
 * @returns {number[]} in the same order
 */
export function holm(ps) {
  const corrected = new Array(ps.length).fill(1);
  let largest = 0;
  const ascending = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  for (const [rank, { p, index }] of ascending.entries()) {
    largest = Math.min(1, Math.max(largest, p * (ps.length - rank)));
    corrected[index] = largest;
  }
  return corrected;
}
