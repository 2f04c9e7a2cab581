/** Numbers in words. Unknown ones are a blank. */

/** @param {number | null | undefined} value @returns {string} `12,345` */
export const whole = (value) => (value == null ? '' : Math.round(value).toLocaleString('en-US'));

/** @param {number} number @param {string} one @param {string} [many] @returns {string} `task`, `tasks` */
export const plural = (number, one, many = `${one}s`) => (number === 1 ? one : many);

/** @param {number} number @param {string} one @param {string} [many] @returns {string} `1 task`, `8 tasks` */
export const count = (number, one, many) => `${whole(number)} ${plural(number, one, many)}`;

/** @param {number} us @returns {string} `250 µs`, `2.5 ms`, `12 s`, `10 min` */
export const duration = (us) => durationIn(us, 2);

/** @param {number} us @returns {string} as it was asked for: `1.25 ms` */
export const askedDuration = (us) => durationIn(us, 3);

/** @param {number} us @param {number} digits */
function durationIn(us, digits) {
  const rounded = Number(us.toPrecision(digits));
  const [, size, unit] = DURATION_UNITS.find(([from]) => rounded >= from) ?? DURATION_UNITS[3];
  return `${Number((rounded / size).toPrecision(digits))} ${unit}`;
}

/** `90 s` is read at once, `600 s` is not. @type {[from: number, us: number, unit: string][]} */
const DURATION_UNITS = [
  [120e6, 60e6, 'min'],
  [1e6, 1e6, 's'],
  [1000, 1000, 'ms'],
  [0, 1, 'µs'],
];

/**
 * @template Item @param {Item[]} items @param {(item: Item) => number} of
 * @returns {Item[]} the one or two in the middle: what they consist of adds up to the median
 */
export function middleOf(items, of) {
  const sorted = items.toSorted((one, other) => of(one) - of(other));
  return sorted.slice(Math.floor((items.length - 1) / 2), Math.floor(items.length / 2) + 1);
}
