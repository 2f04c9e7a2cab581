import { median } from 'simple-statistics';
import { sameBut } from '../../axes/ids.js';
import { isSlower } from '../../core/statistics/contrasts.js';
import { reach } from '../../core/statistics/interval.js';
import { aheadThoughCold } from '../judge/warm-runs.js';
import { about, noConclusion } from './about.js';
import { decide } from './choices.js';
import { NO_TIE, timesBehind } from './group-findings.js';
import { notMeasured } from './measured-under.js';
import { serverWork } from './server-work.js';
import { slowerPairs } from './slower.js';

/** @import { Finding, Scatter } from '../judge/types.js' */
/** @import { Decision } from './choices.js' */
/** @import { ComparedGroup, MeasuredCell } from './compare-group.js' */

/**
 * What to choose, how much it brings, and how sure that is.
 * @param {ComparedGroup[]} groups @param {boolean} partial @returns {Finding[]}
 */
export function recommend(groups, partial) {
  const measured = groups.flatMap(({ compared }) => compared);
  if (measured.length === 0) return [noConclusion('no-result', [])];
  const planned = groups.flatMap(({ cells }) => cells);
  const rest = notMeasured(planned, partial);
  const ahead = aheadThoughCold(groups);
  if (ahead.length > 0) return [noConclusion('ahead-though-cold', ahead), rest];
  if (groups.every(({ compared }) => compared.length < 2))
    return [noConclusion('nothing-to-compare', measured), rest];
  const winners = groups.flatMap(({ ranked }) => ranked.slice(0, 1));
  if (groups.every(({ tested }) => tested.comparisons === 0))
    return [noConclusion('single-runs', winners), rest];
  const decisions = groups.flatMap(decide);
  const shown = decisions.filter(({ gains }) => gains.length > 0);
  if (shown.length === 0) return [noDifference(groups, measured), ...decisions, ...serverWork(groups), rest];
  return [
    ...decisions,
    certaintyOf(shown, groups, measured),
    rest,
    ...serverWork(groups),
    ...writesUntried(winners),
    ...distanceUntried(measured, winners),
  ];
}

/** Fewer hits mean that something was written. */
const NOTHING_WRITTEN = 0.99;

/** None if no cache served the winner, or its keys were written. @param {MeasuredCell[]} winners @returns {Finding[]} */
function writesUntried(winners) {
  const cached = winners.filter(({ summary }) => (summary.cacheHitRate ?? 0) >= NOTHING_WRITTEN);
  if (cached.length === 0) return [];
  const hitRate = Math.min(...cached.map(({ summary }) => Number(summary.cacheHitRate)));
  return [{ kind: 'untried', what: 'writes', ...about(cached), hitRate }];
}

/** If a distance changes what limits the winners. @param {MeasuredCell[]} measured @param {MeasuredCell[]} winners @returns {Finding[]} */
function distanceUntried(measured, winners) {
  if (measured.some(({ distance, transport }) => distance !== undefined || transport === 'unix')) return [];
  // Distance costs nothing to what a cache serves.
  if (winners.some(({ summary }) => (summary.cacheHitRate ?? 0) > 0)) return [];
  const limits = [...new Set(winners.map(({ summary }) => summary.bottleneck.limit))].filter(
    (limit) => limit === 'client' || limit === 'round-trips',
  );
  if (limits.length === 0) return [];
  return [{ kind: 'untried', what: 'distance', ...about(winners), limits }];
}

/** @param {Decision[]} decisions @param {ComparedGroup[]} groups @param {MeasuredCell[]} measured @returns {Finding} */
function certaintyOf(decisions, groups, measured) {
  const gains = decisions.flatMap((decision) => decision.gains);
  const tested = groups.flatMap((group) => (group.compared.length > 1 ? group.tested : []));
  return {
    kind: 'certainty',
    ...about(measured),
    worstPAdjusted: Math.max(...gains.map(({ pAdjusted }) => pAdjusted)),
    tested,
    groups: groups.length,
    ...scatterOf(measured),
  };
}

/** @param {ComparedGroup[]} groups @param {MeasuredCell[]} measured @returns {Finding} */
function noDifference(groups, measured) {
  const farthestApartTimes = Math.max(
    ...groups.flatMap(({ comparison }) => comparison.ranking.map(timesBehind)),
  );
  if (groups.some(({ comparison }) => comparison.ranking.some(isSlower))) {
    const copies = copiesApart(groups);
    return copies === null
      ? noConclusion('no-choice-differs', measured)
      : { kind: 'no-conclusion', reason: 'copies-differ', group: null, ...copies };
  }
  const tellsApart = Math.max(...groups.map(({ tested }) => tested.tellsApart ?? 0));
  const none = /** @type {const} */ ({ kind: 'no-conclusion', ...about(measured) });
  const scatter = { ...scatterOf(measured), ...(tellsApart > 0 && { tellsApart }) };
  // Medians may be close by chance: equal cells must be known more precisely than that.
  const known = tellsApart || scatter.widestReachShare;
  return farthestApartTimes < NO_TIE && known < NO_TIE - 1
    ? { ...none, reason: 'no-difference', ...scatter }
    : { ...none, reason: 'too-noisy', farthestApartTimes, ...scatter };
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

/** @param {MeasuredCell[]} cells at least one with two runs @returns {Scatter} */
function scatterOf(cells) {
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
