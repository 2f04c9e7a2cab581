/** @import { Row } from '../tables/result-rows.js' */

/**
 * @param {Row[]} rows
 * @returns {string | null} `95 % interval`: the least coverage of the intervals of operations a second; null
 *   if there are none
 */
export function coverageText(rows) {
  const levels = rows.flatMap(({ cell }) => cell.summary?.intervals.opsPerSecond?.level ?? []);
  if (levels.length === 0) return null;
  return `${coverage(Math.min(...levels))} interval`;
}

/** @param {number} level @returns {string} `93.7 %` of five runs, which have no interval of 95 %; never more than it is */
export const coverage = (level) => `${Math.floor(level * 1000) / 10} %`;
