/** How figures are written everywhere. Unknown values are a blank or a question mark. */

/** @import { Metric, Unit } from './types.js' */

/** @param {number | null | undefined} value @returns {string} `1,250` */
export const whole = (value) => (value == null ? '' : Math.round(value).toLocaleString('en-US'));

/** @param {number | null | undefined} value @returns {string} `1,250`, `2.4`: whole figures of a few would hide differences */
export const perSecond = (value) =>
  value != null && value > 0 && value < 9.95 ? value.toFixed(1) : whole(value);

/** @param {number | null | undefined} value @returns {string} `3.9` */
export const tenths = (value) => value?.toFixed(1) ?? '?';

/** @param {number | null | undefined} share of 1 @returns {string} `97 %`; `0.4 %` below one percent */
export function percent(share) {
  if (share == null) return '? %';
  const value = share * 100;
  if (value === 0 || value >= 0.95) return `${Math.round(value)} %`;
  return value < 0.05 ? 'under 0.1 %' : `${value.toFixed(1)} %`;
}

/** @param {number | null | undefined} value @param {string} unit @param {number} digits significant ones, up to 99 */
const inUnit = (value, unit, digits) =>
  value == null ? `? ${unit}` : `${value >= 99.5 ? whole(value) : Number(value.toPrecision(digits))} ${unit}`;

/** @param {number | null | undefined} microseconds @param {number} [digits] @returns {string} `0.43 µs`, `23 µs` */
export const micro = (microseconds, digits = 2) => inUnit(microseconds, 'µs', digits);

/** @param {number | null | undefined} milliseconds @returns {string} `8.4 ms`, `12 ms` */
export const milli = (milliseconds) =>
  milliseconds == null
    ? '? ms'
    : `${milliseconds >= 9.95 ? whole(milliseconds) : milliseconds.toFixed(1)} ms`;

/** @param {number | null | undefined} bytes @param {number} [digits] @returns {string} `8.4 kB` */
export const kilobytes = (bytes, digits = 2) => inUnit(bytes == null ? bytes : bytes / 1000, 'kB', digits);

/** @param {number} microseconds @returns {string} `250 µs`, `2.5 ms`, `12 s`, `10 min` */
export function duration(microseconds) {
  const rounded = Number(microseconds.toPrecision(2));
  const [, size, unit] = DURATION_UNITS.find(([from]) => rounded >= from) ?? DURATION_UNITS[3];
  return `${Number((rounded / size).toPrecision(2))} ${unit}`;
}

/** `90 s` is read at once, `600 s` is not. @type {[from: number, microseconds: number, unit: string][]} */
const DURATION_UNITS = [
  [120e6, 60e6, 'min'],
  [1e6, 1e6, 's'],
  [1000, 1000, 'ms'],
  [0, 1, 'µs'],
];

/** All others are whole. @type {Partial<Record<Unit, (value: number | null | undefined, digits?: number) => string>>} */
const BY_UNIT = { ms: milli, µs: micro, bytes: kilobytes, share: percent, 'ops/s': perSecond };

/** @param {Metric} metric @param {number | null | undefined} value @param {number} [digits] significant ones @returns {string} */
export const textOf = ({ unit, text = BY_UNIT[unit] ?? whole }, value, digits) => text(value, digits);
