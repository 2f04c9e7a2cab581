/** How figures are written, the same everywhere. What is not known is a blank or a question mark. */

/** @param {number | null | undefined} value @returns {string} whole, with thousands apart */
export const whole = (value) => (value == null ? '' : Math.round(value).toLocaleString('en-US'));

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

/** @param {number | null | undefined} share of 1 @returns {string} `97 %` */
export const percent = (share) => (share == null ? '? %' : `${Math.round(share * 100)} %`);

/** @param {number | null | undefined} microseconds @returns {string} two significant digits: `0.43 µs`, `23 µs`, `1,250 µs` */
export function micro(microseconds) {
  if (microseconds == null) return '? µs';
  return microseconds >= 99.5 ? `${whole(microseconds)} µs` : `${Number(microseconds.toPrecision(2))} µs`;
}

/** @param {number | null | undefined} bytes @returns {string} `8.4 kB` */
export function kilobytes(bytes) {
  if (bytes == null) return '? kB';
  return `${bytes >= 99_500 ? whole(bytes / 1000) : Number((bytes / 1000).toPrecision(2))} kB`;
}

/** @param {number} microseconds @returns {string} in the unit that needs few digits: `250 µs`, `2.5 ms`, `12 s` */
export function duration(microseconds) {
  const rounded = Number(microseconds.toPrecision(2));
  const [size, unit] = DURATION_UNITS.find(([each]) => rounded >= each) ?? DURATION_UNITS[2];
  return `${Number((rounded / size).toPrecision(2))} ${unit}`;
}

/** @type {[microseconds: number, unit: string][]} */
const DURATION_UNITS = [
  [1e6, 's'],
  [1000, 'ms'],
  [1, 'µs'],
];
