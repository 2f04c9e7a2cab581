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
