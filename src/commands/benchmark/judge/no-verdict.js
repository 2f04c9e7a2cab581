/** @import { CellResult, Tested } from '../../../store/types.js' */
/** @import { MeasuredCell } from './compare-group.js' */
/** @import { About, GroupComparison, NoVerdict, PlainReason } from './types.js' */

/** @type {(cells: {id: string}[], group?: string | null) => About} `group`: null for the whole benchmark */
export const about = (cells, group = null) => ({ group, cells: cells.map(({ id }) => id) });

/** @type {(reason: PlainReason, cells: {id: string}[], group?: string | null) => NoVerdict} */
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

/**
 * Where nothing is compared: what a test said of it would be read as a result.
 * @param {GroupComparison} comparison @returns {GroupComparison}
 */
export function uncompared({ tested, ranking, versions, ...comparison }) {
  const without = { toPrevious: null, toNewest: null };
  return {
    ...comparison,
    tested: tested.by === null ? tested : { ...tested, by: null, comparisons: 0, reason: 'not-compared' },
    ranking: ranking.map(({ verdict, ...ranked }) => ({
      ...ranked,
      verdict: verdict === null || verdict === 'not measured' ? verdict : 'not decided',
      againstFastest: null,
      againstFirst: null,
    })),
    versions: versions.map(({ axis, entries }) => ({
      axis,
      entries: entries.map(({ opsPerSecond, cpuUsPerOp, ...entry }) => ({
        ...entry,
        opsPerSecond: { ...opsPerSecond, ...without },
        cpuUsPerOp: { ...cpuUsPerOp, ...without },
      })),
    })),
  };
}
