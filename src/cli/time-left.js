import ms from 'ms';

/** @import { Cell, Plan } from '../plan/types.js' */
/** @import { Run } from '../results/types.js' */

/** Cells that have run repeat their last time; the others take the plan's estimate. @param {Plan} plan */
export function createTimeLeft({ groups, runs, estimateMs }) {
  const assumedMs = estimateMs === null ? null : estimateMs / runs;
  /** @type {Map<string, {left: number, lastMs: number | null}>} */
  const cells = new Map(
    groups.flat().map(({ id }) => [id, { left: runs / groups.flat().length, lastMs: null }]),
  );
  return {
    /** @param {Cell} cell @param {Run} run */
    ran({ id }, run) {
      const left = (cells.get(id)?.left ?? 1) - 1;
      cells.set(id, { left, lastMs: run.elapsedMs });
    },

    /** @returns {string} such as `12s left, `; empty if unknown */
    text() {
      let sum = 0;
      for (const { left, lastMs } of cells.values()) {
        const each = lastMs ?? assumedMs;
        if (each === null) return '';
        sum += left * each;
      }
      return `${inWords(sum)} left, `;
    },
  };
}

/** @param {number} milliseconds @returns {string} such as `35 s` or `2 min` */
export const inWords = (milliseconds) =>
  ms(Math.max(1000, Math.round(milliseconds / 1000) * 1000))
    .replace(/(\d)s$/, '$1 s')
    .replace(/(\d)m$/, '$1 min');
