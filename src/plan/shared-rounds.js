import { roundsOf } from '../axes/ids.js';

/** @import { Cell } from './types.js' */

/**
 * Groups that differ in a condition whose values are held against each other, such as company, are measured as one:
 * what happens on the machine meanwhile then falls on all of them.
 *
 * @param {Cell[][]} groups
 * @returns {{index: number, cells: Cell[]}[]} with the place of the last of them
 */
export function inSameRounds(groups) {
  /** @type {Map<string, {index: number, cells: Cell[]}>} */
  const found = new Map();
  for (const [index, own] of groups.entries()) {
    const key = roundsOf(own[0]);
    found.set(key, { index, cells: [...(found.get(key)?.cells ?? []), ...own] });
  }
  return [...found.values()];
}
