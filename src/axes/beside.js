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
  place: (cell) => (companyOf(cell) ? `beside ${companyOf(cell)}` : 'without company'),
  title: (cell) => (companyOf(cell) ? `beside ${companyOf(cell)}` : ''),
  notMeasured: {
    what: 'company',
    other: companyOf,
    held: (cell) => (companyOf(cell) ? `beside ${companyOf(cell)}` : ''),
  },
};

/** @param {AxisCell} cell @returns {string} `GET 1mb @ 20/s + BLPOP 1s`; empty for none */
function companyOf({ beside: parts = [] }) {
  return parts.map(({ name }) => name).join(' + ');
}
