import { sameBut } from '../../axes/ids.js';
import { isSlower } from '../../core/statistics/contrasts.js';
import { reach } from '../../core/statistics/interval.js';
import { about, noConclusion } from '../findings/about.js';
import { slowerPairs } from '../findings/slower.js';
import { decide } from './choices.js';
import { NO_TIE, timesBehind } from './outcome.js';
import { aheadThoughCold } from './warm-runs.js';

/** @import { Silence } from '../findings/about.js' */
/** @import { Decision } from './choices.js' */
/** @import { ComparedGroup, MeasuredCell } from './compare-group.js' */

/** @typedef {{decisions: Decision[], winners: MeasuredCell[], silent: Silence[]}} Advice `winners`: where a choice was shown to matter */

/** What to choose, or why nothing is recommended. @param {ComparedGroup[]} groups @returns {Advice} */
export function adviceOn(groups) {
  const measured = groups.flatMap(({ compared }) => compared);
  if (measured.length === 0) return silentBecause(noConclusion('no-result', []));
  const ahead = aheadThoughCold(groups);
  if (ahead.length > 0) return silentBecause(noConclusion('ahead-though-cold', ahead));
  if (groups.every(({ compared }) => compared.length < 2))
    return silentBecause(noConclusion('nothing-to-compare', measured));
  const winners = groups.flatMap(({ ranked }) => ranked.slice(0, 1));
  if (groups.every(({ tested }) => tested.comparisons === 0))
    return silentBecause(noConclusion('single-runs', winners));
  const decisions = groups.flatMap(decide);
  return decisions.some(({ gains }) => gains.length > 0)
    ? { decisions, winners, silent: [] }
    : { decisions, winners: [], silent: [noDifference(groups, measured)] };
}

/** @param {Silence} why @returns {Advice} */
const silentBecause = (why) => ({ decisions: [], winners: [], silent: [why] });

/** @param {ComparedGroup[]} groups @param {MeasuredCell[]} measured @returns {Silence} */
function noDifference(groups, measured) {
  const farthestApartTimes = Math.max(
    ...groups.flatMap(({ comparison }) => comparison.ranking.map(timesBehind)),
  );
  if (groups.some(({ comparison }) => comparison.ranking.some(isSlower))) {
    const copies = copiesApart(groups);
    return copies === null
      ? noConclusion('no-choice-differs', measured)
      : { reason: 'copies-differ', group: null, ...copies };
  }
  const tellsApart = Math.max(...groups.map(({ tested }) => tested.tellsApart ?? 0));
  const scatter = { ...scatterOf(measured), ...(tellsApart > 0 && { tellsApart }) };
  // Medians may be close by chance: equal cells must be known more precisely than that.
  const known = tellsApart || scatter.widestReachShare;
  return farthestApartTimes < NO_TIE && known < NO_TIE - 1
    ? { reason: 'no-difference', ...about(measured), ...scatter }
    : { reason: 'too-noisy', ...about(measured), farthestApartTimes, ...scatter };
}

/** @param {ComparedGroup[]} groups @returns {{cells: string[], mostTimes: number} | null} null if cells differ in a choice */
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

/** `widestReachShare`: the largest ± of a cell. @param {MeasuredCell[]} cells at least one with two runs */
function scatterOf(cells) {
  const reaches = cells.flatMap(({ summary: { intervals, opsPerSecond } }) =>
    intervals.opsPerSecond ? [reach(intervals.opsPerSecond, opsPerSecond)] : [],
  );
  return {
    mostRuns: Math.max(...cells.map(({ summary }) => summary.runs)),
    widestReachShare: Math.max(...reaches),
  };
}
