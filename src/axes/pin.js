/** @import { Axis } from './types.js' */

/**
 * On which processors the workers run. It is no condition: with `--pin apart,same` a user asks what sharing a
 * processor costs, and sees that only where both stand in one group. It is no choice either: nobody moves a
 * service next to its Redis because of a benchmark, so advice and ceilings hold it fixed.
 *
 * @type {Axis}
 */
export const pin = {
  id: 'pin',
  role: 'placement',
  of: (cell) => cell.pin,
  idPart: (cell) => cell.pin,
  row: (cell) => cell.pin,
};
