import { duration, percent, tenths, whole } from '../report/figures.js';

/** @import { ClientProbe } from '../worker/types.js' */
/** @import { Metric, MetricInShort } from './types.js' */

/**
 * Every figure of a run: where it stands in the record, what it may be (see check.js), what it means, how it is made of
 * what workers measured, and how a cell's is made of its runs'. Records, the check of files, summaries, csv, `list`,
 * `--metric`, columns of tables and types follow from it. shapes.js has what else is stored.
 */

/** @param {(value: number) => string} text @returns {NonNullable<Metric['text']>} */
const orBlank = (text) => (value) => (value == null ? '' : text(value));

/** Latencies of an open loop may be microseconds or seconds. */
const anyDuration = orBlank(duration);
const hundredths = orBlank((count) => `${Number(count.toPrecision(count < 1 ? 2 : 3))}`);
const share = orBlank(percent);
const wholeMegabytes = (/** @type {number} */ bytes) => whole(bytes / 1e6);
const megabytes = orBlank(wholeMegabytes);
const ofMs = (/** @type {number} */ ms) => duration(ms * 1000);

/** @param {string} alias @param {string} title @param {string} meaning @param {Metric['tables']} [tables] */
const latency = (alias, title, meaning, tables) =>
  /** @type {const} */ ({
    aliases: [alias],
    meaning: `${meaning}; of an open loop from its scheduled start`,
    title,
    unit: 'µs',
    in: 'latency',
    type: 'amount',
    fromRuns: 'histogram',
    tables,
  });

/** @param {string} title @param {string} meaning */
const taskTime = (title, meaning) =>
  /** @type {const} */ ({ meaning, title, unit: 'ms', type: 'amount?', growsWithIterations: true });

/** @param {string} title @param {string} meaning */
const openLoopTime = (title, meaning) =>
  /** @type {const} */ ({ meaning, title, unit: 'µs', in: 'openLoop', type: 'amount?', text: anyDuration });

/** @param {string} meaning @param {Metric['better']} better */
const openLoopCount = (meaning, better) =>
  /** @type {const} */ ({
    meaning: `${meaning} in an open loop, in all runs of a cell`,
    unit: 'operations',
    better,
    in: 'openLoop',
    type: 'count',
    fromRuns: 'sum',
  });

/** @param {string} meaning @param {string} title */
const faultTime = (meaning, title) =>
  /** @type {const} */ ({
    meaning: `time ${meaning}`,
    title,
    unit: 'ms',
    in: 'fault',
    type: 'amount?',
    text: orBlank((ms) => (ms < 1 ? 'at once' : ofMs(ms))),
    tables: { fault: title },
  });

/** @template {string} Name @param {Name} name @param {string} meaning @param {string} title */
const faultCount = (name, meaning, title) =>
  /** @type {const} */ ({
    name,
    meaning: `${meaning}, in a run with a fault`,
    title,
    unit: 'operations',
    better: 'less',
    in: 'fault',
    type: 'count',
    fromRuns: 'max',
    tables: { fault: title },
  });

/** Null if the data does not show it. @template {string} Name @param {Name} name @param {string} meaning @param {string} title */
const shownByData = (name, meaning, title) =>
  /** @type {const} */ ({ ...faultCount(name, meaning, title), type: 'count?' });

/** @param {string} title @param {string} meaning */
const serverShare = (title, meaning) =>
  /** @type {const} */ ({ meaning, title, unit: 'share', in: 'server', type: 'amount?' });

/** @template {string} Name @param {Name} name @param {string} meaning @param {Metric['unit']} unit */
const serverCount = (name, meaning, unit) =>
  /** @type {const} */ ({
    meaning,
    title: meaning,
    unit,
    better: null,
    in: 'server',
    type: 'amount?',
    name,
    growsWithIterations: true,
  });

/**
 * @template {string} Name @param {Name} name @param {string} what @param {string} title @param {Metric['unit']} [unit]
 * @param {(value: number) => string} [text]
 */
const cold = (name, what, title, unit = 'ms', text = ofMs) =>
  /** @type {const} */ ({
    name,
    meaning: `of a fresh process: ${what}`,
    title,
    unit,
    better: 'less',
    in: 'cold',
    type: 'amount?',
    text: orBlank(text),
    tables: { cold: title },
  });

/**
 * By their ids; the part of a run that one is in has it by this name, or by its `name`.
 * @satisfies {Record<string, MetricInShort>}
 */
export const FIELDS = /** @type {const} */ ({
  averageMs: taskTime('average', "average of the tasks' elapsed times"),
  spreadMs: taskTime('spread', 'slowest minus fastest task'),
  elapsedMs: taskTime('elapsed', 'from the start of the first task to the end of the last'),
  operations: {
    meaning: 'iterations of all tasks together',
    unit: 'operations',
    type: 'count',
    growsWithIterations: true,
  },
  commands: {
    meaning: 'Redis commands in those iterations',
    unit: 'commands',
    type: 'count',
    growsWithIterations: true,
  },
  opsPerSecond: {
    meaning: 'completed operations, over the time from the first start to the last reply',
    title: 'ops/s',
    heading: 'Operations per second',
    tables: { versions: 'ops/s' },
    unit: 'ops/s',
    better: 'more',
  },
  connections: {
    meaning: 'connections open during a run, or opened in it where the scenario opens them',
    unit: 'connections',
    type: 'count?',
  },
  intendedPerSecond: {
    meaning: 'the rate of an open loop as it was asked for',
    title: 'rate',
    unit: 'ops/s',
    in: 'openLoop',
    type: 'amount',
  },
  achievedPerSecond: {
    meaning:
      'completed operations of an open loop, over the time in which they were sent (without the wait for the last replies)',
    title: 'achieved/s',
    unit: 'ops/s',
    better: 'more',
    in: 'openLoop',
    type: 'amount',
    tables: { 'open-loop': 'achieved/s' },
  },
  minUs: latency('min', 'fastest', 'the fastest operation'),
  meanUs: latency('mean', 'mean', 'mean latency of an operation'),
  p50Us: latency('p50', 'p50', 'half of the operations took no longer', {
    cost: 'p50',
    latency: 'p50',
    'open-loop': 'p50',
  }),
  p90Us: latency('p90', 'p90', '90 % of the operations took no longer', { latency: 'p90' }),
  p99Us: latency('p99', 'p99', '99 % of the operations took no longer', { cost: 'p99', latency: 'p99' }),
  medianRunP99Us: {
    ...openLoopTime(
      'p99 of the median run',
      'p99 of the median run of an open loop: a rate is sustained if most runs sustain it',
    ),
    name: 'p99Us',
    of: ({ openLoop, latency }) => openLoop && latency?.p99Us,
    tables: { 'open-loop': 'p99' },
  },
  p999Us: latency('p999', 'p99.9', '99.9 % of the operations took no longer', { latency: 'p99.9' }),
  maxUs: latency('max', 'slowest', 'the slowest operation', { latency: 'slowest', 'open-loop': 'max' }),
  // As the p99 from the planned start, which no run's is above.
  p99UsFromSend: {
    ...openLoopTime(
      'p99 sent',
      'p99 of the median run of an open loop from the sending of an operation, as a closed loop would see it',
    ),
    of: ({ openLoop }) => openLoop?.latencyFromSend?.p99Us,
    tables: { 'open-loop': 'p99 sent' },
  },
  latenessP99Us: {
    ...openLoopTime('late p99', 'p99 of the time from the scheduled start of an operation to its sending'),
    tables: { 'open-loop': 'late p99' },
  },
  scheduled: openLoopCount('operations that were scheduled', null),
  acknowledged: openLoopCount('operations that were answered', null),
  waited: {
    ...openLoopCount('operations that had to wait at the bound', 'less'),
    tables: { 'open-loop': 'waited' },
  },
  dropped: {
    ...openLoopCount('operations that were dropped at the bound', 'less'),
    tables: { 'open-loop': 'dropped' },
  },
  failedOperations: {
    ...openLoopCount('operations that failed', 'less'),
    name: 'failed',
  },
  unsent: openLoopCount('operations that were not sent before the end of the run', 'less'),
  inFlightMax: {
    meaning: "most operations in flight at once; of several processes the sum of each one's maximum",
    title: 'in flight',
    unit: 'operations',
    in: 'openLoop',
    type: 'count',
    fromRuns: 'max',
    tables: { 'open-loop': 'in flight' },
  },
  waitingShare: {
    meaning: 'share of the time in which the event loop only waited for something to be due',
    title: 'waiting',
    unit: 'share',
    in: 'openLoop',
    type: 'share',
  },
  heldAgainMs: faultTime(
    'from the fault until operations completed in time (--slo) again, with no outage after it',
    'recovered',
  ),
  promotedMs: {
    ...faultTime('from the fault until the first Sentinel named another primary', 'promoted'),
    optional: true,
  },
  firstCallMs: {
    ...faultTime('that the first caller after --idle waited for a result or an error', 'first call'),
    optional: true,
  },
  longestWaitMs: {
    ...faultTime('that a caller waited for a result or an error', 'longest wait'),
    type: 'amount',
  },
  operationsFailed: faultCount('failed', 'operations whose callers got an error', 'failed'),
  operationsUnanswered: faultCount(
    'unanswered',
    'callers left waiting until the end of the run',
    'unanswered',
  ),
  answeredWrongly: faultCount('wrong', 'operations whose replies were wrong', 'wrong'),
  doneTwice: shownByData('doneTwice', "operations that the server's data has more than once", 'done twice'),
  acknowledgedButLost: shownByData(
    'lost',
    "operations that were acknowledged and are not in the server's data",
    'lost',
  ),
  lastLostMs: {
    ...faultTime('from the fault until the last operation was acknowledged that was lost', 'last lost'),
    optional: true,
  },
  doneInPart: {
    ...shownByData('doneInPart', "requests of which the server's data has a part only", 'done in part'),
    optional: true,
  },
  doneThoughFailed: shownByData(
    'doneThoughFailed',
    'operations that were done although their callers got an error',
    'done anyway',
  ),
  operationsLate: faultCount('late', 'operations that were done, but later than --slo', 'late'),
  firstSuccessMs: faultTime(
    'from the fault until the first operation that began after it was done',
    'first done',
  ),
  lostWithServer: faultCount(
    'lostWithServer',
    'operations that a server acknowledged before it lost its data',
    'lost with server',
  ),
  memoryGrowthBytes: {
    meaning: "by how much the client's memory grew in a run with a fault",
    title: 'MB more',
    unit: 'bytes',
    in: 'fault',
    type: 'amount',
    text: megabytes,
    tables: { fault: 'MB more' },
  },
  loopDelayMaxMs: {
    ...faultTime('that the event loop came late in a run with a fault, at most', 'loop late'),
    fromRuns: 'max',
  },
  struckLateMs: {
    ...faultTime('that a fault struck later than it was meant to', 'struck late'),
    fromRuns: 'max',
    type: 'number?',
    tables: {},
  },
  cpuUsPerOp: {
    meaning: "the client's CPU time per operation, without the application's own work",
    title: 'client CPU/op',
    heading: 'Client CPU per operation',
    unit: 'µs',
    in: 'client',
    from: ({ client, operations }) => per(ownCpuUs(client), operations),
    tables: { versions: 'client/op', cost: 'client/op', fault: 'CPU/op' },
  },
  clientCpuUtilization: {
    meaning: "processors that the client used, on average, without the application's own work",
    title: 'client processors',
    unit: 'share',
    in: 'client',
    name: 'cpuUtilization',
    from: ({ client, elapsedMs }) => per(ownCpuUs(client) / 1000, elapsedMs),
  },
  eventLoopUtilization: {
    meaning: "share of the time in which the event loop was busy, with the application's own work too",
    title: 'event loop',
    unit: 'share',
    in: 'client',
    from: ({ client }) => client.eventLoopUtilization,
    type: 'share',
  },
  appWorkUsPerOp: {
    optional: true,
    meaning: "CPU time that the application's own work really took per operation (--app-work)",
    title: 'app work/op',
    unit: 'µs',
    better: null,
    in: 'client',
    from: ({ client, operations }) => (client.appWorkUs > 0 ? per(client.appWorkUs, operations) : null),
    text: anyDuration,
    tables: { cost: 'app/op' },
  },
  encodeUsPerOp: {
    optional: true,
    meaning:
      'time of encoding and decoding values per operation (--encode), which is also in the CPU per operation',
    title: 'encoding/op',
    unit: 'µs',
    in: 'client',
    from: ({ client, operations }) => (client.encodeUs > 0 ? per(client.encodeUs, operations) : null),
    text: anyDuration,
    tables: { cost: 'encoding' },
  },
  clientBusy: {
    meaning:
      "how busy the client was: the larger of its event loop and its CPU, without idle looks at the clock and the application's own work",
    title: 'client busy',
    unit: 'share',
    in: 'bottleneck',
    fromRuns: null,
    tables: { cost: 'busy', 'open-loop': 'client' },
  },
  gcPauseMs: {
    meaning: 'time that garbage collections stopped the client',
    title: 'GC pauses',
    unit: 'ms',
    in: 'client',
    from: ({ client }) => client.garbage.gcPauseMs,
    type: 'amount',
    growsWithIterations: true,
  },
  cacheHitRate: {
    meaning: "share of a run's commands that the client served from its own cache, without asking the server",
    title: 'cache hits',
    unit: 'share',
    better: 'more',
    of: (run) => ('cacheHits' in run && run.cacheHits !== undefined ? run.cacheHits / run.commands : null),
    text: share,
    tables: { cost: 'cache hits' },
  },
  replicaReadShare: {
    optional: true,
    ...serverShare('read by replicas', 'share of the read commands that replicas served'),
    text: share,
    tables: { cost: 'by replicas' },
  },
  replicaUtilization: {
    optional: true,
    ...serverShare(
      'replica processors',
      "processors that the replicas used, all together, on average; none of that counts as the primaries'",
    ),
    text: share,
    tables: { cost: 'replicas busy' },
  },
  serverCpuUsPerCommand: {
    meaning: "CPU time of the server's main thread per command",
    title: 'server CPU/cmd',
    unit: 'µs',
    in: 'server',
    name: 'cpuUsPerCommand',
    tables: { cost: 'server/cmd' },
  },
  serverThreadsCpuUsPerCommand: {
    meaning: "CPU time of all the server's threads per command, the main thread's included",
    title: 'server CPU/cmd, all threads',
    unit: 'µs',
    in: 'server',
    name: 'allThreadsCpuUsPerCommand',
  },
  serverSleepsPerCommand: {
    optional: true,
    meaning:
      "how often the server's main thread went to sleep per command, so that a write had to wake it (Linux)",
    title: 'server sleeps/cmd',
    unit: 'times',
    better: 'less',
    in: 'server',
    name: 'sleepsPerCommand',
    text: hundredths,
  },
  serverCpuUtilization: {
    ...serverShare(
      'server processors',
      'processors that the server used, on average; of a cluster by all nodes together',
    ),
    name: 'cpuUtilization',
  },
  busiestNodeUtilization: serverShare(
    'busiest node',
    'processors that the busiest node used; of a standalone server the same',
  ),
  serverBusy: {
    meaning: "how busy the server's main thread was; of a cluster that of the busiest node",
    title: 'server busy',
    unit: 'share',
    in: 'bottleneck',
    fromRuns: null,
    tables: { cost: 'busy', 'open-loop': 'server' },
  },
  commandsPerRead: {
    meaning: 'commands per read of the server: the batching that really happened',
    title: 'cmds/read',
    unit: 'commands',
    better: 'more',
    in: 'server',
    text: tenths,
    tables: { cost: 'cmds/read' },
  },
  serverCommands: serverCount('commands', 'commands that the server counted', 'commands'),
  serverConnections: serverCount('connections', 'connections that the server accepted', 'connections'),
  netInputBytes: serverCount('netInputBytes', 'bytes that the server received', 'bytes'),
  netOutputBytes: serverCount('netOutputBytes', 'bytes that the server sent', 'bytes'),
  moved: serverCount('moved', 'MOVED redirections from a cluster', 'times'),
  asked: serverCount('asked', 'ASK redirections from a cluster', 'times'),
  commandsPerSecond: {
    meaning: 'commands of all tasks per second, where an operation is several',
    title: 'commands/s',
    unit: 'commands/s',
    better: 'more',
    of: (run) =>
      'commands' in run && run.elapsedMs && run.commands > run.operations
        ? (run.commands / run.elapsedMs) * 1000
        : null,
    tables: { cost: 'cmds/s' },
  },
  commandsPerBatch: {
    meaning: 'commands in a batch that the tool sent, on average',
    title: 'commands/batch',
    unit: 'commands',
    better: 'more',
    in: 'batching',
    from: ({ batches }) => batches.commands / batches.batches,
    text: tenths,
    tables: { cost: 'batch' },
  },
  heldUs: {
    meaning: 'how long a batch was open, from its first command to its sending: what a window really was',
    title: 'batch held for',
    unit: 'µs',
    in: 'batching',
    from: ({ batches }) => (batches.heldMs / batches.batches) * 1000,
    tables: { cost: 'held' },
  },
  waitingUsPerOp: {
    meaning: "share of the client's CPU time per operation that a window spent looking at the clock",
    title: 'of client CPU/op, waiting',
    unit: 'µs',
    in: 'batching',
    from: ({ batches, operations }) => (batches.waitedMs / operations) * 1000,
    tables: { cost: 'waiting/op' },
  },
  allocatedBytesPerOp: {
    meaning: "bytes allocated on the client's heap per operation",
    title: 'allocated/op',
    heading: 'Bytes allocated per operation',
    unit: 'bytes',
    in: 'client',
    from: ({ client, operations }) => per(client.garbage.allocatedBytes, operations),
    type: 'number?',
    tables: { cost: 'alloc/op' },
  },
  contextSwitchesPerOp: {
    optional: true,
    meaning: "context switches of the client's main thread per operation, voluntary or not (Linux)",
    title: 'switches/op',
    unit: 'times',
    better: 'less',
    in: 'client',
    from: ({ client, operations }) => per(client.contextSwitches, operations),
    text: hundredths,
  },
  eventLoopDelayP99Us: {
    optional: true,
    meaning:
      'how long other work in the client process waits for the event loop: 99 % of events at random moments wait no longer',
    title: 'loop delay p99',
    unit: 'µs',
    in: 'client',
    from: ({ client }) => loopDelay(client.loop, 0.99),
    text: anyDuration,
    tables: { cost: 'loop p99' },
  },
  eventLoopDelayMaxUs: {
    optional: true,
    meaning: 'how long other work in the client process waits for the event loop at most',
    title: 'loop delay max',
    unit: 'µs',
    in: 'client',
    from: ({ client }) => loopDelay(client.loop, 1),
    fromRuns: 'max',
    text: anyDuration,
    tables: { cost: 'loop max' },
  },
  gcLongestMs: {
    optional: true,
    meaning: 'the longest time that a garbage collection stopped the client',
    title: 'longest GC',
    unit: 'ms',
    in: 'client',
    from: ({ client }) => client.garbage.gcLongestMs,
    fromRuns: 'max',
    text: orBlank(ofMs),
    tables: { cost: 'longest GC' },
  },
  peakRssBytes: {
    meaning: "the client's memory (resident set) at its largest",
    title: 'MB',
    unit: 'bytes',
    in: 'client',
    from: ({ client }) => client.peakRssBytes,
    type: 'positive',
    text: megabytes,
    tables: { 'open-loop': 'MB' },
  },
  variation: {
    meaning: 'how much operations per second vary from run to run: their standard deviation over their mean',
    unit: 'share',
    better: 'less',
    fromRuns: null,
  },
  firstReplyMs: cold('firstReplyMs', 'time from the start to the first reply', 'first reply'),
  processStartMs: cold('startMs', 'time until Node runs the first line', 'start'),
  importMs: cold('importMs', "time to import the client's library", 'import'),
  connectMs: cold('connectMs', 'time to make the client and connect', 'connect'),
  replyMs: cold('replyMs', 'time from the first command to its reply', 'reply'),
  coldCpuMs: cold('cpuMs', 'CPU time to the first reply', 'CPU'),
  processStartCpuMs: cold('startCpuMs', 'CPU time until Node runs the first line', 'start CPU'),
  importCpuMs: cold('importCpuMs', "CPU time to import the client's library", 'import CPU'),
  connectCpuMs: cold('connectCpuMs', 'CPU time to make the client and connect', 'connect CPU'),
  replyCpuMs: cold('replyCpuMs', 'CPU time from the first command to its reply', 'reply CPU'),
  modulesLoaded: cold('modules', "files loaded with the client's library", 'modules', 'times', whole),
  coldRssBytes: cold(
    'rssBytes',
    'memory (resident set) after the first reply',
    'MB',
    'bytes',
    wholeMegabytes,
  ),
});

/** Less of these is better, if a metric does not say otherwise. @type {Metric['unit'][]} */
const COSTS = ['ms', 'µs', 'bytes'];

/** In the order of the columns of tables. @type {Metric[]} */
export const METRICS = Object.entries(/** @type {Record<string, MetricInShort>} */ (FIELDS)).map(
  ([id, metric]) => ({
    id,
    title: id,
    better: COSTS.includes(metric.unit) ? 'less' : null,
    fromRuns: 'median',
    ...metric,
  }),
);

/** @param {number | null | undefined} sum @param {number | null} count */
export const per = (sum, count) => (sum == null || !count ? null : sum / count);

/** µs, without the application's own work. @param {Pick<ClientProbe, 'cpuUs' | 'appWorkUs'>} probe */
export const ownCpuUs = ({ cpuUs, appWorkUs }) => Math.max(0, cpuUs - appWorkUs);

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
