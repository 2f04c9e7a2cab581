/** @import { Axis, AxisCell } from './types.js' */

/**
 * Other traffic on the same connections. Older results have none, and do not say so.
 *
 * @type {Axis}
 */
export const beside = {
  id: 'beside',
  role: 'condition',
  sharesRounds: true,
  of: (cell) => companyOf(cell) || null,
  idPart: (cell) => (companyOf(cell) ? `beside ${companyOf(cell)}` : ''),
  row: (cell) => (companyOf(cell) ? `beside ${companyOf(cell)}` : 'no company'),
  title: (cell) => (companyOf(cell) ? `beside ${companyOf(cell)}` : ''),
};

/** @param {AxisCell} cell @returns {string} `GET 1mb @ 20/s + BLPOP 1s`; empty for none */
const companyOf = ({ beside: parts = [] }) => parts.map(({ name }) => name).join(' + ');
