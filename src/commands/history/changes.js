import { median } from 'simple-statistics';
import { groupBy } from '../../collections.js';
import { changesOf } from '../benchmark/differences.js';
import { changePoints, FEWEST_VALUES, inflationOf } from './change-points.js';

/** @import { Subject } from '../benchmark/types.js' */
/** @import { Series, SeriesConditions, SeriesSet } from './trend.js' */

/** @typedef {ReturnType<typeof changesIn>} SeriesTrend */
/** @typedef {SeriesTrend['changes'][number]} SeriesChange */
/** @typedef {SeriesTrend['breaks'][number]} SeriesBreak */

/**
 * All changes are claimed together: of sets without one, at most 5 % claim any (change-points.js).
 * @param {SeriesSet} set
 */
export function changesIn(set) {
  const { series, conditions, order } = set;
  // Series of one kind have similar noise.
  const kinds = groupBy(series, (each) => `${each.conditions} ${each.metric}`);
  const found = changePoints(kinds.flatMap((own) => valuesOf(own, order)));
  return {
    ...set,
    /** The largest ratio first. */
    changes: kinds
      .flat()
      .flatMap((each, index) => changesInSeries(each, found[index]))
      .sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio))),
    /** How many series have fewer points than can show a change. */
    tooShort: series.filter(({ points }) => points.length < FEWEST_VALUES).length,
    fewestPoints: FEWEST_VALUES,
    breaks: conditions.flatMap((_, place) => (place === 0 ? [] : breakOf(place, set))),
  };
}

/** @param {Series[]} kind @param {SeriesSet['order']} order @returns {Parameters<typeof changePoints>[0]} */
function valuesOf(kind, order) {
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

/** @param {Series} series @param {ReturnType<typeof changePoints>[number]} found */
function changesInSeries({ cell, metric, unit, conditions, points }, found) {
  const edges = [0, ...found.map(({ at }) => at), points.length];
  const parts = edges.slice(1).map((to, index) => points.slice(edges[index], to));
  const medians = parts.map((part) => median(part.map(({ value }) => value)));
  const floors = parts.map((part) => part.flatMap(({ floor }) => floor ?? []));
  const floorMedians = floors.map((own) => (own.length > 0 ? median(own) : null));
  return found.map(({ at, candidates, pAdjusted }, index) => {
    const [before, after] = medians.slice(index);
    const [floorBefore, floorAfter] = floorMedians.slice(index);
    return {
      ...{ cell, metric, unit, conditions, pAdjusted },
      /** Its first result, release or commit, and the one before. */
      since: points[at],
      previous: points[at - 1],
      /** Places where it may as well have begun, the first one included. */
      mayBe: candidates.map((each) => points[each].place),
      /** Medians of the results since the change before, and until the next one. */
      before,
      after,
      ratio: after / before,
      /** Of raw in the same results. */
      floorRatio: floorBefore && floorAfter ? floorAfter / floorBefore : 1,
    };
  });
}

/** From the conditions before. @param {number} place @param {SeriesSet} set */
function breakOf(place, { conditions, series }) {
  const points = series.flatMap((each) => (each.conditions === place ? each.points : []));
  if (points.length === 0) return [];
  return [
    {
      conditions: place,
      results: new Set(points.map(({ file }) => file)).size,
      /** When the first of them began. */
      from: points.map(({ at }) => at).sort()[0],
      differences: differencesOf(conditions[place - 1], conditions[place]),
    },
  ];
}

/** @param {SeriesConditions} before @param {SeriesConditions} after */
const differencesOf = (before, after) =>
  /** @type {Subject[]} */ (Object.keys(after)).flatMap((subject) => {
    const changes = changesOf(before[subject] ?? {}, after[subject] ?? {});
    return changes.length === 0 ? [] : { kind: /** @type {const} */ ('difference'), subject, changes };
  });
