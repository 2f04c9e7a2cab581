/**
 * @import { Pen } from '../../charts/plot.js'
 * @import { State } from '../../tables/result-rows.js'
 */

/**
 * @param {State} state of a cell
 * @param {Pen['colors']} colors
 * @returns {(text: string) => string} colours its row
 */
export function painter(state, colors) {
  const plain = (/** @type {string} */ text) => text;
  const each = (/** @type {(text: string) => string} */ paint) => (/** @type {string} */ text) =>
    text === '' ? text : paint(text);
  return {
    fastest: each(colors.green),
    close: plain,
    floor: each(colors.cyan),
    slower: plain,
    failed: each(colors.red),
    skipped: each(colors.dim),
    'too short': each(colors.red),
    'not warm': each(colors.red),
    'not run': each(colors.dim),
  }[state];
}
