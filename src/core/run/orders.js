import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * The cells in random orders (Fisher-Yates). What drifts on a machine (clock speed, neighbours, memory) then affects all
 * cells alike, not always the last.
 * @template T @param {readonly T[]} cells of one group @param {number} count of orders @param {number} seed @returns {T[][]}
 */
export function createOrders(cells, count, seed) {
  const random = xoroshiro128plus(seed);
  return Array.from({ length: count }, () => {
    const order = [...cells];
    for (let last = order.length - 1; last > 0; last--) {
      const pick = uniformInt(random, 0, last);
      [order[last], order[pick]] = [order[pick], order[last]];
    }
    return order;
  });
}
