import { whole } from '../../metrics/text.js';

/** How figures and ratios are written, the same everywhere. */
export { duration, kilobytes, micro, percent, whole } from '../../metrics/text.js';

/** @param {number} ratio @returns {string} `1.3x`, `17x` */
export const times = (ratio) => `${ratio < 9.95 ? ratio.toFixed(1) : Math.round(ratio)}x`;

/**
 * A ratio with its interval, two digits where it is small, so that a claimed difference never reads as none.
 *
 * @param {{ratio: number, low: number, high: number}} contrast
 * @returns {string} `2.4 times (2.1 to 2.6)`
 */
export function ratioText({ ratio, low, high }) {
  const digits = ratio < 1.5 ? 2 : ratio < 9.95 ? 1 : 0;
  const text = (/** @type {number} */ value) => (digits > 0 ? value.toFixed(digits) : whole(value));
  return `${text(ratio)} times (${text(low)} to ${text(high)})`;
}
