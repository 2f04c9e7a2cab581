import { max, min, sum } from 'simple-statistics';
import { each } from '../check.js';
import { latencyOf } from '../statistics/latency.js';
import { PROCESS_METERS, RUN_METERS } from '../worker/meters/all-meters.js';

/** @import { AgentRun } from '../../agents/types.js' */
/** @import { MeasuredOfAll, WatchedRun } from '../run/types.js' */
/** @import { Meter } from '../worker/meters/all-meters.js' */
/** @import { Leftovers } from '../worker/types.js' */
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
  /** Null where one is unknown. */
  sumOfAll: (values) => (values.includes(null) ? null : sum(values)),
  /** Leaves out what is unknown. */
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
  /** Of counts by name. */
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
    const [first] = /** @type {any[][]} */ (values);
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

/** @typedef {MeasuredOfAll} Measured */

/** An open-loop run is a single slice. @type {MergeRule} */
const OPEN_LOOP = {
  ...each('intendedPerSecond scheduled sent dropped failed waited unsent inFlightMax waitedMs', 'sum'),
  sentUntilMs: 'max',
  ...each('latenessHdr fromSendHdr', 'histogram'),
};

/** @type {Record<string, MergeRule>} */
export const LEFTOVERS = { wrongReplies: 'sum', firstWrongReply: 'first' };

/** @type {Record<string, MergeRule>} */
const LOOP = {
  ...LEFTOVERS,
  startedAtMs: 'min',
  errors: 'sums',
  openLoop: OPEN_LOOP,
  latencyHdr: 'histogram',
  commandHdrs: 'histograms',
};

/** Progress of an open loop, per second. @type {Record<string, MergeRule>} */
export const SECOND = {
  second: 'first',
  ...each('intended sent acknowledged dropped inFlight rssBytes', 'sum'),
  latenessMs: 'max',
};

/** Server counters, in total and per node. @type {Record<string, MergeRule>} */
const COUNTS = {
  ...each('moved asked commands reads connections netInputBytes netOutputBytes', 'sumOfAll'),
  ...each('mainThreadCpuUs allThreadsCpuUs sleeps primaryCommands', 'sumOfAll'),
  calls: 'sumsOfAll',
  nodes: [{ node: 'first', commands: 'sumOfAll', mainThreadCpuUs: 'sumOfAll' }],
};

/** What the parent process knows of a slice. @type {Record<string, MergeRule>} */
const SLICE = {
  ...each('connections remarks', 'first'),
  ...each('evictedKeys expiredKeys', 'sum'),
  stalledMs: 'max',
  relay: { lateHdr: 'histogram', pauses: 'sum' },
};

/** `elapsedMs` is from the first start to the last end. @param {Measured[]} all of one run @returns {Measured} */
export function mergeRuns(all) {
  const merged = mergeMeasured('processes', 'concatenate', all);
  return {
    ...merged,
    elapsedMs: max(all.map((each) => each.startedAtMs + each.elapsedMs)) - merged.startedAtMs,
    processes: all.flatMap((each) => each.processes ?? [processFigures(each)]),
  };
}

/** @param {Leftovers[]} all @returns {Leftovers} */
export const addLeftovers = (all) => mergeBy(LEFTOVERS, all);

/** @param {WatchedRun[]} slices of one process, in order @returns {WatchedRun} */
export function mergeSlices(slices) {
  if (slices.length === 1) return slices[0];
  const all = slices.map(({ measured }) => measured);
  const seen = slices.map((slice) => slice.seen);
  return {
    ...mergeBy(SLICE, slices),
    measured: {
      ...mergeMeasured('slices', ['sum'], all),
      elapsedMs: sum(all.map(({ elapsedMs }) => elapsedMs)),
    },
    // Every slice has the same nodes in the same order.
    seen: seen.includes(null) ? null : mergeBy({ ...COUNTS, replicas: COUNTS }, seen),
  };
}

/** Without `elapsedMs`. @param {'slices' | 'processes'} of @param {MergeRule} byTask @param {Measured[]} all */
const mergeMeasured = (of, byTask, all) =>
  mergeBy(
    measuredRules(of, byTask),
    all,
    all.map(({ elapsedMs }) => elapsedMs),
  );

/** @param {'slices' | 'processes'} of @param {MergeRule} byTask @returns {Record<string, MergeRule>} */
export const measuredRules = (of, byTask) => ({
  ...LOOP,
  taskElapsedMs: byTask,
  taskIterations: byTask,
  ...rulesOf(RUN_METERS, of),
  client: rulesOf(PROCESS_METERS, of),
});

/** @param {Record<string, Meter<any>>} meters @param {'slices' | 'processes'} of */
const rulesOf = (meters, of) =>
  Object.fromEntries(Object.entries(meters).map(([name, { merge }]) => [name, merge[of]]));

/** On the clock of the control Redis. @param {(AgentRun & {name: string})[]} runs @returns {Measured} */
export function mergeMachines(runs) {
  const all = runs.map(({ measured, clock }) => ({
    ...measured,
    startedAtMs: measured.startedAtMs + clock.offsetMs,
  }));
  const firstMs = min(all.map(({ startedAtMs }) => startedAtMs));
  const machines = all.map((measured, index) => {
    const { operations, opsPerSecond, cpuUtilization } = processFigures(measured);
    return {
      name: runs[index].name,
      startedAfterMs: measured.startedAtMs - firstMs,
      clockErrorMs: runs[index].clock.errorMs,
      elapsedMs: measured.elapsedMs,
      ...{ operations, opsPerSecond, cpuUtilization },
      latency: latencyOf([measured.latencyHdr]),
    };
  });
  return { ...(all.length === 1 ? all[0] : mergeRuns(all)), machines };
}

/** @param {MachineFigures[]} machines */
export const startSkewMs = (machines) => max(machines.map(({ startedAfterMs }) => startedAfterMs));

/** @param {Measured} measured by one process @returns {ProcessFigures} */
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
