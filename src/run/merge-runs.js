import { max, min, sum } from '../descriptive-statistics.js';
import { latencyOf } from '../statistics/latency.js';
import { mergeBy, processFigures } from '../store/merge.js';
import { PROCESS_METERS, RUN_METERS } from '../worker/meters/all-meters.js';

/** @import { MergeRule } from '../store/merge.js' */
/** @import { Meter } from '../worker/meters/all-meters.js' */
/** @import { Emitted, Leftovers } from '../worker/types.js' */
/** @import { MeasuredOfAll, WatchedRun } from './types.js' */

/** @typedef {MeasuredOfAll} Measured */

/** An open-loop run is a single slice. @type {MergeRule} */
const OPEN_LOOP = {
  intendedPerSecond: 'sum',
  scheduled: 'sum',
  sent: 'sum',
  dropped: 'sum',
  failed: 'sum',
  waited: 'sum',
  unsent: 'sum',
  inFlightMax: 'sum',
  waitedMs: 'sum',
  sentUntilMs: 'max',
  latenessHdr: 'histogram',
  fromSendHdr: 'histogram',
};

/** @type {Record<string, MergeRule>} */
const LEFTOVERS = { wrongReplies: 'sum', firstWrongReply: 'first', errors: 'sums' };

/** @type {Record<keyof Emitted, MergeRule>} */
export const EMITTED = { errors: 'sum', firstError: 'first', reconnections: 'sum', ends: 'sum' };

/** What workers report after a run; all write the same. @type {Record<string, MergeRule>} */
export const AFTER_RUN = { ...LEFTOVERS, connections: 'sumOfAll', emitted: EMITTED, writes: 'first' };

/** @type {Record<string, MergeRule>} */
const LOOP = {
  ...LEFTOVERS,
  startedAtMs: 'min',
  waited: 'sum',
  openLoop: OPEN_LOOP,
  latencyHdr: 'histogram',
  commandHdrs: 'histograms',
};

/** Progress of an open loop, per second. @type {Record<string, MergeRule>} */
export const SECOND = {
  second: 'first',
  intended: 'sum',
  sent: 'sum',
  acknowledged: 'sum',
  dropped: 'sum',
  inFlight: 'sum',
  rssBytes: 'sum',
  latenessMs: 'max',
};

/** Server counters, in total and per node. @type {Record<string, MergeRule>} */
const COUNTS = {
  moved: 'sumOfAll',
  asked: 'sumOfAll',
  commands: 'sumOfAll',
  reads: 'sumOfAll',
  connections: 'sumOfAll',
  netInputBytes: 'sumOfAll',
  netOutputBytes: 'sumOfAll',
  mainThreadCpuUs: 'sumOfAll',
  allThreadsCpuUs: 'sumOfAll',
  sleeps: 'sumOfAll',
  primaryCommands: 'sumOfAll',
  calls: 'sumsOfAll',
  nodes: [{ node: 'first', commands: 'sumOfAll', mainThreadCpuUs: 'sumOfAll' }],
};

/** What the parent process knows of a slice. @type {Record<string, MergeRule>} */
const SLICE = {
  connections: 'max',
  emitted: EMITTED,
  remarks: 'first',
  evictedKeys: 'sum',
  expiredKeys: 'sum',
  uncounted: 'sum',
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

/** @param {(Emitted | null | undefined)[]} all in order @returns {Emitted | null} null where it is not known of any */
export const addEmitted = (all) => mergeBy(EMITTED, all);

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

/** @param {'slices' | 'processes'} of @param {MergeRule} byTask @returns {Record<string, MergeRule> & {client: Record<string, MergeRule>}} */
export const measuredRules = (of, byTask) => ({
  ...LOOP,
  taskElapsedMs: byTask,
  taskIterations: byTask,
  ...rulesOf(RUN_METERS, of),
  client: rulesOf(PROCESS_METERS, of),
});

/** @param {Record<string, Pick<Meter<unknown>, 'merge'>>} meters @param {'slices' | 'processes'} of */
const rulesOf = (meters, of) =>
  Object.fromEntries(Object.entries(meters).map(([name, { merge }]) => [name, merge[of]]));

/** @typedef {{name: string, measured: Measured, clock: {offsetMs: number, errorMs: number}}} MachineRun `clock`: what is added to its time */

/** On the clock that machines share. @param {MachineRun[]} runs @returns {Measured} */
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
      operations,
      opsPerSecond,
      cpuUtilization,
      latency: latencyOf([measured.latencyHdr]),
    };
  });
  return { ...(all.length === 1 ? all[0] : mergeRuns(all)), machines };
}
