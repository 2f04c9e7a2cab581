/** @param {number} value @returns {string} `12,345` */
export const whole = (value) => Math.round(value).toLocaleString('en-US');

/** @param {number} number @param {string} one @param {string} [many] @returns {string} `1 task`, `8 tasks` */
export const count = (number, one, many = `${one}s`) => `${whole(number)} ${number === 1 ? one : many}`;

/** @param {number} us @returns {string} in three digits: `50 µs`, `1.5 ms`, `10 min` */
export function duration(us) {
  const [size, unit] =
    us >= MINUTES_FROM ? [60e6, 'min'] : (DURATION_UNITS.find(([each]) => us >= each) ?? [1, 'µs']);
  return `${Number((us / size).toPrecision(3))} ${unit}`;
}

/** Two minutes: `90 s` is read at once, `600 s` is not. */
const MINUTES_FROM = 120e6;

/** @type {[us: number, unit: string][]} */
const DURATION_UNITS = [
  [1e6, 's'],
  [1000, 'ms'],
];
