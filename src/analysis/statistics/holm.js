/**
 * Holm's correction: p values of several comparisons made larger, so that the chance to claim a
 * difference anywhere where there is none stays what it is for one comparison.
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
