import { count } from '../numbers.js';

/** @import { Remark, Report } from './types.js' */

/** Of more cells that failed only the number is said. */
const MOST_FAILED = 3;
/** Of others, below the figures. */
const MOST_OTHERS = 4;

/**
 * What a reader must know before any figure: what failed, then what spoils all.
 * @param {Pick<Report, 'remarks'>} report @param {boolean} [isWhole] names every cell and every reason @returns {string[]}
 */
export function linesAbove({ remarks }, isWhole = false) {
  if (isWhole) return remarks.flatMap((remark) => (remark.above ? wholeText(remark) : []));
  const failed = remarks.filter(({ above }) => above === 'failed');
  const hidden = failed.slice(MOST_FAILED).reduce((sum, { cells = 1 }) => sum + cells, 0);
  return [
    ...failed.slice(0, MOST_FAILED).flatMap(({ inShort }) => inShort ?? []),
    ...(hidden > 0 ? [`${count(hidden, 'more cell')} failed: see --details`] : []),
    ...remarks.flatMap(({ above, inShort }) => (above === 'spoils' ? (inShort ?? []) : [])),
  ];
}

/** @param {Pick<Report, 'remarks'>} report @returns {string[]} what else there is, in short */
export function linesBelow(report) {
  const urgent = othersOf(report).flatMap(({ inShort }) => inShort ?? []);
  const hidden = urgent.length - MOST_OTHERS;
  if (hidden <= 0) return urgent;
  return [...urgent.slice(0, MOST_OTHERS), `${count(hidden, 'more remark')} with --details`];
}

/** @param {Remark} remark */
export const wholeText = ({ text, who }) => (who ? `${who}: ${text}` : text);

/** @param {Pick<Report, 'remarks'>} report @returns {Remark[]} what does not stand above all figures */
export const othersOf = ({ remarks }) => remarks.filter(({ above }) => above === undefined);
