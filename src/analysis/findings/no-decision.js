import { median } from 'simple-statistics';
import { conditionsIn } from '../../axes/cell-names.js';
import { sameBut } from '../../axes/ids.js';
import { isSlower } from '../statistics/contrasts.js';
import { reach } from '../statistics/interval.js';
import { about, noConclusion } from './about.js';
import { NO_TIE, slowerPairs } from './group-findings.js';

/** @import { Finding, Scatter } from '../types.js' */
/** @import { ComparedGroup, MeasuredCell } from './compare-group.js' */

/**
 * What is best depends on the conditions, or on the other choices.
 * @param {ComparedGroup[]} groups
 * @param {Finding[]} open the choices that have no value that is best everywhere
 * @returns {Finding[]}
 */
export function undecided(groups, open) {
  const measured = groups.flatMap(({ compared }) => compared);
  // A group in which nothing differs has a first cell by chance.
  const firsts = groups.flatMap((group) => slowerPairs(group).slice(0, 1)).map(({ than }) => than);
  const choicesOf = sameBut(conditionsIn(measured), measured);
  if (new Set(firsts.map(choicesOf)).size > 1) return [noConclusion('no-single-best', firsts)];
  return open;
}

/** @param {ComparedGroup[]} groups in which no choice was shown to matter @returns {Finding} */
export function noDifference(groups) {
  const measured = groups.flatMap(({ compared }) => compared);
  const farthestApartTimes = Math.max(
    ...groups.flatMap(({ comparison }) => comparison.ranking.map(({ timesSlower }) => timesSlower)),
  );
  if (groups.some(({ comparison }) => comparison.ranking.some(isSlower))) {
    const copies = copiesApart(groups);
    return copies === null
      ? noConclusion('no-choice-differs', measured)
      : { kind: 'no-conclusion', reason: 'copies-differ', group: null, ...copies };
  }
  const control = groups.map(({ comparison }) => comparison.tested.tellsApart ?? 0);
  const tellsApart = Math.max(...control);
  const none = /** @type {const} */ ({ kind: 'no-conclusion', ...about(measured) });
  const scatter = { ...scatterOf(measured), ...(tellsApart > 0 && { tellsApart }) };
  // Medians that are close by chance are not equal: each must be known better than that, and so must starts.
  const known = tellsApart || scatter.widestReachShare;
  return farthestApartTimes < NO_TIE && known < NO_TIE - 1
    ? { ...none, reason: 'no-difference', ...scatter }
    : { ...none, reason: 'too-noisy', farthestApartTimes, ...scatter };
}

/**
 * @param {ComparedGroup[]} groups
 * @returns {{cells: string[], mostTimes: number} | null} null where cells differ in some choice
 */
function copiesApart(groups) {
  const pairs = groups.flatMap(slowerPairs);
  const cells = [...new Set(pairs.flatMap(({ cell, than }) => [cell, than]))];
  const choicesOf = sameBut([], cells);
  if (pairs.some(({ cell, than }) => choicesOf(cell) !== choicesOf(than))) return null;
  return {
    cells: cells.map(({ id }) => id),
    mostTimes: Math.max(
      ...pairs.map(({ cell, than }) => than.summary.opsPerSecond / cell.summary.opsPerSecond),
    ),
  };
}

/**
 * How much the runs of cells vary.
 * @param {MeasuredCell[]} cells at least one of them with two runs @returns {Scatter}
 */
export function scatterOf(cells) {
  const counts = cells.map(({ summary }) => summary.runs);
  const variations = cells.flatMap(({ summary }) => summary.variation ?? []);
  const reaches = cells.flatMap(({ summary: { intervals, opsPerSecond } }) =>
    intervals.opsPerSecond ? [reach(intervals.opsPerSecond, opsPerSecond)] : [],
  );
  return {
    fewestRuns: Math.min(...counts),
    mostRuns: Math.max(...counts),
    medianVariationShare: median(variations),
    widestReachShare: Math.max(...reaches),
  };
}
