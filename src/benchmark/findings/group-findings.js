import { inverse, isSlower } from '../../core/statistics/contrasts.js';
import { alike } from '../judge/alike.js';
import { about, noConclusion } from './about.js';
import { limitOf } from './limits.js';
import { aheadThoughCold } from './warm-runs.js';
import { causesBetween } from './why-slower.js';

/** @import { Contrast, Finding, GroupComparison, Slower } from '../judge/types.js' */
/** @import { ComparedGroup, MeasuredCell } from './compare-group.js' */

/** Which cell is fastest, what limits it, and why the others are slower. @param {ComparedGroup} group @returns {Finding[]} */
export function groupFindings(group) {
  const ahead = aheadThoughCold([group]);
  if (ahead.length > 0) return [noConclusion('ahead-though-cold', ahead, group.comparison.group)];
  const first = fastestOf(group.comparison);
  if (first.kind === 'no-conclusion') return [first];
  return [
    first,
    limitOf(group.ranked[0]),
    ...causesBetween(slowerPairs(group), group).map((each) => slowerOf(each, group, false)),
  ];
}

/** @param {Slower} slower @param {ComparedGroup} group @param {boolean} nearest @returns {Finding} */
export const slowerOf = (slower, { comparison: { group } }, nearest) => ({
  kind: 'slower',
  group,
  cells: [slower.cell, slower.than],
  nearest,
  ...slower,
});

/** Each proven slower cell, and the fastest. @param {ComparedGroup} group */
export const slowerPairs = ({ comparison: { ranking }, ranked }) =>
  ranked.filter((_, place) => isSlower(ranking[place])).map((cell) => ({ cell, than: ranked[0] }));

/** A median this much lower is no tie, even if the difference is not proven. */
export const NO_TIE = 1.25;

/** As far as proven. @param {Pick<GroupComparison, 'group' | 'ranking'>} comparison @returns {Finding} */
export function fastestOf({ group, ranking }) {
  const cells = ranking.map(({ cell: id }) => ({ id }));
  if (ranking.length === 0) return noConclusion('no-result', cells, group);
  const [{ cell, opsPerSecond }, ...others] = ranking;
  if (others.length > 0 && others.every(({ againstFastest }) => againstFastest === null))
    return noConclusion('single-runs', cells.slice(0, 1), group);

  // A single run says nothing, not even that a cell is as fast.
  const unclaimed = others.filter(({ againstFastest }) => againstFastest?.differs === false);
  return {
    kind: 'fastest',
    ...about(cells, group),
    cell,
    opsPerSecond,
    ties: unclaimed.filter((place) => timesBehind(place) < NO_TIE).map((place) => place.cell),
    doubtful: unclaimed
      .map((place) => ({ cell: place.cell, timesSlower: timesBehind(place) }))
      .filter(({ timesSlower }) => timesSlower >= NO_TIE),
    slower: others.filter(isSlower).map((place) => {
      const { ratio, low, high } = inverse(/** @type {Contrast} */ (place.againstFastest));
      return { cell: place.cell, ratio, low, high };
    }),
  };
}

/** @param {GroupComparison['ranking'][number]} place */
export const timesBehind = ({ timesSlower }) => timesSlower ?? Number.POSITIVE_INFINITY;

const MOST = 2;

/**
 * What the first screen says below the table of a group: why the nearest rival is slower, then the largest effects,
 * each kind of reason once.
 * @param {Finding[]} findings of one group @returns {Finding[]}
 */
export function mainFindings(findings) {
  const all = findings.filter((finding) => finding.kind === 'slower');
  const why = all.filter(({ nearest }) => nearest);
  const bySize = all
    .filter(({ nearest, causes }) => !nearest && causes.length > 0)
    .sort((a, b) => b.timesSlower - a.timesSlower);
  // That opening a connection costs much is no news, unless nothing else is slower.
  const news = [
    ...why,
    ...bySize.filter(({ causes }) => causes.every(({ kind }) => kind !== 'opens-connections')),
  ];
  const byReason = alike(news.length > 0 ? news : bySize, ({ causes }) =>
    causes.map((cause) => (cause.kind === 'cpu' ? cause.of : cause.kind)).join(),
  );
  const chosen = byReason.map(([first]) => first).slice(0, MOST);
  return findings.filter(
    (finding) => finding.kind !== 'slower' || finding.nearest || chosen.includes(finding),
  );
}

/**
 * The cells whose profile would explain a difference in CPU on the first screen.
 * @param {Finding[]} findings of one group @returns {Set<string>} ids
 */
export const explainedCells = (findings) => new Set(mainFindings(findings).flatMap(comparedByCpu));

/** @param {Finding} finding @returns {string[]} */
function comparedByCpu(finding) {
  if (finding.kind === 'version-change') return finding.ratio === null ? [] : [finding.from, finding.to];
  if (finding.kind !== 'slower') return [];
  return finding.causes.some((cause) => cause.kind === 'cpu' && cause.of === 'client')
    ? [finding.cell, finding.than]
    : [];
}
