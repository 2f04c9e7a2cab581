import { max, sum } from 'simple-statistics';
import { each } from '../check.js';
import { PROCESS_METERS, RUN_METERS } from '../worker/meters/all-meters.js';
import { processFigures } from './cost-record.js';
import { mergeBy } from './merge-rules.js';

/** @import { MergeRule, Meter } from '../worker/meters/types.js' */
/** @import { Observed, WatchedRun } from '../../benchmark/run/types.js' */
/** @import { Leftovers } from '../worker/types.js' */

/** @typedef {Observed['measured']} Measured */

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
function mergeMeasured(of, byTask, all) {
  const elapsedMs = all.map((each) => each.elapsedMs);
  return mergeBy(measuredRules(of, byTask), all, elapsedMs);
}

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
