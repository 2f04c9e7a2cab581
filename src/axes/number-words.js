/** @param {number} value @returns {string} whole, with thousands apart */
export const whole = (value) => Math.round(value).toLocaleString('en-US');

/** @param {number} number @param {string} one @param {string} [many] @returns {string} `1 task`, `8 tasks` */
export const count = (number, one, many = `${one}s`) => `${whole(number)} ${number === 1 ? one : many}`;

/** @param {number} us @returns {string} in the largest unit that needs no more than three digits: `50 µs`, `1.5 ms` */
export function duration(us) {
  const [size, unit] = DURATION_UNITS.find(([each]) => us >= each) ?? [1, 'µs'];
  return `${Number((us / size).toPrecision(3))} ${unit}`;
}

/** @type {[us: number, unit: string][]} */
const DURATION_UNITS = [
  [1e6, 's'],
  [1000, 'ms'],
];
