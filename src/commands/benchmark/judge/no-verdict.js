/** @import { CellResult, Tested } from '../../../store/types.js' */
/** @import { MeasuredCell } from './compare-group.js' */

/**
 * Why nothing is recommended. `cells`: those that were not warm and yet far ahead, or the winners.
 * @typedef {'smoke' | 'no-result' | 'nothing-to-compare' | 'single-runs' | 'ahead-though-cold'} PlainReason
 * @typedef {{mostRuns: number, widestReachShare: number, tellsApart?: number}} Scatter
 * @typedef {{group: string | null, cells: string[]} & ({reason: PlainReason} | {reason: 'copies-differ', mostTimes: number}
 *   | ({reason: 'no-difference'} & Scatter) | ({reason: 'too-noisy', farthestApartTimes: number} & Scatter))} NoVerdict
 */

/** @param {{id: string}[]} cells @param {string | null} [group] null for the whole benchmark */
export const about = (cells, group = null) => ({ group, cells: cells.map(({ id }) => id) });

/** @param {PlainReason} reason @param {{id: string}[]} cells @param {string | null} [group] @returns {NoVerdict} */
export const noConclusion = (reason, cells, group = null) => ({ reason, ...about(cells, group) });

/** The smallest difference that could be claimed; 0 where starts were not compared. @param {Tested} tested */
export const noiseFloorOf = ({ tellsApart = 0 }) => tellsApart ?? Number.POSITIVE_INFINITY;

/** On a busy machine starts of one cell differ by as much. */
const FAR_AHEAD = 2;

/** Far ahead of all warm cells; warm they would be even faster. @param {{cells: CellResult[], ranked: MeasuredCell[]}[]} groups */
export const aheadThoughCold = (groups) =>
  groups.flatMap(({ cells, ranked: [fastest] }) =>
    cells.filter(
      ({ floor, warm, summary }) =>
        warm === false &&
        !floor &&
        summary &&
        !summary.tooShort &&
        summary.opsPerSecond > FAR_AHEAD * (fastest?.summary.opsPerSecond ?? Number.POSITIVE_INFINITY),
    ),
  );
