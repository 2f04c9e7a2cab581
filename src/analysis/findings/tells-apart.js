/** @import { Finding, GroupComparison } from '../types.js' */

/**
 * The control: each cell was held against itself, start against start, which says how small a difference could
 * be told from none in this very benchmark.
 *
 * @param {GroupComparison[]} comparisons
 * @returns {Finding[]} none where each cell had one start
 */
export const controlOf = (comparisons) =>
  comparisons.flatMap(({ group, tested: { starts, tellsApart }, ranking }) =>
    starts === undefined || tellsApart === undefined
      ? []
      : { kind: 'control', group, cells: ranking.map(({ cell }) => cell), starts, tellsApart },
  );

/**
 * @param {GroupComparison[]} comparisons
 * @returns {Finding[]} differences from the fastest cell that other programs may have made
 */
export const doubtedOf = (comparisons) =>
  comparisons.flatMap(({ group, ranking }) =>
    ranking.flatMap(({ cell, againstFastest }) => {
      const of = againstFastest?.notBorneOut;
      if (of === undefined) return [];
      const faster = ranking[0].cell;
      return /** @type {Finding} */ ({
        kind: 'not-borne-out',
        group,
        cells: [cell, faster],
        slower: cell,
        faster,
        of,
      });
    }),
  );
