import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { MEASURING } from '../../core/method.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { Cell } from '../../core/plan/types.js' */

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

/**
 * The runs of each cell in each of its starts. All cells are started equally often where the user says how often, and where a
 * gate judges (assertions, releases): a cell that is left behind after one start could not be judged.
 * @param {Pick<Settings, 'starts' | 'runs' | 'races' | 'smoke'>} settings
 * @param {Pick<Cell, 'openLoop' | 'version'>[]} cells of a group @returns {number[] | 'race'}
 */
export function startsOf({ starts, runs, races, smoke }, cells) {
  // A given rate is sustained or not, whatever a start adds to the CPU time.
  if (smoke || cells.some(({ openLoop }) => openLoop !== null)) return [runs];
  if (races) {
    const isRace = cells.length > 1 && cells.every(({ version }) => version === null);
    return isRace ? 'race' : new Array(MEASURING.fixedStarts).fill(MEASURING.runs);
  }
  const count = starts === 'auto' ? Math.min(MEASURING.fixedStarts, runs) : starts;
  const upTo = (/** @type {number} */ start) => Math.floor((start * runs) / count);
  return Array.from({ length: count }, (_, index) => upTo(index + 1) - upTo(index));
}
