/** @import { Part } from './types.js' */

/**
 * What a process does where a cell's processes do different things: they take the roles in turns, and
 * those with the same role share its work. So the keys are shared out among them, and each role as a
 * whole goes over all keys in the same order.
 *
 * @param {Part} part among all processes of the cell
 * @param {number} roles
 * @returns {{role: number, part: Part}} `part` among those with the same role
 */
export const roleOf = ({ index, count }, roles) => ({
  role: index % roles,
  part: { index: Math.floor(index / roles), count: count / roles },
});
