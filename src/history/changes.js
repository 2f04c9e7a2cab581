import { median } from 'simple-statistics';
import { changesOf } from '../benchmark/compare-reports.js';
import { alike } from '../core/alike.js';
import { changePoints, FEWEST_VALUES, inflationOf } from './change-points.js';

/** @import { Subject } from '../benchmark/judge/types.js' */
/** @import { Series, SeriesConditions, SeriesPoint, SeriesSet } from './types.js' */

/** @typedef {ReturnType<typeof changesIn>} SeriesTrend */
/** @typedef {ReturnType<typeof changeAt>} SeriesChange of one metric in one direction, that came to several cells at once */
/** @typedef {ReturnType<typeof breakOf>[number]} SeriesBreak */
/** @typedef {ReturnType<typeof claimsOf>[number]} Claim */
/** @typedef {Claim['change']} ChangedCell */

/**
 * All changes are claimed together: of sets without one, at most 5 % claim any (change-points.js).
 * @param {SeriesSet} set
 */
export function changesIn(set) {
  const { series, conditions } = set;
  const kinds = alike(series, kindOf);
  const found = changePoints(kinds.flatMap((own) => valuesOf(own, set)));
  const claims = kinds.flat().flatMap((each, index) => claimsOf(each, found[index]));
  const groups = alike(claims, ({ series: own, change }) => `${familyOf(own, set)} ${change.ratio > 1}`);
  return {
    ...set,
    /** The largest ratio first. */
    changes: groups
      .flatMap((group) => grouped(group, set))
      .sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio))),
    /** How many series have fewer points than can show a change. */
    tooShort: series.filter(({ points }) => points.length < FEWEST_VALUES).length,
    fewestPoints: FEWEST_VALUES,
    breaks: conditions.flatMap((_, place) => (place === 0 ? [] : breakOf(place, conditions, series))),
  };
}

/**
 * From those before that differ least.
 * @param {number} place @param {SeriesConditions[]} conditions @param {Series[]} all
 */
function breakOf(place, conditions, all) {
  const points = all.flatMap((series) => (series.conditions === place ? series.points : []));
  if (points.length === 0) return [];
  const [differences] = conditions
    .slice(0, place)
    .reverse()
    .map((before) => differencesOf(before, conditions[place]))
    .sort((a, b) => countOf(a) - countOf(b));
  return [
    {
      conditions: place,
      results: new Set(points.map(({ file }) => file)).size,
      /** When the first of them began. */
      from: points.map(({ at }) => at).sort()[0],
      differences,
    },
  ];
}

/** @param {SeriesConditions} before @param {SeriesConditions} after */
const differencesOf = (before, after) =>
  /** @type {Subject[]} */ (Object.keys(after)).flatMap((subject) => {
    const changes = changesOf(before[subject] ?? {}, after[subject] ?? {});
    return changes.length === 0 ? [] : { kind: /** @type {const} */ ('difference'), subject, changes };
  });

/** @param {ReturnType<typeof differencesOf>} differences */
const countOf = (differences) => differences.flatMap(({ changes }) => changes).length;

/** Series of one kind have similar noise. @param {Series} series */
const kindOf = ({ metric, conditions }) => `${conditions} ${metric}`;

/** Releases and commits of one client say nothing of another. @param {Series} series @param {SeriesSet} set */
const familyOf = (series, { order }) => `${kindOf(series)} ${order === 'time' ? '' : series.example.client}`;

/** @param {Series[]} kind @param {SeriesSet} set @returns {Parameters<typeof changePoints>[0]} */
function valuesOf(kind, { order }) {
  const all = kind.map(({ points }) => points.map(({ value }) => value));
  // Releases were not measured in their order, so that neighbours have nothing in common.
  const inflation = order === 'release' ? 1 : inflationOf(all);
  return kind.map(({ points, conditions }, index) => ({
    values: all[index],
    units: points.map(({ file, place }) => `${file} ${place}`),
    pool: `${conditions}`,
    mayBegin: points.map(({ place }, at) => at > 0 && points[at - 1].place !== place),
    inflation,
  }));
}

/** @param {Series} series @param {ReturnType<typeof changePoints>[number]} changes */
function claimsOf(series, changes) {
  const { cell, example, points } = series;
  const edges = [0, ...changes.map(({ at }) => at), points.length];
  const parts = edges.slice(1).map((to, index) => points.slice(edges[index], to));
  const medians = parts.map((part) => median(part.map(({ value }) => value)));
  const floors = parts.map((part) => part.flatMap(({ floor }) => floor ?? []));
  const floorMedians = floors.map((own) => (own.length > 0 ? median(own) : null));
  return changes.map(({ at, candidates, pAdjusted }, index) => {
    const [before, after] = medians.slice(index);
    const [floorBefore, floorAfter] = floorMedians.slice(index);
    const floorRatio = floorBefore && floorAfter ? floorAfter / floorBefore : 1;
    return {
      series,
      at,
      candidates: candidates.map((each) => points[each].place),
      /** Medians of the results since the change before, and until the next one; `floorRatio`: of raw in the same results. */
      change: { cell, example, before, after, ratio: after / before, floorRatio, pAdjusted },
    };
  });
}

/**
 * Changes of several cells that may be one: each result in turn that most of them may have begun with.
 * @param {Claim[]} claims of one metric, in one direction @param {SeriesSet} set @returns {SeriesChange[]}
 */
function grouped(claims, set) {
  const places = [...new Set(claims.flatMap(({ candidates }) => candidates))];
  const withPlace = (/** @type {number} */ place) =>
    claims.filter(({ candidates }) => candidates.includes(place));
  // Of those that explain as many changes the one that is the best for most.
  const scoreOf = (/** @type {number} */ place) =>
    withPlace(place).length +
    claims.filter(({ series, at }) => series.points[at].place === place).length / (claims.length + 1);
  const [best] = places.sort((a, b) => scoreOf(b) - scoreOf(a));
  if (best === undefined) return [];
  const own = withPlace(best);
  const others = claims.filter((claim) => !own.includes(claim));
  return [changeAt(best, own, set), ...grouped(others, set)];
}

/** @param {number} place @param {Claim[]} claims @param {SeriesSet} set */
function changeAt(place, claims, set) {
  const [{ series: first, candidates: mayBe }] = claims;
  const { metric, unit, conditions, points } = first;
  const isHere = (/** @type {SeriesPoint} */ point) => point.place === place;
  const at = points.findIndex(isHere);
  const family = set.series.filter((other) => familyOf(other, set) === familyOf(first, set));
  const cells = claims.map(({ change }) => change);
  return {
    metric,
    unit,
    conditions,
    /** Its first result, release or commit, and the one before. */
    since: points[at],
    before: points[at - 1],
    /** Places where it may as well have begun, the first one included. */
    mayBe: mayBe.filter((each) => claims.every(({ candidates }) => candidates.includes(each))),
    /** How many cells were measured then; by release or commit, of that client only. */
    of: family.filter((other) => other.points.some(isHere)).length,
    ratio: median(cells.map(({ ratio }) => ratio)),
    cells,
  };
}
