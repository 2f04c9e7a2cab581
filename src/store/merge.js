import { max, min, sum } from '../descriptive-statistics.js';
import { latencyOf } from '../statistics/latency.js';

/** @import { MeasuredOfAll } from '../run/types.js' */
/** @import { MachineFigures, ProcessFigures } from './types.js' */

/**
 * How figures of several slices or processes become one: of a list by index, of an object field by field, where it is not
 * null.
 * @typedef {'sum' | 'sumOfAll' | 'sumOfKnown' | 'max' | 'min' | 'first' | 'weighted' | 'scaled' | 'concatenate' | 'sums' |
 *   'sumsOfAll' | 'histogram' | 'histograms'} Rule
 * @typedef {Rule | [MergeRule] | {[field: string]: MergeRule}} MergeRule
 */

/** @type {Record<Rule, (values: any[], elapsedMs: number[]) => any>} */
const RULES = {
  sum,
  sumOfAll: (values) => (values.includes(null) ? null : sum(values)),
  sumOfKnown: (values) => (values.every((value) => value === null) ? null : sum(values.map(Number))),
  max,
  min,
  first: (values) => values.find((value) => value !== null) ?? null,
  /** An average by elapsed time. */
  weighted: (values, elapsedMs) =>
    sum(values.map((value, place) => value * elapsedMs[place])) / sum(elapsedMs),
  /** A sum in which slices that do not know their share count as the others do. */
  scaled(values, elapsedMs) {
    const known = values.flatMap((value, place) => (value === null ? [] : { value, ms: elapsedMs[place] }));
    if (known.length === 0) return null;
    return (sum(known.map(({ value }) => value)) / sum(known.map(({ ms }) => ms))) * sum(elapsedMs);
  },
  concatenate: (values) => values.flat(),
  sums: (values) => byName(values, 'sum'),
  sumsOfAll: (values) => (values.includes(null) ? null : byName(values, 'sum')),
  histogram: (values) => latencyOf(values)?.hdr ?? null,
  histograms: (values) =>
    Object.fromEntries(Object.entries(byName(values, 'histogram')).filter(([, hdr]) => hdr !== null)),
};

/** @param {MergeRule} rule @param {any[]} values @param {number[]} [elapsedMs] behind each value @returns {any} */
export function mergeBy(rule, values, elapsedMs = []) {
  if (typeof rule === 'string') return RULES[rule](values, elapsedMs);
  if (Array.isArray(rule)) {
    if (values.includes(null)) return null;
    /** @type {unknown[]} */
    const first = values[0];
    const of = (/** @type {number} */ place) => values.map((list) => list[place]);
    return first.map((_, place) => mergeBy(rule[0], of(place)));
  }
  const known = [...values.keys()].filter((place) => values[place] != null);
  if (known.length === 0) return null;
  return Object.fromEntries(
    Object.entries(rule).flatMap(([field, own]) => {
      const having = known.filter((place) => values[place][field] !== undefined);
      if (having.length === 0) return [];
      const ofField = having.map((place) => values[place][field]);
      const times = having.map((place) => elapsedMs[place]);
      return [[field, mergeBy(own, ofField, times)]];
    }),
  );
}

/** @param {Record<string, any>[]} all @param {MergeRule} rule for every name in any of them */
const byName = (all, rule) =>
  mergeBy(Object.fromEntries(all.flatMap((each) => Object.keys(each)).map((name) => [name, rule])), all) ??
  {};

/** @param {MachineFigures[]} machines */
export const startSkewMs = (machines) => max(machines.map(({ startedAfterMs }) => startedAfterMs));

/** @param {MeasuredOfAll} measured by one process @returns {ProcessFigures} */
export function processFigures({ taskIterations, calls, elapsedMs, client, latencyHdr }) {
  const operations = sum(taskIterations);
  return {
    operations,
    calls,
    opsPerSecond: (operations / elapsedMs) * 1000,
    cpuUtilization: client.cpuUs / 1000 / elapsedMs,
    eventLoopUtilization: client.eventLoopUtilization,
    peakRssBytes: client.peakRssBytes,
    p99Us: latencyOf([latencyHdr])?.p99Us ?? null,
  };
}
