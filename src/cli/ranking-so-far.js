import { median } from 'simple-statistics';
import { count } from '../axes/number-words.js';
import { times, whole } from '../report/words/figures.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Run } from '../results/types.js' */

/** A small terminal still shows earlier lines. */
const MOST_LINES = 5;

/** @param {number} ratio */
const slower = (ratio) => (ratio < 1.05 ? 'about as fast' : `${times(ratio)} slower`);

/** Ranks the current cells, the fastest first, without significance tests. @param {(cell: Cell) => string} nameOf */
export function createRankingSoFar(nameOf) {
  /** @type {Map<string, {cell: Cell, rates: number[]}>} */
  let figures = new Map();
  return {
    /** @param {Cell[]} cells of the same rounds */
    begin(cells) {
      const ranked = cells.filter(({ floor, openLoop, fault }) => !floor && !openLoop && !fault);
      const isOneGroup = ranked.every(({ group }) => group === ranked[0].group);
      figures = new Map((isOneGroup ? ranked : []).map((cell) => [cell.id, { cell, rates: [] }]));
    },

    /** @param {Cell} cell @param {Run} run */
    ran({ id }, { failed, opsPerSecond }) {
      if (failed !== null || opsPerSecond === null) figures.delete(id);
      else figures.get(id)?.rates.push(opsPerSecond);
    },

    /** @returns {string[]} empty until each cell has a run, or with nothing to compare */
    lines() {
      const cells = [...figures.values()];
      const fewest = Math.min(...cells.map(({ rates }) => rates.length));
      if (cells.length < 2 || fewest === 0) return [];
      const [best, ...others] = cells
        .map(({ cell, rates }) => ({ cell, rate: median(rates) }))
        .sort((a, b) => b.rate - a.rate);
      const more = others.length - MOST_LINES + 1;
      return [
        `after ${count(fewest, 'run')} of each cell:`,
        `  ${nameOf(best.cell)}: ${whole(best.rate)}/s`,
        ...others
          .slice(0, MOST_LINES - 1)
          .map(({ cell, rate }) => `  ${nameOf(cell)}: ${slower(best.rate / rate)}`),
        ...(more > 0 ? [`  … and ${more} more`] : []),
      ];
    },
  };
}
