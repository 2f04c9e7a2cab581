/** @import { Row } from '../tables/result-rows.js' */

/**
 * @param {Row[]} rows
 * @returns {string | null} `95 % interval`: what the intervals of operations a second cover, at least; null
 *   where there are none
 */
export function coverageText(rows) {
  const levels = rows.flatMap(({ cell }) => cell.summary?.intervals.opsPerSecond?.level ?? []);
  if (levels.length === 0) return null;
  // Few runs have no interval of 95 %: five reach 93.75.
  const level = Math.min(...levels) * 100;
  return `${Math.floor(level * 10) / 10} % interval`;
}
