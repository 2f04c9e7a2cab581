import { median } from 'simple-statistics';
import { conditionsIn } from '../../axes/cell-names.js';
import { sameBut } from '../../axes/ids.js';
import { isSlower } from '../statistics/contrasts.js';
import { reach } from '../statistics/interval.js';
import { about, noConclusion } from './about.js';
import { decide } from './choices.js';
import { NO_TIE, slowerOf, slowerPairs, timesBehind } from './group-findings.js';
import { notMeasured } from './measured-under.js';
import { serverWork } from './server-work.js';
import { aheadThoughCold } from './warm-runs.js';
import { whereItChanges } from './where-it-changes.js';
import { causesBetween } from './why-slower.js';

/** @import { Finding, Scatter } from '../types.js' */
/** @import { Decision } from './choices.js' */
/** @import { ComparedGroup, MeasuredCell } from './compare-group.js' */

/**
 * What to choose, how much it brings, how sure that is, why, and what was not measured: all of it from
 * differences that the statistics carry.
 * @param {ComparedGroup[]} groups @param {boolean} partial whether the benchmark ended early @returns {Finding[]}
 */
export function recommend(groups, partial) {
  const candidates = groups.flatMap(({ compared, between }) => compared.map((cell) => ({ cell, between })));
  const cells = candidates.map(({ cell }) => cell);
  if (candidates.length === 0) return [noConclusion('no-result', [])];
  const planned = groups.flatMap((group) => group.cells);
  const rest = notMeasured(planned, partial);
  const ahead = aheadThoughCold(groups);
  if (ahead.length > 0) return [noConclusion('ahead-though-cold', ahead), rest];
  if (groups.every(({ compared }) => compared.length < 2))
    return [noConclusion('nothing-to-compare', cells), rest];
  if (groups.every(({ tested }) => tested.comparisons === 0))
    return [
      noConclusion(
        'single-runs',
        groups.flatMap(({ ranked }) => ranked.slice(0, 1)),
      ),
      rest,
    ];
  const { decisions, open } = decide(candidates);
  const changes = open.length > 0 ? whereItChanges(groups) : null;
  const afar = [...serverWork(groups), ...writesUntried(groups), ...distanceUntried(groups)];
  if (decisions.length === 0) {
    if (open.length === 0) return [noDifference(groups), ...serverWork(groups), rest];
    return [...(changes === null ? undecided(groups, open) : [changes]), rest, ...afar];
  }
  return [
    ...decisions,
    ...(changes === null ? open : [changes]),
    certaintyOf(decisions, groups),
    ...whyOf(decisions[0], groups),
    rest,
    ...afar,
  ];
}

/** With fewer hits than this, something was written meanwhile. */
const NOTHING_WRITTEN = 0.99;

/**
 * @param {ComparedGroup[]} groups
 * @returns {Finding[]} none where no cache answered what is fastest, or its keys were written meanwhile
 */
function writesUntried(groups) {
  const winners = groups
    .flatMap(({ ranked }) => ranked.slice(0, 1))
    .filter(({ summary }) => (summary.cacheHitRate ?? 0) >= NOTHING_WRITTEN);
  if (winners.length === 0) return [];
  const hitRate = Math.min(...winners.map(({ summary }) => Number(summary.cacheHitRate)));
  return [{ kind: 'untried', what: 'writes', ...about(winners), hitRate }];
}

/**
 * What limits the winners nearby, where that is what a distance changes.
 * @param {ComparedGroup[]} groups
 * @returns {Finding[]} none where some cell was far away, the server or other work is the limit, or a cache answered
 */
function distanceUntried(groups) {
  const measured = groups.flatMap(({ compared }) => compared);
  if (measured.some(({ distance, transport }) => distance !== undefined || transport === 'unix')) return [];
  const winners = groups.flatMap(({ ranked }) => ranked.slice(0, 1));
  // What a cache answers travels nowhere, so that distance costs it nothing.
  if (winners.some(({ summary }) => (summary.cacheHitRate ?? 0) > 0)) return [];
  const limits = [...new Set(winners.map(({ summary }) => summary.bottleneck.limit))].filter(
    (limit) => limit === 'client' || limit === 'round-trips',
  );
  if (limits.length === 0) return [];
  return [{ kind: 'untried', what: 'distance', ...about(winners), limits }];
}

/** @param {Decision[]} decisions @param {ComparedGroup[]} groups @returns {Finding} */
function certaintyOf(decisions, groups) {
  const measured = groups.flatMap(({ compared }) => compared);
  const gains = decisions.flatMap((decision) => decision.gains);
  const tested = groups
    .filter(({ compared }) => compared.length > 1)
    .map(({ comparison }) => comparison.tested);
  return {
    kind: 'certainty',
    ...about(measured),
    worstPAdjusted: Math.max(...gains.map(({ pAdjusted }) => pAdjusted)),
    tested,
    groups: groups.length,
    ...scatterOf(measured),
  };
}

/**
 * Why what was chosen is faster than its nearest rival.
 * @param {Decision} decision @param {ComparedGroup[]} groups @returns {Finding[]}
 */
function whyOf({ gains }, groups) {
  const [{ better: closest }] = gains.toSorted((a, b) => a.ratio - b.ratio);
  const group = groups.find(({ compared }) => compared.some(({ id }) => id === closest));
  if (group === undefined) return [];
  const cellOf = (/** @type {string} */ wanted) => group.compared.find(({ id }) => id === wanted);
  const [nearest] = gains
    .flatMap(({ better, worse, ratio }) => {
      const [cell, than] = [cellOf(worse), cellOf(better)];
      return cell && than ? [{ cell, than, ratio }] : [];
    })
    .sort((a, b) => b.than.summary.opsPerSecond - a.than.summary.opsPerSecond || a.ratio - b.ratio);
  // Asked together with all that the group's own sentences ask, so that both say the same.
  const pairs = slowerPairs(group).filter(({ cell, than }) => cell !== nearest.cell || than !== nearest.than);
  const found = causesBetween([...pairs, nearest], group).slice(-1);
  return found.map((each) => slowerOf(each, group, true));
}

/**
 * What is best depends on the conditions, or on the other choices.
 * @param {ComparedGroup[]} groups
 * @param {Finding[]} open the choices that have no value that is best everywhere @returns {Finding[]}
 */
function undecided(groups, open) {
  const measured = groups.flatMap(({ compared }) => compared);
  // A group in which nothing differs has a first cell by chance.
  const firsts = groups.flatMap((group) => slowerPairs(group).slice(0, 1)).map(({ than }) => than);
  const choicesOf = sameBut(conditionsIn(measured), measured);
  if (new Set(firsts.map(choicesOf)).size > 1) return [noConclusion('no-single-best', firsts)];
  return open;
}

/** @param {ComparedGroup[]} groups in which no choice was shown to matter @returns {Finding} */
function noDifference(groups) {
  const measured = groups.flatMap(({ compared }) => compared);
  const farthestApartTimes = Math.max(
    ...groups.flatMap(({ comparison }) => comparison.ranking.map(timesBehind)),
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
