/** @import { Contrast, GroupComparison } from '../types.js' */

/**
 * Whether a cell can be claimed to be slower than the fastest.
 *
 * @param {Pick<GroupComparison['ranking'][number], 'againstFastest'>} place
 */
export const isSlower = ({ againstFastest }) => againstFastest?.differs ?? false;

/**
 * @param {Contrast} contrast
 * @returns {Contrast} the same comparison the other way round
 */
export const inverse = (contrast) => ({
  ...contrast,
  ratio: 1 / contrast.ratio,
  low: 1 / contrast.high,
  high: 1 / contrast.low,
});
