/** How figures are written everywhere. Unknown values are a blank or a question mark. */
import { whole } from '../numbers.js';

/** @import { Verdict } from '../statistics/contrasts.js' */

export { count, duration, whole } from '../numbers.js';

/** @param {number | null | undefined} value @returns {string} `1,250`, `2.4`: whole figures of a few would hide differences */
export const perSecond = (value) =>
  value != null && value > 0 && value < 9.95 ? value.toFixed(1) : whole(value);

/** @param {number | null | undefined} value @returns {string} `3.9`, `100,000` */
export const tenths = (value) => (value != null && value >= 1000 ? whole(value) : (value?.toFixed(1) ?? '?'));

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

/** @param {number} cpus such as 0.5; a damaged file may have none */
export const cpusText = (cpus) => `${Number(Number(cpus).toFixed(2))} ${cpus === 1 ? 'CPU' : 'CPUs'}`;

/** Ratios nearer to 1 than this count as 1. */
const AS_ONE = 0.0005;

/** @param {number} ratio @returns {string} `1.3x`, `17x`; `1.03x` and `0.17x` if one digit would say too little */
export function times(ratio) {
  if (ratio >= 9.95) return `${whole(ratio)}x`;
  if (ratio >= 1.095) return `${ratio.toFixed(1)}x`;
  const away = Math.abs(ratio - 1);
  return `${ratio.toFixed(away >= 0.005 || away < AS_ONE ? 2 : 3)}x`;
}

/**
 * What a comparison came to: `verdict` is null for the best itself; `low`, `high`: the interval of the ratio, null where no test gave
 * one; `starts`: of the one that was started least.
 * @typedef {{ratio: number, verdict: Verdict | null, low?: number | null, high?: number | null, starts?: number}} Compared
 */

/**
 * How sure a ratio is, in every table and sentence.
 * @param {Compared} compared
 * @returns {string} `best`, `1.4x (1.3–1.5)`, `≈ 1.02x (0.97–1.06)` of a tie, `1.4x? (0.9–2.1)` or `not decided` where the test
 *   carries no claim, `1.4x? one start` or `not compared` where there was none
 */
export function ratioText(compared) {
  const { ratio, verdict, low, high, starts } = compared;
  if (verdict === 'not measured') return starts === 1 ? `${times(ratio)}? one start` : 'not compared';
  if (isUnknown(compared)) return 'not decided';
  if (verdict === null || low == null || high == null) return ratioShort(compared);
  const write = times(low) === times(high) ? finer : times;
  const isClaim = verdict === 'slower' || verdict === 'faster';
  const [from, to] = [low, high].map((end) => (isClaim ? notOne(end, write) : write(end)));
  const mark = verdict === 'tied' ? '≈ ' : '';
  return `${mark}${write(ratio)}${verdict === 'not decided' ? '?' : ''}${bracketed(from, to)}`;
}

/** @param {Compared} compared @returns {string} for narrow tables: `best`, `1.4x`, `≈`, `1.1x?`, `?`; empty where it was not compared */
export function ratioShort(compared) {
  const { ratio, verdict } = compared;
  if (verdict === null) return 'best';
  if (verdict === 'not measured') return '';
  if (verdict === 'tied') return '≈';
  if (isUnknown(compared)) return '?';
  return `${times(ratio)}${verdict === 'not decided' ? '?' : ''}`;
}

/** @param {Compared} compared */
const isUnknown = ({ verdict, low, high }) =>
  verdict === 'not decided' && low != null && high != null && saysNothing({ low, high });

/** A claimed difference never reads as none. @param {number} end @param {(ratio: number) => string} write */
function notOne(end, write) {
  const text = write(end);
  return /^1\.?0*x$/.test(text) ? `${end.toFixed(Math.ceil(-Math.log10(Math.abs(end - 1))))}x` : text;
}

/** @param {string} low @param {string} high as ratios @returns {string} ` (1.3–1.5)`; empty where they read the same */
const bracketed = (low, high) => (low === high ? '' : ` (${low.slice(0, -1)}–${high.slice(0, -1)})`);

/**
 * @param {string} low @param {string} high @param {string} [to]
 * @returns {string} `9`, `9 to 12`, `5 to 8 %`: the unit once, if both have it
 */
export function spanText(low, high, to = ' to ') {
  if (low === high) return low;
  const [unit = ''] = /( \D+|\/s)$/.exec(high) ?? [];
  return `${low.endsWith(unit) ? low.slice(0, low.length - unit.length) : low}${to}${high}`;
}

/**
 * @template T @param {(value: number) => string} write @param {T[]} all @param {(each: T) => number} [of]
 * @returns {string} from the least to the greatest
 */
export function spanOf(write, all, of = Number) {
  const values = all.map(of);
  return spanText(write(Math.min(...values)), write(Math.max(...values)));
}

/** @param {number} perSecond @returns {string} in a sentence: `950/s`, `113k/s`, `1.2M/s` */
export function rateText(perSecond) {
  if (perSecond < 9950) return `${whole(perSecond)}/s`;
  const [size, unit] = perSecond < 999_500 ? [1e3, 'k'] : [1e6, 'M'];
  return `${Number((perSecond / size).toPrecision(3))}${unit}/s`;
}

/** @param {number} p @returns {string} `0.012`, `< 0.001` */
export const pText = (p) => (p < 0.001 ? '< 0.001' : p.toFixed(3));

/** @param {number} p @returns {string} in a sentence: `p = 0.012`, `p < 0.001` */
export const pEquals = (p) => `p ${p < 0.001 ? '' : '= '}${pText(p)}`;

/** @param {number} value @returns {string} with a digit more, where the ends of an interval would read the same */
const finer = (value) => `${value.toFixed(value >= 9.95 ? 1 : value >= 1.5 ? 2 : 3)}x`;

/** @param {string[]} texts @param {'and' | 'or'} [word] @returns {string} `a`, `a and b`, `a, b and c` */
export const joined = (texts, word = 'and') =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter(Boolean).join(` ${word} `);

/** @param {(string | false | null)[]} texts @returns {string[]} those that there is something to say in */
export const said = (texts) => texts.flatMap((text) => text || []);

/** Nobody reads longer lists of names. */
const MOST_NAMED = 3;

/** @param {string[]} names @returns {string} in quotes: `"a"`, `"a", "b" and 4 others` */
export function inShort(names) {
  const shown = names.length > MOST_NAMED ? names.slice(0, MOST_NAMED - 1) : names;
  const rest = names.length - shown.length;
  return joined([...shown.map((name) => `"${name}"`), ...(rest > 0 ? [`${rest} others`] : [])]);
}

/** Either may be so many times the other. */
const WIDE = 2;

/** @param {{low: number, high: number}} interval of a ratio @returns {boolean} whether it leaves everything open */
export const saysNothing = ({ low, high }) => low * WIDE < 1 && high > WIDE;

/** @param {Record<string, number>} commands */
export const callsText = (commands) =>
  Object.entries(commands)
    .map(([name, calls]) => `${name} ×${calls}`)
    .join(', ');
