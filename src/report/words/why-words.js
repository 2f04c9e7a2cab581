import { bullets, wrap } from './wrap.js';

/** @import { Comparison } from '../../analysis/types.js' */

/**
 * What the figures of a group mean, and why.
 *
 * @param {Comparison} comparison
 * @param {boolean} smoke
 * @param {number} width
 * @returns {string[]} lines
 */
export function wordsOf({ conclusion, explanation }, smoke, width) {
  if (smoke) return [];
  const reasons = explanation.flatMap((sentence) => bullets(sentence, width));
  return [...wrap(conclusion, width), ...(reasons.length > 0 ? ['Why:', ...reasons] : [])];
}
