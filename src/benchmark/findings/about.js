/** @param {{id: string}[]} cells @param {string | null} [group] null for the whole benchmark */
export const about = (cells, group = null) => ({ group, cells: cells.map(({ id }) => id) });

/**
 * `cells`: those that were not warm and yet far ahead, or the winners.
 * @typedef {'smoke' | 'no-result' | 'nothing-to-compare' | 'single-runs' | 'ahead-though-cold' | 'no-choice-differs'} PlainReason
 * @typedef {{mostRuns: number, widestReachShare: number, tellsApart?: number}} Scatter
 * @typedef {{group: string | null, cells: string[]} & ({reason: PlainReason} | {reason: 'copies-differ', mostTimes: number}
 *   | ({reason: 'no-difference'} & Scatter) | ({reason: 'too-noisy', farthestApartTimes: number} & Scatter))} Silence
 */

/** @param {PlainReason} reason @param {{id: string}[]} cells @param {string | null} [group] @returns {Silence} */
export const noConclusion = (reason, cells, group = null) => ({ reason, ...about(cells, group) });
