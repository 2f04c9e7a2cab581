import { duration, kilobytes, micro, percent, tenths, whole } from '../report/figures.js';

/** @import { ClientProbe } from '../worker/types.js' */
/** @import { MadeFrom, FieldInShort, Metric } from './types.js' */

/**
 * Every figure of a run: where it stands in the record, what it may be (see check.js), what it means, how it is made of
 * what workers measured, and how a cell's is made of its runs'. Records, the check of files, summaries, csv, `list`,
 * `--metric`, columns of tables and types follow from it. shapes.js has what else is stored. A field is written as
 *
 *     PLACE TYPE UNIT WORD… = TITLE: MEANING      (or what is both)
 *
 * or as an object with that as `is`. Its place is a part of the run, with its name there if that is not its id, and `?` if
 * some runs lack it. `computed`: runs do not store it. WORDS has the words; a table's name is one too: there it is a column.
 */

/** @param {(value: number, digits?: number) => string} text @returns {NonNullable<Metric['text']>} */
const orBlank = (text) => (value, digits) => (value == null ? '' : text(value, digits));
const ofMs = (/** @type {number} */ ms) => duration(ms * 1000);

/** @type {Record<string, Partial<Metric>>} */
const WORDS = {
  more: { better: 'more' },
  less: { better: 'less' },
  neither: { better: null },
  sum: { fromRuns: 'sum' },
  max: { fromRuns: 'max' },
  histogram: { fromRuns: 'histogram' },
  ofCells: { fromRuns: null },
  grows: { growsWithIterations: true },
  // Fewer operations have no such percentile: it would be the slowest of them.
  of100: { fewest: 100 },
  of1000: { fewest: 1000 },
  // Latencies of an open loop may be microseconds or seconds.
  duration: { text: orBlank(duration) },
  durationOfMs: { text: orBlank(ofMs) },
  sinceFault: { text: orBlank((ms) => (ms < 1 ? 'at once' : ofMs(ms))) },
  kB: { text: orBlank(kilobytes) },
  // Nothing was held back.
  orNone: { text: (us) => (us ? micro(us) : '') },
  MB: { text: orBlank((bytes) => whole(bytes / 1e6)) },
  tenthsOfMB: { text: orBlank((bytes) => (bytes / 1e6).toFixed(1)) },
  percent: { text: orBlank(percent) },
  whole: { text: orBlank(whole) },
  tenths: { text: tenths },
  hundredths: { text: orBlank((count) => `${Number(count.toPrecision(count < 1 ? 2 : 3))}`) },
};

/** By their ids. @satisfies {Record<string, FieldInShort>} */
export const FIELDS = /** @type {const} */ ({
  averageMs: "run amount? ms grows = average: average of the tasks' elapsed times",
  spreadMs: 'run amount? ms grows = spread: slowest minus fastest task',
  elapsedMs: 'run amount? ms grows = elapsed: from the start of the first task to the end of the last',
  operations: 'run count operations grows = operations: iterations of all tasks together',
  commands: 'run count commands grows = commands: Redis commands in those iterations',
  opsPerSecond: {
    is: 'run amount? ops/s more versions = ops/s: completed operations, over the time from the first start to the last reply',
    heading: 'Operations per second',
  },
  connections:
    'run count? connections = connections: connections to the server at the end of a run, or opened in it where the scenario opens them',
  intendedPerSecond: 'openLoop amount ops/s = rate: the rate of an open loop as it was asked for',
  achievedPerSecond:
    'openLoop amount ops/s more open-loop = achieved/s: completed operations of an open loop, over the time in which they were sent (without the wait for the last replies)',
  minUs: 'latency amount µs histogram = fastest: the fastest operation',
  meanUs: 'latency amount µs histogram = mean: mean latency of an operation',
  p50Us: 'latency amount µs histogram cost latency open-loop = p50: half of the operations took no longer',
  p90Us: 'latency amount µs histogram latency = p90: 90 % of the operations took no longer',
  p99Us: 'latency amount µs histogram of100 cost latency = p99: 99 % of the operations took no longer',
  medianRunP99Us: {
    is: 'openLoop.p99Us computed µs duration of100 = p99 of the median run: p99 of the median run of an open loop: a rate is sustained if most runs sustain it',
    of: ({ openLoop, latency }) => openLoop && latency?.p99Us,
    tables: { 'open-loop': 'p99' },
  },
  p999Us: 'latency amount µs histogram of1000 latency = p99.9: 99.9 % of the operations took no longer',
  maxUs: {
    is: 'latency amount µs histogram = slowest: the slowest operation',
    tables: { latency: 'slowest', 'open-loop': 'max' },
  },
  // As the p99 from the planned start, which no run's is above.
  p99UsFromSend: {
    is: 'openLoop computed µs duration of100 open-loop = p99 sent: p99 of the median run of an open loop from the sending of an operation, as a closed loop would see it',
    of: ({ openLoop }) => openLoop?.latencyFromSend?.p99Us,
  },
  latenessP99Us:
    'openLoop amount? µs duration of100 open-loop = late p99: p99 of the time from the scheduled start of an operation to its sending',
  scheduled:
    'openLoop count operations sum = scheduled: operations that were scheduled in an open loop, in all runs of a cell',
  acknowledged:
    'openLoop count operations sum = acknowledged: operations that were answered in an open loop, in all runs of a cell',
  waited:
    'openLoop count operations less sum open-loop = waited: operations that had to wait at the bound in an open loop, in all runs of a cell',
  dropped:
    'openLoop count operations less sum open-loop = dropped: operations that were dropped at the bound in an open loop, in all runs of a cell',
  failedOperations:
    'openLoop.failed count operations less sum = failedOperations: operations that failed in an open loop, in all runs of a cell',
  unsent:
    'openLoop count operations less sum = unsent: operations that were not sent before the end of the run in an open loop, in all runs of a cell',
  inFlightMax:
    "openLoop count operations max open-loop = in flight: most operations in flight at once; of several processes the sum of each one's maximum",
  waitingShare:
    'openLoop share share = waiting: share of the time in which the event loop only waited for something to be due',
  recoveredMs:
    'fault amount? ms sinceFault fault = recovered: time from the fault until operations completed in time (--slo) again, with no outage after it',
  promotedMs:
    'fault? amount? ms sinceFault fault = promoted: time from the fault until the first Sentinel named another primary',
  firstCallMs:
    'fault? amount? ms sinceFault fault = first call: time that the first caller after --idle waited for a result or an error',
  longestWaitMs:
    'fault amount ms sinceFault fault = longest wait: time that a caller waited for a result or an error',
  operationsFailed:
    'fault.failed count operations less max fault = failed: operations whose callers got an error, in a run with a fault',
  operationsUnanswered:
    'fault.unanswered count operations less max fault = left waiting: callers without a reply until the end of the run, in a run with a fault',
  answeredWrongly:
    'fault.wrong count operations less max fault = wrong: operations whose replies were wrong, in a run with a fault',
  // What the data does not show is null.
  doneTwice:
    "fault count? operations less max fault = twice: operations that the server's data has more than once, in a run with a fault",
  acknowledgedButLost:
    "fault.lost count? operations less max fault = lost: operations that were acknowledged and are not in the server's data, in a run with a fault",
  lastLostMs:
    'fault? amount? ms sinceFault fault = last lost: time from the fault until the last operation was acknowledged that was lost',
  doneInPart:
    "fault? count? operations less max fault = in part: requests of which the server's data has a part only, in a run with a fault",
  doneThoughFailed:
    'fault count? operations less max fault = failed but done: operations that were done although their callers got an error, in a run with a fault',
  operationsLate:
    'fault.late count operations less max fault = late: operations that were done, but later than --slo, in a run with a fault',
  firstSuccessMs:
    'fault amount? ms sinceFault fault = first done: time from the fault until the first operation that began after it was done',
  lostWithServer:
    'fault count operations less max fault = lost with server: operations that a server acknowledged before it lost its data, in a run with a fault',
  memoryGrowthBytes:
    "fault amount bytes MB fault = MB more: by how much the client's memory grew in a run with a fault",
  loopDelayMaxMs:
    'fault amount? ms max sinceFault fault = loop late: time that the event loop came late in a run with a fault, at most',
  struckLateMs:
    'fault number? ms max sinceFault = struck late: time that a fault struck later than it was meant to',
  cpuUsPerOp: {
    is: "client amount? µs = client CPU/op: the client's CPU time per operation, without the application's own work and an open loop's looks at the clock",
    heading: 'Client CPU per operation',
    from: ({ client, operations, openLoop }) => per(workCpuUs(client, openLoop), operations),
    tables: { versions: 'client/op', cost: 'client/op', fault: 'CPU/op' },
  },
  clientCpuUtilization: {
    is: "client.cpuUtilization amount? share = client processors: processors that the client used, on average, without the application's own work",
    from: ({ client, elapsedMs }) => per(ownCpuUs(client) / 1000, elapsedMs),
  },
  eventLoopUtilization: {
    is: "client share share = event loop: share of the time in which the event loop was busy, with the application's own work too",
    from: ({ client }) => client.eventLoopUtilization,
  },
  appWorkUsPerOp: {
    is: "client? amount? µs neither duration = app work/op: CPU time that the application's own work really took per operation (--app-work)",
    from: ({ client, operations }) => (client.appWorkUs > 0 ? per(client.appWorkUs, operations) : null),
    tables: { cost: 'app/op' },
  },
  encodeUsPerOp: {
    is: 'client? amount? µs duration = encoding/op: time of encoding and decoding values per operation (--encode), which is also in the CPU per operation',
    from: ({ client, operations }) => (client.encodeUs > 0 ? per(client.encodeUs, operations) : null),
    tables: { cost: 'encoding' },
  },
  clientBusy: {
    is: "bottleneck computed share ofCells = client busy: how busy the client was: the larger of its event loop and its CPU, without idle looks at the clock and the application's own work",
    tables: { cost: 'busy', 'open-loop': 'client' },
  },
  gcPauseMs: {
    is: 'client amount ms grows = GC pauses: time that garbage collections stopped the client',
    from: ({ client }) => client.garbage.gcPauseMs,
  },
  cacheHitRate: {
    is: "run computed share more percent cost = cache hits: share of a run's commands that the client served from its own cache, without asking the server",
    of: (run) => ('cacheHits' in run && run.cacheHits !== undefined ? run.cacheHits / run.commands : null),
  },
  replicaReadShare: {
    is: 'server? amount? share percent = read by replicas: share of the read commands that replicas served',
    tables: { cost: 'by replicas' },
  },
  replicaUtilization: {
    is: "server? amount? share percent = replica processors: processors that the replicas used, all together, on average; none of that counts as the primaries'",
    tables: { cost: 'replicas busy' },
  },
  serverCpuUsPerCommand: {
    is: "server.cpuUsPerCommand amount? µs = server CPU/cmd: CPU time of the server's main thread per command",
    tables: { cost: 'server/cmd' },
  },
  serverThreadsCpuUsPerCommand:
    "server.allThreadsCpuUsPerCommand amount? µs = server CPU/cmd, all threads: CPU time of all the server's threads per command, the main thread's included",
  serverSleepsPerCommand:
    "server.sleepsPerCommand? amount? times less hundredths = server sleeps/cmd: how often the server's main thread went to sleep per command, so that a write had to wake it (Linux)",
  serverCpuUtilization:
    'server.cpuUtilization amount? share = server processors: processors that the server used, on average; of a cluster by all nodes together',
  busiestNodeUtilization:
    'server amount? share = busiest node: processors that the busiest node used; of a standalone server the same',
  serverBusy: {
    is: "bottleneck computed share ofCells = server busy: how busy the server's main thread was; of a cluster that of the busiest node",
    tables: { cost: 'busy', 'open-loop': 'server' },
  },
  commandsPerRead:
    'server amount? commands more tenths cost = cmds/read: commands per read of the server: the batching that really happened',
  serverCommands: 'server.commands amount? commands grows = commands that the server counted',
  serverConnections:
    'server.connections amount? connections grows = new connections that the server accepted during a run',
  netInputBytes: 'server amount? bytes neither grows = bytes that the server received',
  netOutputBytes: 'server amount? bytes neither grows = bytes that the server sent',
  moved: 'server amount? times grows = MOVED redirections from a cluster',
  asked: 'server amount? times grows = ASK redirections from a cluster',
  commandsPerSecond: {
    is: 'run computed commands/s more = commands/s: commands of all tasks per second, where an operation is several',
    of: (run) =>
      'commands' in run && run.elapsedMs && run.commands > run.operations
        ? (run.commands / run.elapsedMs) * 1000
        : null,
    tables: { cost: 'cmds/s' },
  },
  commandsPerBatch: {
    is: 'batching amount? commands more tenths = commands/batch: commands in a batch that the tool sent, on average',
    from: ({ batches }) => batches.commands / batches.batches,
    tables: { cost: 'batch' },
  },
  heldUs: {
    is: 'batching amount? µs orNone = batch held for: how long a batch was open, from its first command to its sending: what a window really was',
    from: ({ batches }) => (batches.heldMs / batches.batches) * 1000,
    tables: { cost: 'held' },
  },
  waitingUsPerOp: {
    is: "batching amount? µs orNone = of client CPU/op, waiting: share of the client's CPU time per operation that a window spent looking at the clock",
    from: ({ batches, operations }) => (batches.waitedMs / operations) * 1000,
    tables: { cost: 'waiting/op' },
  },
  allocatedBytesPerOp: {
    is: "client number? bytes kB = allocated/op: bytes allocated on the client's heap per operation",
    heading: 'Bytes allocated per operation',
    from: ({ client, operations }) => per(client.garbage.allocatedBytes, operations),
    tables: { cost: 'alloc/op' },
  },
  contextSwitchesPerOp: {
    is: "client? amount? times less hundredths = switches/op: context switches of the client's main thread per operation, voluntary or not (Linux)",
    from: ({ client, operations }) => per(client.contextSwitches, operations),
  },
  eventLoopDelayP99Us: {
    is: 'client? amount? µs duration = loop delay p99: how long other work in the client process waits for the event loop: 99 % of events at random moments wait no longer',
    from: ({ client }) => loopDelay(client.loop, 0.99),
    tables: { cost: 'loop p99' },
  },
  eventLoopDelayMaxUs: {
    is: 'client? amount? µs max duration = loop delay max: how long other work in the client process waits for the event loop at most',
    from: ({ client }) => loopDelay(client.loop, 1),
    tables: { cost: 'loop max' },
  },
  gcLongestMs: {
    is: 'client? amount? ms max durationOfMs cost = longest GC: the longest time that a garbage collection stopped the client',
    from: ({ client }) => client.garbage.gcLongestMs,
  },
  peakRssBytes: {
    is: "client positive bytes MB cost open-loop = MB: the client's memory (resident set) at its largest",
    from: ({ client }) => client.peakRssBytes,
  },
  variation:
    'run computed share less ofCells = variation: how much operations per second vary from run to run: their standard deviation over their mean',
  firstReplyMs: 'cold amount? ms durationOfMs cold = first reply: time from the start to the first reply',
  processStartMs: 'cold.startMs amount? ms durationOfMs cold = start: time until Node runs the first line',
  importMs: "cold amount? ms durationOfMs cold = import: time to import the client's library",
  connectMs: 'cold amount? ms durationOfMs cold = connect: time to make the client and connect',
  replyMs: 'cold amount? ms durationOfMs cold = reply: time from the first command to its reply',
  coldCpuMs: 'cold.cpuMs amount? ms durationOfMs cold = CPU: CPU time to the first reply',
  processStartCpuMs:
    'cold.startCpuMs amount? ms durationOfMs cold = start CPU: CPU time until Node runs the first line',
  importCpuMs: "cold amount? ms durationOfMs cold = import CPU: CPU time to import the client's library",
  connectCpuMs: 'cold amount? ms durationOfMs cold = connect CPU: CPU time to make the client and connect',
  replyCpuMs: 'cold amount? ms durationOfMs cold = reply CPU: CPU time from the first command to its reply',
  modulesLoaded:
    "cold.modules amount? times less whole cold = modules: files loaded with the client's library",
  coldRssBytes: 'cold.rssBytes amount? bytes MB cold = MB: memory (resident set) after the first reply',
  installedBytes:
    "cold amount? bytes tenthsOfMB cold = MB on disk: the client's library on disk, with all that it depends on",
});

/** What the meanings of all figures of a part have in common. */
const MEANINGS = { cold: 'of a fresh process: …', latency: '…; of an open loop from its scheduled start' };

/** Less of these is better, if nothing else is said. */
const COSTS = ['ms', 'µs', 'bytes'];

/** In the order of the columns of tables. @type {Metric[]} */
export const METRICS = Object.entries(FIELDS).map(([id, field]) => {
  const { is, ...own } = /** @type {Exclude<FieldInShort, string>} */ (
    typeof field === 'string' ? { is: field } : field
  );
  const [, place, type, unit, words, named, meaning] = /** @type {any} */ (
    /^(\S+) (\S+) (\S+) ?(.*?) ?= (?:(.*?): )?(.*)$/.exec(is)
  );
  const title = named ?? meaning;
  const [part, name = id] = place.replace('?', '').split('.');
  const said = words.split(' ').filter(Boolean);
  const columns = said.filter((/** @type {string} */ word) => !(word in WORDS));
  return {
    ...{ id, name, unit, title },
    meaning: MEANINGS[/** @type {keyof typeof MEANINGS} */ (part)]?.replace('…', meaning) ?? meaning,
    ...(part !== 'run' && { in: part }),
    ...(part === 'latency' && { aliases: [id.replace('Us', '')] }),
    ...(type !== 'computed' && { type, optional: place.endsWith('?') }),
    better: COSTS.includes(unit) ? 'less' : null,
    fromRuns: 'median',
    ...Object.assign({}, ...said.map((/** @type {string} */ word) => WORDS[word])),
    tables: Object.fromEntries(columns.map((/** @type {string} */ table) => [table, title])),
    ...own,
  };
});

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
