import * as v from 'valibot';
import { duration, kilobytes, micro, percent, tenths, whole } from '../report/figures.js';
import { amount, anyNumber, count, positive, share } from '../schema.js';

/** @import { ClientProbe } from '../worker/types.js' */
/** @import { MadeFrom, FigureEntry, Metric } from './types.js' */

/**
 * Every figure that runs of any command store, in the order of columns; types.d.ts says what an entry has. Records, the
 * check of files, summaries, csv, `list`, `--metric`, tables and types follow from it. shapes.js has what else is stored.
 */

/** @param {(value: number, digits?: number) => string} text @returns {NonNullable<Metric['text']>} */
export const orBlank = (text) => (value, digits) => (value == null ? '' : text(value, digits));
export const durationOfMs = orBlank((ms) => duration(ms * 1000));
export const megabytes = orBlank((bytes) => whole(bytes / 1e6));
const hundredths = orBlank((times) => `${Number(times.toPrecision(times < 1 ? 2 : 3))}`);
/** Nothing was held back. @type {NonNullable<Metric['text']>} */
const orNone = (us) => (us ? micro(us) : '');

/** @satisfies {Partial<FigureEntry>} */
const SCHEDULED = { in: 'openLoop', schema: count, unit: 'operations', fromRuns: 'sum' };
/** @satisfies {Partial<FigureEntry>} */
const NOT_DONE_IN_TIME = { ...SCHEDULED, better: 'less' };
/** @satisfies {Partial<FigureEntry>} */
const COUNTED_BY_SERVER = { in: 'server', schema: v.nullable(amount), growsWithIterations: true };

/** @satisfies {Partial<FigureEntry>} */
const LOOKUPS = { in: 'lookups', schema: count, unit: 'times', better: 'less', growsWithIterations: true };

/** What was done, and how long it took. @satisfies {Record<string, FigureEntry>} */
export const FIGURES_OF_WORK = {
  averageMs: {
    schema: v.nullable(amount),
    unit: 'ms',
    growsWithIterations: true,
    title: 'average',
    meaning: "average of the tasks' elapsed times",
  },
  spreadMs: {
    schema: v.nullable(amount),
    unit: 'ms',
    growsWithIterations: true,
    title: 'spread',
    meaning: 'slowest minus fastest task',
  },
  elapsedMs: {
    schema: v.nullable(amount),
    unit: 'ms',
    growsWithIterations: true,
    title: 'elapsed',
    meaning: 'from the start of the first task to the end of the last',
  },
  operations: {
    schema: count,
    unit: 'operations',
    growsWithIterations: true,
    title: 'operations',
    meaning: 'iterations of all tasks together',
  },
  commands: {
    schema: count,
    unit: 'commands',
    growsWithIterations: true,
    title: 'commands',
    meaning: 'Redis commands in those iterations',
  },
  opsPerSecond: {
    schema: v.nullable(amount),
    unit: 'ops/s',
    better: 'more',
    title: 'ops/s',
    heading: 'Operations per second',
    meaning: 'completed operations, over the time from the first start to the last reply',
    tables: { versions: 'ops/s' },
  },
  connections: {
    schema: v.nullable(count),
    unit: 'connections',
    title: 'connections',
    meaning: 'connections to the server at the end of a run, or opened in it where the scenario opens them',
  },
  intendedPerSecond: {
    in: 'openLoop',
    schema: amount,
    unit: 'ops/s',
    title: 'rate',
    meaning: 'the rate of an open loop as it was asked for',
  },
  achievedPerSecond: {
    in: 'openLoop',
    schema: amount,
    unit: 'ops/s',
    better: 'more',
    title: 'achieved/s',
    meaning:
      'completed operations of an open loop, over the time in which they were sent (without the wait for the last replies)',
    tables: { 'open-loop': 'achieved/s' },
  },
  minUs: {
    in: 'latency',
    aliases: ['min'],
    schema: amount,
    unit: 'µs',
    fromRuns: 'histogram',
    title: 'fastest',
    meaning: 'the fastest operation; of an open loop from its scheduled start',
  },
  meanUs: {
    in: 'latency',
    aliases: ['mean'],
    schema: amount,
    unit: 'µs',
    fromRuns: 'histogram',
    title: 'mean',
    meaning: 'mean latency of an operation; of an open loop from its scheduled start',
  },
  p50Us: {
    in: 'latency',
    aliases: ['p50'],
    schema: amount,
    unit: 'µs',
    fromRuns: 'histogram',
    title: 'p50',
    meaning: 'half of the operations took no longer; of an open loop from its scheduled start',
    tables: { cost: 'p50', latency: 'p50', 'open-loop': 'p50' },
  },
  p90Us: {
    in: 'latency',
    aliases: ['p90'],
    schema: amount,
    unit: 'µs',
    fromRuns: 'histogram',
    title: 'p90',
    meaning: '90 % of the operations took no longer; of an open loop from its scheduled start',
    tables: { latency: 'p90' },
  },
  p99Us: {
    in: 'latency',
    aliases: ['p99'],
    schema: amount,
    unit: 'µs',
    fromRuns: 'histogram',
    fewest: 100,
    title: 'p99',
    meaning: '99 % of the operations took no longer; of an open loop from its scheduled start',
    tables: { cost: 'p99', latency: 'p99' },
  },
  medianRunP99Us: {
    in: 'openLoop',
    name: 'p99Us',
    of: ({ openLoop, latency }) => openLoop && latency?.p99Us,
    unit: 'µs',
    fewest: 100,
    text: orBlank(duration),
    title: 'p99 of the median run',
    meaning: 'p99 of the median run of an open loop: a rate is sustained if most runs sustain it',
    tables: { 'open-loop': 'p99' },
  },
  p999Us: {
    in: 'latency',
    aliases: ['p999'],
    schema: amount,
    unit: 'µs',
    fromRuns: 'histogram',
    fewest: 1000,
    title: 'p99.9',
    meaning: '99.9 % of the operations took no longer; of an open loop from its scheduled start',
    tables: { latency: 'p99.9' },
  },
  maxUs: {
    in: 'latency',
    aliases: ['max'],
    schema: amount,
    unit: 'µs',
    fromRuns: 'histogram',
    title: 'slowest',
    meaning: 'the slowest operation; of an open loop from its scheduled start',
    tables: { latency: 'slowest', 'open-loop': 'max' },
  },
  p99UsFromSend: {
    in: 'openLoop',
    of: ({ openLoop }) => openLoop?.latencyFromSend?.p99Us,
    unit: 'µs',
    fewest: 100,
    text: orBlank(duration),
    title: 'p99 sent',
    meaning:
      'p99 of the median run of an open loop from the sending of an operation, as a closed loop would see it',
    tables: { 'open-loop': 'p99 sent' },
  },
  latenessP99Us: {
    in: 'openLoop',
    schema: v.nullable(amount),
    unit: 'µs',
    fewest: 100,
    text: orBlank(duration),
    title: 'late p99',
    meaning: 'p99 of the time from the scheduled start of an operation to its sending',
    tables: { 'open-loop': 'late p99' },
  },
  scheduled: {
    ...SCHEDULED,
    title: 'scheduled',
    meaning: 'operations that were scheduled in an open loop, in all runs of a cell',
  },
  acknowledged: {
    ...SCHEDULED,
    title: 'acknowledged',
    meaning: 'operations that were answered in an open loop, in all runs of a cell',
  },
  waited: {
    ...NOT_DONE_IN_TIME,
    title: 'waited',
    meaning: 'operations that had to wait at the bound in an open loop, in all runs of a cell',
    tables: { 'open-loop': 'waited' },
  },
  dropped: {
    ...NOT_DONE_IN_TIME,
    title: 'dropped',
    meaning: 'operations that were dropped at the bound in an open loop, in all runs of a cell',
    tables: { 'open-loop': 'dropped' },
  },
  failedOperations: {
    ...NOT_DONE_IN_TIME,
    name: 'failed',
    title: 'failedOperations',
    meaning: 'operations that failed in an open loop, in all runs of a cell',
  },
  unsent: {
    ...NOT_DONE_IN_TIME,
    title: 'unsent',
    meaning: 'operations that were not sent before the end of the run in an open loop, in all runs of a cell',
  },
  inFlightMax: {
    in: 'openLoop',
    schema: count,
    unit: 'operations',
    fromRuns: 'max',
    title: 'in flight',
    meaning: "most operations in flight at once; of several processes the sum of each one's maximum",
    tables: { 'open-loop': 'in flight' },
  },
  waitingShare: {
    in: 'openLoop',
    schema: share,
    unit: 'share',
    title: 'waiting',
    meaning: 'share of the time in which the event loop only waited for something to be due',
  },
};

/** What it cost the client and the server. @satisfies {Record<string, FigureEntry>} */
export const FIGURES_OF_COST = {
  cpuUsPerOp: {
    in: 'client',
    schema: v.nullable(amount),
    from: ({ client, operations, openLoop }) => per(workCpuUs(client, openLoop), operations),
    unit: 'µs',
    title: 'client CPU/op',
    heading: 'Client CPU per operation',
    meaning:
      "the client's CPU time per operation, without the application's own work and an open loop's looks at the clock",
    tables: { versions: 'client/op', cost: 'client/op' },
  },
  clientCpuUtilization: {
    in: 'client',
    name: 'cpuUtilization',
    schema: v.nullable(amount),
    from: ({ client, elapsedMs }) => per(ownCpuUs(client) / 1000, elapsedMs),
    unit: 'share',
    title: 'client processors',
    meaning: "processors that the client used, on average, without the application's own work",
  },
  eventLoopUtilization: {
    in: 'client',
    schema: share,
    from: ({ client }) => client.eventLoopUtilization,
    unit: 'share',
    title: 'event loop',
    meaning: "share of the time in which the event loop was busy, with the application's own work too",
  },
  appWorkUsPerOp: {
    in: 'client',
    schema: v.optional(v.nullable(amount)),
    from: ({ client, operations }) => (client.appWorkUs > 0 ? per(client.appWorkUs, operations) : null),
    unit: 'µs',
    better: null,
    text: orBlank(duration),
    title: 'app work/op',
    meaning: "CPU time that the application's own work really took per operation (--app-work)",
    tables: { cost: 'app/op' },
  },
  encodeUsPerOp: {
    in: 'client',
    schema: v.optional(v.nullable(amount)),
    from: ({ client, operations }) => (client.encodeUs > 0 ? per(client.encodeUs, operations) : null),
    unit: 'µs',
    text: orBlank(duration),
    title: 'encoding/op',
    meaning:
      'time of encoding and decoding values per operation (--encode), which is also in the CPU per operation',
    tables: { cost: 'encoding' },
  },
  clientBusy: {
    in: 'bottleneck',
    unit: 'share',
    fromRuns: null,
    title: 'client busy',
    meaning:
      "how busy the client was: the larger of its event loop and its CPU, without idle looks at the clock and the application's own work",
    tables: { cost: 'busy', 'open-loop': 'client' },
  },
  gcPauseMs: {
    in: 'client',
    schema: amount,
    from: ({ client }) => client.garbage.gcPauseMs,
    unit: 'ms',
    growsWithIterations: true,
    title: 'GC pauses',
    meaning: 'time that garbage collections stopped the client',
  },
  cacheHitRate: {
    of: (run) => ('cacheHits' in run && run.cacheHits !== undefined ? run.cacheHits / run.commands : null),
    unit: 'share',
    better: 'more',
    text: orBlank(percent),
    title: 'cache hits',
    meaning: "share of a run's commands that the client served from its own cache, without asking the server",
    tables: { cost: 'cache hits' },
  },
  hitRate: {
    of: ({ lookups }) =>
      lookups && 'hits' in lookups ? per(lookups.hits, lookups.hits + lookups.misses) : null,
    unit: 'share',
    better: null,
    text: orBlank((rate) => `${tenths(rate * 100)} %`),
    title: 'hits',
    meaning: 'share of the GETs of cache-aside that found a value',
    tables: { cost: 'hits' },
  },
  backfills: {
    ...LOOKUPS,
    title: 'backfills',
    meaning: 'values that cache-aside stored after a miss',
    tables: { cost: 'backfills' },
  },
  doubled: {
    ...LOOKUPS,
    title: 'doubled',
    meaning:
      'backfills of cache-aside that began while another of the same key was in progress in the process',
    tables: { cost: 'doubled' },
  },
  replicaReadShare: {
    in: 'server',
    schema: v.optional(v.nullable(amount)),
    unit: 'share',
    text: orBlank(percent),
    title: 'read by replicas',
    meaning: 'share of the read commands that replicas served',
    tables: { cost: 'by replicas' },
  },
  replicaUtilization: {
    in: 'server',
    schema: v.optional(v.nullable(amount)),
    unit: 'share',
    text: orBlank(percent),
    title: 'replica processors',
    meaning:
      "processors that the replicas used, all together, on average; none of that counts as the primaries'",
    tables: { cost: 'replicas busy' },
  },
  serverCpuUsPerCommand: {
    in: 'server',
    name: 'cpuUsPerCommand',
    schema: v.nullable(amount),
    unit: 'µs',
    title: 'server CPU/cmd',
    meaning: "CPU time of the server's main thread per command",
    tables: { cost: 'server/cmd' },
  },
  serverThreadsCpuUsPerCommand: {
    in: 'server',
    name: 'allThreadsCpuUsPerCommand',
    schema: v.nullable(amount),
    unit: 'µs',
    title: 'server CPU/cmd, all threads',
    meaning: "CPU time of all the server's threads per command, the main thread's included",
  },
  serverSleepsPerCommand: {
    in: 'server',
    name: 'sleepsPerCommand',
    schema: v.optional(v.nullable(amount)),
    unit: 'times',
    better: 'less',
    text: hundredths,
    title: 'server sleeps/cmd',
    meaning:
      "how often the server's main thread went to sleep per command, so that a write had to wake it (Linux)",
  },
  serverCpuUtilization: {
    in: 'server',
    name: 'cpuUtilization',
    schema: v.nullable(amount),
    unit: 'share',
    title: 'server processors',
    meaning: 'processors that the server used, on average; of a cluster by all nodes together',
  },
  busiestNodeUtilization: {
    in: 'server',
    schema: v.nullable(amount),
    unit: 'share',
    title: 'busiest node',
    meaning: 'processors that the busiest node used; of a standalone server the same',
  },
  serverBusy: {
    in: 'bottleneck',
    unit: 'share',
    fromRuns: null,
    title: 'server busy',
    meaning: "how busy the server's main thread was; of a cluster that of the busiest node",
    tables: { cost: 'busy', 'open-loop': 'server' },
  },
  commandsPerRead: {
    in: 'server',
    schema: v.nullable(amount),
    unit: 'commands',
    better: 'more',
    text: tenths,
    title: 'cmds/read',
    meaning: 'commands per read of the server: the batching that really happened',
    tables: { cost: 'cmds/read' },
  },
  serverCommands: {
    ...COUNTED_BY_SERVER,
    name: 'commands',
    unit: 'commands',
    meaning: 'commands that the server counted',
  },
  serverConnections: {
    ...COUNTED_BY_SERVER,
    name: 'connections',
    unit: 'connections',
    meaning: 'new connections that the server accepted during a run',
  },
  netInputBytes: {
    ...COUNTED_BY_SERVER,
    unit: 'bytes',
    better: null,
    meaning: 'bytes that the server received',
  },
  netOutputBytes: {
    ...COUNTED_BY_SERVER,
    unit: 'bytes',
    better: null,
    meaning: 'bytes that the server sent',
  },
  moved: {
    ...COUNTED_BY_SERVER,
    unit: 'times',
    meaning: 'MOVED redirections from a cluster',
  },
  asked: {
    ...COUNTED_BY_SERVER,
    unit: 'times',
    meaning: 'ASK redirections from a cluster',
  },
  commandsPerSecond: {
    of: (run) =>
      'commands' in run && run.elapsedMs && run.commands > run.operations
        ? (run.commands / run.elapsedMs) * 1000
        : null,
    unit: 'commands/s',
    better: 'more',
    title: 'commands/s',
    meaning: 'commands of all tasks per second, where an operation is several',
    tables: { cost: 'cmds/s' },
  },
  commandsPerBatch: {
    in: 'batching',
    schema: v.nullable(amount),
    from: ({ batches }) => batches.commands / batches.batches,
    unit: 'commands',
    better: 'more',
    text: tenths,
    title: 'commands/batch',
    meaning: 'commands in a batch that the tool sent, on average',
    tables: { cost: 'batch' },
  },
  heldUs: {
    in: 'batching',
    schema: v.nullable(amount),
    from: ({ batches }) => (batches.heldMs / batches.batches) * 1000,
    unit: 'µs',
    text: orNone,
    title: 'batch held for',
    meaning: 'how long a batch was open, from its first command to its sending: what a window really was',
    tables: { cost: 'held' },
  },
  waitingUsPerOp: {
    in: 'batching',
    schema: v.nullable(amount),
    from: ({ batches, operations }) => (batches.waitedMs / operations) * 1000,
    unit: 'µs',
    text: orNone,
    title: 'of client CPU/op, waiting',
    meaning: "share of the client's CPU time per operation that a window spent looking at the clock",
    tables: { cost: 'waiting/op' },
  },
  allocatedBytesPerOp: {
    in: 'client',
    schema: v.nullable(anyNumber),
    from: ({ client, operations }) => per(client.garbage.allocatedBytes, operations),
    unit: 'bytes',
    text: orBlank(kilobytes),
    title: 'allocated/op',
    heading: 'Bytes allocated per operation',
    meaning: "bytes allocated on the client's heap per operation",
    tables: { cost: 'alloc/op' },
  },
  contextSwitchesPerOp: {
    in: 'client',
    schema: v.optional(v.nullable(amount)),
    from: ({ client, operations }) => per(client.contextSwitches, operations),
    unit: 'times',
    better: 'less',
    text: hundredths,
    title: 'switches/op',
    meaning: "context switches of the client's main thread per operation, voluntary or not (Linux)",
  },
  eventLoopDelayP99Us: {
    in: 'client',
    schema: v.optional(v.nullable(amount)),
    from: ({ client }) => loopDelay(client.loop, 0.99),
    unit: 'µs',
    text: orBlank(duration),
    title: 'loop delay p99',
    meaning:
      'how long other work in the client process waits for the event loop: 99 % of events at random moments wait no longer',
    tables: { cost: 'loop p99' },
  },
  eventLoopDelayMaxUs: {
    in: 'client',
    schema: v.optional(v.nullable(amount)),
    from: ({ client }) => loopDelay(client.loop, 1),
    unit: 'µs',
    fromRuns: 'max',
    text: orBlank(duration),
    title: 'loop delay max',
    meaning: 'how long other work in the client process waits for the event loop at most',
    tables: { cost: 'loop max' },
  },
  gcLongestMs: {
    in: 'client',
    schema: v.optional(v.nullable(amount)),
    from: ({ client }) => client.garbage.gcLongestMs,
    unit: 'ms',
    fromRuns: 'max',
    text: durationOfMs,
    title: 'longest GC',
    meaning: 'the longest time that a garbage collection stopped the client',
    tables: { cost: 'longest GC' },
  },
  peakRssBytes: {
    in: 'client',
    schema: positive,
    from: ({ client }) => client.peakRssBytes,
    unit: 'bytes',
    text: megabytes,
    title: 'MB',
    meaning: "the client's memory (resident set) at its largest",
    tables: { cost: 'MB', 'open-loop': 'MB' },
  },
  emittedErrors: {
    in: 'emitted',
    name: 'errors',
    schema: count,
    unit: 'times',
    better: 'less',
    fromRuns: 'sum',
    title: 'emitted',
    meaning: 'error events of the client, besides the errors of its calls',
    tables: { cost: 'emitted' },
  },
  variation: {
    unit: 'share',
    better: 'less',
    fromRuns: null,
    title: 'variation',
    meaning: 'how much operations per second vary from run to run: their standard deviation over their mean',
  },
};

/** @param {number | null | undefined} sum @param {number | null} count */
export const per = (sum, count) => (sum == null || !count ? null : sum / count);

/** µs, without the application's own work. @param {Pick<ClientProbe, 'cpuUs' | 'appWorkUs'>} probe */
export const ownCpuUs = ({ cpuUs, appWorkUs }) => Math.max(0, cpuUs - appWorkUs);

/** What an open loop's looks at the clock leave of its CPU time must be this share, or it is not known. */
const LEAST_LEFT = 0.2;

/**
 * µs, without the time in which an open loop did nothing but look at the clock.
 * @param {MadeFrom['client']} client @param {MadeFrom['openLoop']} openLoop null in a closed loop @returns {number | null}
 */
function workCpuUs(client, openLoop) {
  const own = ownCpuUs(client);
  if (!openLoop) return own;
  const left = own - openLoop.waitedMs * 1000;
  return left < LEAST_LEFT * own ? null : left;
}

/**
 * How long other work waits for the event loop: this share of what comes at random moments waits no longer. It waits for the end
 * of the current turn, so moments count, not turns: a turn of 10 ms weighs a hundred times as much as one of 0.1 ms.
 * @param {ClientProbe['loop']} probe @param {number} share 0.99 @returns {number | null} µs; null if no turn was watched
 */
export function loopDelay({ watchedMs, busyUs }, share) {
  if (watchedMs <= 0) return null;
  const beyondUs = (1 - share) * watchedMs * 1000;
  const turns = Object.entries(busyUs)
    .map(([us, count]) => ({ us: Number(us), count }))
    .sort((a, b) => b.us - a.us);
  let count = 0;
  let sumUs = 0;
  for (const [index, turn] of turns.entries()) {
    count += turn.count;
    sumUs += turn.count * turn.us;
    // The moments of these turns with more than this left are just as many as wanted.
    const delayUs = (sumUs - beyondUs) / count;
    if (delayUs >= (turns[index + 1]?.us ?? 0)) return delayUs;
  }
  return 0;
}
