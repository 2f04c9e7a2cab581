import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { sum } from 'simple-statistics';
import { latencyOf } from '../core/statistics/latency.js';
import { measuredRules, mergeBy } from '../core/store/merge.js';
import { figuresFrom } from '../core/store/metrics.js';
import { byCause, failedRun, withWarnings } from '../core/store/run-record.js';
import { accountForFault, WRONG_REPLY } from './account.js';

/** @import { MadeFrom } from '../core/store/types.js' */
/** @import { FaultLog, FaultOperation, FaultSetting, Run, RunWarning } from '../core/store/types.js' */

/**
 * Failed operations are the result here, so they do not fail the run. `logs` has one entry per process. @returns {Run}
 * @param {{round: number, logs: FaultLog[], setting: FaultSetting, connections: number, remarks: RunWarning[]}} facts
 */
export function createFaultRun({ round, logs, setting, connections, remarks }) {
  const { figures, unknown, operations } = accountForFault(logs, setting);
  const elapsedMs = Math.max(...logs.map((log) => log.elapsedMs));
  const { acknowledged, wrong = 0 } = figures;
  const peakRssBytes = sum(logs.map(({ rssBytes }) => rssBytes));
  const run = runApart({
    ...{ round, elapsedMs, connections, peakRssBytes },
    operations: acknowledged,
    timesMs: timesOf(operations),
  });
  const used = {
    ...run,
    ...usedBy(logs, { operations: acknowledged, elapsedMs }),
    wrongReplies: wrong,
    errors: byCause(countCauses(operations)),
    fault: figures,
    failed: unknown > 0 ? unknownText(unknown) : null,
  };
  return withWarnings(used, remarks);
}

/** Nothing if a process died. @param {FaultLog[]} logs @param {{operations: number, elapsedMs: number}} run */
function usedBy(logs, run) {
  if (logs.some(({ client }) => client === null)) return {};
  const times = logs.map((log) => log.elapsedMs);
  const { client, calls } = measuredRules('processes', 'concatenate');
  const merged = mergeBy({ client, calls }, logs, times);
  return {
    client: figuresFrom('client', /** @type {MadeFrom} */ ({ ...run, ...merged })),
    commands: sum(Object.values(merged.calls)),
  };
}

/**
 * @param {{round: number, elapsedMs: number, operations: number, connections: number, timesMs: number[],
 *   peakRssBytes: number}} known `operations`: those done; `timesMs`: the duration of each @returns {Run}
 */
export const runApart = ({ round, elapsedMs, operations, connections, timesMs, peakRssBytes }) => ({
  ...failedRun({ round, start: round }, ''),
  averageMs: elapsedMs,
  spreadMs: 0,
  taskElapsedMs: [elapsedMs],
  elapsedMs,
  operations,
  commands: operations,
  opsPerSecond: (operations / elapsedMs) * 1000,
  connections,
  latency: latencyFromMs(timesMs),
  client: memoryAlone(peakRssBytes),
  failed: null,
});

/** @param {number} unknown */
const unknownText = (unknown) =>
  `${unknown} entries in the server's data are of operations that were never sent: another program writes there`;

/** By the text of the error. @param {FaultOperation[]} operations */
function countCauses(operations) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { cause } of operations)
    if (cause !== null && cause !== WRONG_REPLY) counts[cause] = (counts[cause] ?? 0) + 1;
  return counts;
}

const NS_PER_MS = 1e6;
const LONGEST_NS = 3600 * 1e9;

/** Of successful ones, from the scheduled start. @param {FaultOperation[]} operations @returns {number[]} */
const timesOf = (operations) =>
  operations.flatMap(({ scheduledMs, atMs, cause }) =>
    atMs === null || cause !== null ? [] : atMs - scheduledMs,
  );

/** @param {number[]} times @returns {Run['latency']} */
function latencyFromMs(times) {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_NS,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  });
  for (const ms of times) histogram.recordValue(Math.max(1, Math.round(ms * NS_PER_MS)));
  return histogram.totalCount === 0 ? null : latencyOf([encodeIntoCompressedBase64(histogram)]);
}

/** @param {number} peakRssBytes @returns {NonNullable<Run['client']>} */
const memoryAlone = (peakRssBytes) => ({
  cpuUsPerOp: null,
  cpuUtilization: null,
  eventLoopUtilization: 0,
  gcPauseMs: 0,
  allocatedBytesPerOp: null,
  peakRssBytes,
});
