import { about, noConclusion } from './about.js';
import { decide } from './choices.js';
import { slowerOf, slowerPairs } from './group-findings.js';
import { notMeasured } from './measured-under.js';
import { noDifference, scatterOf, undecided } from './no-decision.js';
import { serverWork } from './server-work.js';
import { whereItChanges } from './where-it-changes.js';
import { causesBetween } from './why-slower.js';

/** @import { Finding } from '../types.js' */
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
  const rest = notMeasured(
    groups.flatMap((group) => group.cells),
    partial,
  );
  if (groups.every(({ compared }) => compared.length < 2))
    return [noConclusion('nothing-to-compare', cells), rest];
  if (groups.every(({ comparison }) => comparison.ranking.every(({ againstFirst }) => againstFirst === null)))
    return [noConclusion('single-runs', cells), rest];
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
  for (const group of groups) {
    const byId = new Map(group.compared.map((cell) => [cell.id, cell]));
    if (!byId.has(closest)) continue;
    const [nearest] = gains
      .flatMap(({ better, worse, ratio }) => {
        const [cell, than] = [byId.get(worse), byId.get(better)];
        return cell && than ? [{ cell, than, ratio }] : [];
      })
      .sort((a, b) => b.than.summary.opsPerSecond - a.than.summary.opsPerSecond || a.ratio - b.ratio);
    // Asked together with all that the group's own sentences ask, so that both say the same.
    const pairs = slowerPairs(group).filter(
      ({ cell, than }) => cell !== nearest.cell || than !== nearest.than,
    );
    const found = causesBetween([...pairs, nearest], group).slice(-1);
    return found.map((each) => slowerOf(each, group, true));
  }
  return [];
}
