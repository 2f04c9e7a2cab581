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
  /** @type {Map<string, {cell: Cell, warm: number | null, rates: number[]}>} */
  let figures = new Map();
  return {
    /** @param {Cell[]} cells of the same rounds */
    begin(cells) {
      const ranked = cells.filter(({ floor, openLoop, fault }) => !floor && !openLoop && !fault);
      const isOneGroup = ranked.every(({ group }) => group === ranked[0].group);
      figures = new Map((isOneGroup ? ranked : []).map((cell) => [cell.id, { cell, warm: null, rates: [] }]));
    },

    /** @param {Cell} cell @param {number} perMs iterations of a task in the warm-up */
    warmed({ id, tasks }, perMs) {
      const own = figures.get(id);
      if (own) own.warm = perMs * tasks * 1000;
    },

    /** @param {Cell} cell @param {Run} run */
    ran({ id }, { failed, opsPerSecond }) {
      if (failed !== null || opsPerSecond === null) figures.delete(id);
      else figures.get(id)?.rates.push(opsPerSecond);
    },

    /** @returns {string[]} empty until two cells are warm, or with nothing to compare */
    lines() {
      const cells = [...figures.values()];
      const known = cells.flatMap(({ cell, warm, rates }) =>
        rates.length > 0 ? { cell, rate: median(rates) } : warm ? { cell, rate: warm } : [],
      );
      if (known.length < 2) return [];
      const fewest = Math.min(...cells.map(({ rates }) => rates.length));
      const [best, ...others] = known.sort((a, b) => b.rate - a.rate);
      const more = others.length - MOST_LINES + 1;
      return [
        fewest > 0
          ? `after ${count(fewest, 'run')} of each cell:`
          : `after the warm-up of ${known.length} of ${count(cells.length, 'cell')}:`,
        `  ${nameOf(best.cell)}: ${whole(best.rate)}/s`,
        ...others
          .slice(0, MOST_LINES - 1)
          .map(({ cell, rate }) => `  ${nameOf(cell)}: ${slower(best.rate / rate)}`),
        ...(more > 0 ? [`  … and ${more} more`] : []),
      ];
    },
  };
}
