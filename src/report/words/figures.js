import { duration, whole } from '../../metrics/text.js';

/** @import { Row } from '../tables/types.js' */

/** How figures and ratios are written, the same everywhere. */
export { duration, kilobytes, micro, percent, whole } from '../../metrics/text.js';

/** @param {number} ratio @returns {string} `1.3x`, `17x`; `1.03x` and `0.17x` if one digit would say too little */
export function times(ratio) {
  if (ratio >= 9.95) return `${whole(ratio)}x`;
  if (ratio >= 1.095) return `${ratio.toFixed(1)}x`;
  const away = Math.abs(ratio - 1);
  return `${ratio.toFixed(away >= 0.005 || away < AS_ONE ? 2 : 3)}x`;
}

/**
 * A ratio with its interval, with enough digits that a claimed difference never reads as none.
 * @param {{ratio: number, low: number, high: number}} contrast
 * @returns {string} `2.4x (2.1x to 2.6x)`, `1.6x (1.03x to 3.1x)`
 */
export const ratioText = (contrast) => `${writer(contrast)(contrast.ratio)} (${intervalText(contrast)})`;

/** @param {{low: number, high: number}} contrast @returns {string} `2.1x to 2.6x` */
export function intervalText({ low, high }) {
  const write = writer({ low, high });
  return `${write(low)} to ${write(high)}`;
}

/** @param {{low: number, high: number}} contrast */
const writer = ({ low, high }) => (times(low) === times(high) ? finer : times);

/** @param {number} low @param {number} high @returns {string} `17x to 49x`; `2.0x` where both read the same */
export const rangeText = (low, high) => spanText(times(low), times(high));

/** @param {string} low @param {string} high @returns {string} `9`, `9 to 12` */
export const spanText = (low, high) => (low === high ? low : `${low} to ${high}`);

/** @param {string} low @param {string} high @param {string} unit @returns {string} `5 to 8 %`: the unit once, if both have it */
export const spanIn = (low, high, unit) =>
  low !== high && [low, high].every((text) => text.endsWith(unit))
    ? `${low.slice(0, -unit.length)} to ${high}`
    : spanText(low, high);

/** @param {number} perSecond @returns {string} in a sentence, for the eye to compare: `950/s`, `113k/s`, `1.2M/s`; tables have all digits */
export function rateText(perSecond) {
  if (perSecond < 9950) return `${whole(perSecond)}/s`;
  const [size, unit] = perSecond < 999_500 ? [1e3, 'k'] : [1e6, 'M'];
  return `${Number((perSecond / size).toPrecision(3))}${unit}/s`;
}

/** @param {number} p @returns {string} `0.012`, `< 0.001`: how much smaller it is says little */
export const pText = (p) => (p < 0.001 ? '< 0.001' : p.toFixed(3));

/** @param {number} p @returns {string} in a sentence: `p = 0.012`, `p < 0.001` */
export const pEquals = (p) => `p ${p < 0.001 ? '' : '= '}${pText(p)}`;

/** Ratios nearer to 1 than this count as 1. */
const AS_ONE = 0.0005;

/** @param {number[]} us @returns {string} from the least to the greatest: `1.2 to 1.8 ms`, `540 µs to 2.4 ms`, `1.2 ms` */
export function durationsText(us) {
  const [low, high] = [Math.min(...us), Math.max(...us)].map(duration);
  return spanIn(low, high, ` ${low.split(' ')[1]}`);
}

/** @param {number} value @returns {string} with a digit more, where an interval is so narrow that its ends read the same */
const finer = (value) => `${value.toFixed(value >= 9.95 ? 1 : value >= 1.5 ? 2 : 3)}x`;

/** @param {string[]} texts @param {'and' | 'or'} [word] @returns {string} `a`, `a and b`, `a, b and c` */
export const joined = (texts, word = 'and') =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter(Boolean).join(` ${word} `);

/** @param {(string | false | null)[]} texts @returns {string[]} those that there is something to say in */
export const said = (texts) => texts.flatMap((text) => text || []);

/** @param {string} text */
export const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

/** Nobody reads longer lists of names. */
const MOST_NAMED = 3;

/** @param {string[]} names @returns {string} in quotes: `"a"`, `"a", "b" and 4 others` */
export function inShort(names) {
  const shown = names.length > MOST_NAMED ? names.slice(0, MOST_NAMED - 1) : names;
  const rest = names.length - shown.length;
  return joined([...shown.map((name) => `"${name}"`), ...(rest > 0 ? [`${rest} others`] : [])]);
}

/**
 * @param {Row[]} rows
 * @returns {string | null} `95 % interval`: the least coverage of the intervals of operations a second; null
 *   if there are none
 */
export function coverageText(rows) {
  const levels = rows.flatMap(({ cell }) => cell.summary?.intervals.opsPerSecond?.level ?? []);
  if (levels.length === 0) return null;
  return `${coverage(Math.min(...levels))} interval`;
}

/** @param {number} level @returns {string} `93.7 %` of five runs, which have no interval of 95 %; never more than it is */
export const coverage = (level) => `${Math.floor(level * 1000) / 10} %`;
