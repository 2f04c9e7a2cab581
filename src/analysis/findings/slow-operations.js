import { sum } from 'simple-statistics';
import { chanceOf, slowestOf } from '../statistics/slowest.js';
import { about } from './about.js';

/** @import { CellResult, Slowest, SlowOperation } from '../../results/types.js' */
/** @import { Finding } from '../types.js' */

/** The most specific first: a collection without CPU takes long, too. */
const KINDS = ['cpu', 'garbage', 'server', 'reply', 'busy'];
const FEWEST = 3;
/** How much of all that is claimed of a group may be chance. */
const LEVEL = 0.01;

/** @param {CellResult} cell */
export const slowestIn = ({ runs }) =>
  slowestOf(runs.flatMap(({ failed, slowest }) => (failed === null && slowest ? [slowest] : [])));

/** What the slowest operations of each cell waited for. @param {CellResult[]} cells of one group @returns {Finding[]} */
export function slowOperations(cells) {
  const known = cells
    .map((cell) => ({ cell, slowest: slowestIn(cell) }))
    .filter(({ slowest }) => slowest.operations.length >= FEWEST);
  return known.flatMap(({ cell, slowest }) => {
    const waits = waitsIn(slowest, LEVEL / known.length);
    if (waits.length === 0) return [];
    const all = slowest.operations.map(({ ms }) => ms * 1000);
    const range = { count: all.length, leastUs: Math.min(...all), mostUs: Math.max(...all) };
    return [{ kind: 'slow-operations', ...about([cell], cell.group), cell: cell.id, ...range, waits }];
  });
}

/**
 * Names what happened during half of an operation or more, if that is no coincidence: by chance an operation meets
 * something at least half as long with the share of time that such things take.
 * @param {Slowest} slowest @param {number} level
 */
export function waitsIn({ operations, covered, watchedMs }, level) {
  const whats = Object.keys(covered).sort((a, b) => rankOf(a) - rankOf(b));
  let unexplained = operations;
  return whats.flatMap((what) => {
    const met = operations.filter((operation) => isHalfOf(operation, what));
    const chances = operations.map(({ ms }) =>
      Math.min(1, sum(longParts(covered[what], ms / 2)) / watchedMs),
    );
    const own = unexplained.filter((operation) => met.includes(operation));
    if (own.length < FEWEST || chanceOf(chances, met.length) > level / whats.length) return [];
    unexplained = unexplained.filter((operation) => !own.includes(operation));
    return [{ what, count: own.length }];
  });
}

/** @param {string} what @returns {number} 0 for the most specific kind */
export const rankOf = (what) => KINDS.indexOf(what.split(' ')[0]);

/** @param {SlowOperation} operation @param {string} what */
const isHalfOf = ({ ms, during }, what) => during.some((part) => part.what === what && part.ms >= ms / 2);

/** @param {Record<string, number>} lengths time by length @param {number} leastMs */
const longParts = (lengths, leastMs) =>
  Object.entries(lengths).flatMap(([upToMs, ms]) => (Number(upToMs) >= leastMs ? ms : []));
