/** @import { Finding, FindingFigures, NoConclusion } from '../judge/types.js' */

/** @param {{id: string}[]} cells @param {string | null} [group] null for the whole benchmark */
export const about = (cells, group = null) => ({ group, cells: cells.map(({ id }) => id) });

/**
 * @param {Exclude<NoConclusion, {mostTimes: number} | {mostRuns: number}>['reason']} reason
 * @param {{id: string}[]} cells @param {string | null} [group] @returns {Finding}
 */
export const noConclusion = (reason, cells, group) => ({
  kind: 'no-conclusion',
  reason,
  ...about(cells, group),
});

/** @param {{cell: string}[]} found @param {FindingFigures} figures @param {string | null} [group] @returns {Finding[]} */
export function foundIn(found, { kind, ...figures }, group = null) {
  const cells = found.map(({ cell }) => cell);
  return found.length === 0 ? [] : [/** @type {Finding} */ ({ kind, group, cells, ...figures })];
}
