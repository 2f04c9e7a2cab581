import { axesOf } from './all-axes.js';

/** @import { AxisCell } from './types.js' */

/**
 * Cells for which this is the same are measured in the same rounds: those of a group, and of groups that are held
 * against each other.
 *
 * @param {AxisCell} cell
 */
export const roundsOf = (cell) =>
  JSON.stringify(
    axesOf([cell])
      .filter(({ role, sharesRounds = false }) => role === 'condition' && !sharesRounds)
      .map(({ id, of }) => [id, of(cell) ?? null]),
  );
