const COUNTS = { '': 1, k: 1e3, m: 1e6, g: 1e9 };
const BYTES = { ...COUNTS, b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** @param {Record<string, number>} units @returns {(value: unknown) => number | null} null if not a whole number */
const quantityIn = (units) => (value) => {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(?:\s?([a-z]+))?$/.exec(String(value).toLowerCase()) ?? [];
  const exact = Number(number) * units[unit];
  // 1.005 * 1000 is slightly less than 1005.
  const whole = Math.round(exact);
  return Number.isSafeInteger(whole) && Math.abs(exact - whole) < 1e-3 ? whole : null;
};

/** `500`, `10k`, `1.5m`. */
export const countOf = quantityIn(COUNTS);

/** `500`, `100kb`, `1.5 MB`; at least 1. @param {unknown} value */
export const byteSize = (value) => quantityIn(BYTES)(value) || null;

/** @param {string | undefined} argument @param {number} from @param {number} to @param {string} expected in words */
export function numberOrError(argument = '', from, to, expected) {
  const number = Number(argument);
  if (/^\d+$/.test(argument) && number >= from && number <= to) return number;
  throw new Error(`expected ${expected}; got '${argument}'`);
}
