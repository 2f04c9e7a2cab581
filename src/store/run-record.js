import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { max, mean, min, sum } from '../descriptive-statistics.js';
import { CHECK_FAILED, nameOfCause, withAdvice } from '../error-causes.js';
import { MEASURING } from '../method.js';
import { count, whole } from '../numbers.js';
import { isOff, latencyOf } from '../statistics/latency.js';
import { confirm } from './confirmed.js';
import { ownCpuUs, per } from './figures.js';
import { mergeBy, processFigures, startSkewMs } from './merge.js';
import { figuresFrom } from './metrics.js';
import { emptyIn, isMostlyNothing, warningsOf, when } from './run-warnings.js';

/** @import { OpenLoopPlan } from '../run/plan/types.js' */
/** @import { Distance, RelayFigures } from '../relay/types.js' */
/** @import { RunFacts } from './run-warnings.js' */
/** @import { NodeDelta, ServerDelta } from '../server/types.js' */
/** @import { Observed, SeenSlice, WatchedRun } from '../run/types.js' */
/** @import { Asked, ClientProbe } from '../worker/types.js' */
/** @import { Latency, MadeFrom, OpenLoopRun, Run, RunPart, RunWarning, ServerCost, Slice } from './types.js' */

/** If caches or replicas leave the server fewer commands per operation, its CPU goes mostly into other work. */
const FEW = 0.05;

/**
 * @param {Pick<Run, 'round' | 'start'> & {observed: Observed} & Pick<RunFacts, 'opensDuringRun'> & Partial<RunFacts>} known
 * @returns {Run}
 */
export function createRun({ round, start, observed, ...known }) {
  /** @type {RunFacts} */
  const facts = {
    isWatched: false,
    hasOneNode: true,
    noInfo: 'denied',
    openLoop: null,
    appWorkUs: 0,
    ownProcessor: false,
    workerCpus: null,
    caches: false,
    ...known,
  };
  const { measured, seen } = observed;
  const { taskElapsedMs, elapsedMs, wrongReplies, errors } = measured;
  const operations = sum(measured.taskIterations);
  const made = /** @type {MadeFrom} */ ({ ...measured, operations });
  const latency = latencyOf([measured.latencyHdr]);
  const rated = openLoopOf(measured, facts.openLoop, latency);
  const { warnings: miscounted, unconfirmed, cacheHits } = confirm(observed, facts);
  const leavesFew = cacheHits !== null || seen?.replicas !== undefined;
  const warningFacts = [...observed.remarks, ...warningsOf(observed, facts, { latency, rated, miscounted })];
  return {
    round,
    start,
    averageMs: mean(taskElapsedMs),
    spreadMs: max(taskElapsedMs) - min(taskElapsedMs),
    taskElapsedMs,
    elapsedMs,
    operations,
    commands: sum(Object.values(measured.calls)),
    answers: measured.answers,
    opsPerSecond: (operations / elapsedMs) * 1000,
    connections: facts.opensDuringRun ? openedIn(observed, facts) : observed.connections,
    ...(cacheHits !== null && { cacheHits }),
    ...(measured.lookups && { lookups: measured.lookups }),
    latency,
    parts: partsOf(measured),
    batching: measured.batches && figuresFrom('batching', made),
    openLoop: rated,
    processes: measured.processes ?? [processFigures(measured)],
    ...(measured.machines && { machines: measured.machines, startSkewMs: startSkewMs(measured.machines) }),
    client: figuresFrom('client', made),
    server: serverCost(seen, elapsedMs, leavesFew ? FEW * operations : 0),
    wrongReplies,
    errors: byCause(errors),
    ...(observed.emitted && { emitted: observed.emitted }),
    failed: failureOf(measured, operations, unconfirmed),
    ...(warningFacts.length > 0 && { warningFacts }),
    warnings: [],
  };
}

/**
 * On a cluster a client's connection is several to the server, which counts them, with those of others.
 * @param {Observed} observed @param {RunFacts} facts @returns {number | null}
 */
const openedIn = ({ measured, seen }, { hasOneNode }) =>
  hasOneNode ? measured.connectionsOpened : (seen?.connections ?? null);

/** @param {Run} run @param {RunWarning[]} more @returns {Run} */
export const withWarnings = (run, more) =>
  more.length === 0 ? run : { ...run, warningFacts: [...(run.warningFacts ?? []), ...more] };

/** @param {Run} run @param {RelayFigures | null} figures @param {Distance} [distance] requested @returns {Run} */
export function withRelay(run, figures, distance) {
  if (figures === null || distance === undefined) return run;
  const { p50Us: lateP50Us = null, p99Us: lateP99Us = null } = latencyOf([figures.lateHdr]) ?? {};
  const relay = { lateP50Us, lateP99Us, pauses: figures.pauses };
  return withWarnings({ ...run, relay }, [
    ...when(isOff(lateP50Us ?? 0, distance.rttMs), { kind: 'farther-than-asked' }),
    ...when(relay.pauses > 0, { kind: 'narrow-line' }),
  ]);
}

/** @param {Pick<Run, 'round' | 'start' | 'emitted'>} when @param {string} reason @returns {Run} without figures */
export const failedRun = (when, reason) => ({
  ...when,
  averageMs: null,
  spreadMs: null,
  elapsedMs: null,
  opsPerSecond: null,
  connections: null,
  answers: null,
  latency: null,
  batching: null,
  openLoop: null,
  client: null,
  server: null,
  taskElapsedMs: [],
  operations: 0,
  commands: 0,
  processes: [],
  wrongReplies: 0,
  errors: {},
  failed: reason,
  warnings: [],
});

const NS_PER_MS = 1e6;
const LONGEST_NS = 3600 * 1e9;

/**
 * @param {object} measured @param {number} measured.round @param {number} measured.elapsedMs
 * @param {number} measured.operations those done @param {number[]} measured.timesMs of each
 * @param {number | null} measured.connections @param {number} measured.peakRssBytes @returns {Run}
 */
export function runOfTimes({ round, elapsedMs, operations, timesMs, connections, peakRssBytes }) {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_NS,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  });
  for (const ms of timesMs) histogram.recordValue(Math.max(1, Math.round(ms * NS_PER_MS)));
  return {
    ...failedRun({ round, start: round }, ''),
    averageMs: elapsedMs,
    spreadMs: 0,
    taskElapsedMs: [elapsedMs],
    elapsedMs,
    operations,
    commands: operations,
    opsPerSecond: (operations / elapsedMs) * 1000,
    connections,
    latency: timesMs.length === 0 ? null : latencyOf([encodeIntoCompressedBase64(histogram)]),
    client: {
      cpuUsPerOp: null,
      cpuUtilization: null,
      eventLoopUtilization: 0,
      gcPauseMs: 0,
      allocatedBytesPerOp: null,
      peakRssBytes,
    },
    failed: null,
  };
}

/** Why a run fails. A warm-up may end before its first operation. */
export const NOTHING_DONE = 'no operation was completed';

/**
 * @param {Observed['measured']} measured @param {number} operations @param {string | null} unconfirmed by the server
 */
function failureOf({ wrongReplies, firstWrongReply, errors, asked, openLoop }, operations, unconfirmed) {
  const texts = Object.keys(errors);
  if (texts.length > 0) {
    const causes = Object.entries(byCause(errors));
    // The text is the only name that its cause has.
    if (causes.length === 1 && causes[0][0] === texts[0])
      return `${count(causes[0][1], 'operation')} failed: ${withAdvice(texts[0])}`;
    const counts = causes.map(([cause, times]) => `${times} × ${cause}`).join(', ');
    const what = texts.every((text) => text.startsWith(CHECK_FAILED))
      ? counts
      : `operations failed (${counts})`;
    return `${what}: ${withAdvice(texts[0])}`;
  }
  if (wrongReplies > 0)
    return `${count(wrongReplies, 'wrong reply', 'wrong replies')}, the first: ${firstWrongReply}`;
  if (unconfirmed !== null) return unconfirmed;
  if (!openLoop && operations === 0) return NOTHING_DONE;
  const empty = operations > 0 ? emptyIn(asked).find(({ finds }) => finds === 'something') : undefined;
  const mostly = empty ?? asked.find(isMostlyNothing);
  if (mostly === undefined) return null;
  return mostly.finds === 'something' ? missedText(mostly) : nothingText(mostly);
}

/** @param {Asked} asked that only reads */
function missedText({ name, sent, filled, nothing, preparedBy }) {
  const found = `${filled === 0 ? 'all' : `${whole(nothing)} of`} ${whole(sent)} ${name} found nothing`;
  if (preparedBy === null)
    return `${found}, as ${filled === 0 ? 'nothing' : 'too little'} was stored: add --prepare with what stores it, or 'DEL {key}' to measure misses`;
  const why =
    filled === 0
      ? 'check that both name the same type and fields'
      : 'it expired, or another share removes it';
  return `${found}, although ${preparedBy} stored data: ${why}`;
}

/** @param {Asked} asked that takes away what it finds */
function nothingText({ name, text, nothing, sent, preparedBy }) {
  const found = `${whole(nothing)} of ${whole(sent)} ${name} found nothing`;
  return preparedBy === null
    ? `${found}, as nothing was stored: add --prepare with what stores it`
    : `${found}: it uses up what ${preparedBy} stored. Add --prepare-each, or store it in each operation, as in --command '${preparedBy} … ; ${text}'; with --share, more --keys`;
}

/** Texts of one cause differ in ports and times. @param {Record<string, number>} errors counts by text @returns {Record<string, number>} */
export const byCause = (errors) =>
  mergeBy(
    'sums',
    Object.entries(errors).map(([text, count]) => ({ [nameOfCause(text)]: count })),
  );

/** A rate is sustained if at least this share of it was acknowledged. */
const SUSTAINED_SHARE = 0.995;

/**
 * @param {Observed['measured']} measured @param {OpenLoopPlan | null} plan null for a closed loop
 * @param {Latency | null} latency from the scheduled start @returns {OpenLoopRun | null}
 */
function openLoopOf({ openLoop: counts, elapsedMs, taskIterations, waited: own, processes }, plan, latency) {
  if (!counts || plan === null) return null;
  const { waitedMs, sentUntilMs, latenessHdr, fromSendHdr, sent: _, ...counted } = counts;
  const acknowledged = sum(taskIterations) + own;
  const achievedPerSecond = (acknowledged / sentUntilMs) * 1000;
  const { intendedPerSecond = plan.ratePerSecond } = counted;
  return {
    held:
      achievedPerSecond >= SUSTAINED_SHARE * intendedPerSecond &&
      counted.dropped + counted.unsent + counted.failed === 0 &&
      (plan.sloMs === null || (latency !== null && latency.p99Us <= plan.sloMs * 1000)),
    achievedPerSecond,
    ...counted,
    intendedPerSecond,
    acknowledged,
    latenessP99Us: latencyOf([latenessHdr])?.p99Us ?? null,
    waitingShare: waitedMs / elapsedMs / (processes?.length ?? 1),
    latencyFromSend: latencyOf([fromSendHdr]),
  };
}

/** The commands of a mix. @param {Observed['measured']} measured @returns {RunPart[]} */
export function partsOf({ commandHdrs, openLoop, elapsedMs }) {
  const sentForMs = openLoop?.sentUntilMs ?? elapsedMs;
  return Object.entries(commandHdrs).map(([name, hdr]) => {
    const latency = latencyOf([hdr]);
    const count = latency?.count ?? 0;
    return { name, count, latency, perSecond: sentForMs > 0 ? (count / sentForMs) * 1000 : 0 };
  });
}

/**
 * The server's own counters, null if not reported. @param {ServerDelta | null} seen @param {number} elapsedMs
 * @param {number} [few] with fewer commands at the primaries, a cost per command is meaningless @returns {ServerCost}
 */
export function serverCost(seen, elapsedMs, few = 0) {
  const { mainThreadCpuUs, allThreadsCpuUs, sleeps, moved, asked, replicas, ...own } = seen ?? NOTHING;
  /** @param {number | null} cpuUs */
  const utilization = (cpuUs) => per(cpuUs && cpuUs / 1000, elapsedMs);
  /** @param {NodeDelta} node */
  const nodeCost = ({ mainThreadCpuUs: cpuUs, ...node }) => ({ ...node, cpuUtilization: utilization(cpuUs) });
  const nodes = own.nodes?.map(nodeCost) ?? null;
  const ofReplicas = replicas?.nodes.map(nodeCost) ?? [];
  /** @param {'commands' | 'reads' | 'netInputBytes' | 'netOutputBytes'} name */
  const all = (name) => plus([own[name], ...(replicas ? [replicas[name]] : [])]);
  const isFew = (own.commands ?? 0) < few;
  const atPrimaries = nodes ?? [{ cpuUtilization: utilization(mainThreadCpuUs) }];
  const busy = [...atPrimaries, ...ofReplicas].map(({ cpuUtilization }) => cpuUtilization);
  return {
    commands: all('commands'),
    connections: own.connections,
    netInputBytes: all('netInputBytes'),
    netOutputBytes: all('netOutputBytes'),
    commandsPerRead: per(all('commands'), all('reads')),
    cpuUsPerCommand: isFew ? null : per(mainThreadCpuUs, own.commands),
    allThreadsCpuUsPerCommand: isFew ? null : per(allThreadsCpuUs, own.commands),
    ...(sleeps != null && { sleepsPerCommand: isFew ? null : per(sleeps, own.commands) }),
    cpuUtilization: utilization(mainThreadCpuUs),
    // Null if a node does not report it: it may be the busiest.
    busiestNodeUtilization: busy.includes(null) ? null : max(busy.map(Number)),
    moved,
    asked,
    nodes,
    ...(replicas !== undefined && {
      replicas: ofReplicas,
      replicaUtilization: plus(ofReplicas.map(({ cpuUtilization }) => cpuUtilization)),
      replicaReadShare: per(replicas.commands, plus([replicas.commands, replicas.primaryCommands])),
    }),
  };
}

/** @param {(number | null)[]} values @returns {number | null} null if one is unknown */
const plus = (values) => mergeBy('sumOfAll', values);

/** @type {ServerDelta} */
const NOTHING = {
  calls: null,
  commands: null,
  reads: null,
  connections: null,
  netInputBytes: null,
  netOutputBytes: null,
  mainThreadCpuUs: null,
  allThreadsCpuUs: null,
  moved: null,
  asked: null,
  nodes: null,
};

/**
 * @typedef {{cpuUs: number, operations: number, contextSwitches: ClientProbe['contextSwitches']}} FixedCost measured on a slice of
 *   one iteration per task
 */

/** Includes application work. @param {WatchedRun['measured']} measured @param {FixedCost | null} fixed */
export function operationsCpuUs({ client, taskIterations }, fixed) {
  const operations = sum(taskIterations);
  const own = ownCpuUs(client);
  if (fixed === null || operations <= fixed.operations || own <= fixed.cpuUs) return client.cpuUs;
  return ((own - fixed.cpuUs) / (operations - fixed.operations)) * operations + client.appWorkUs;
}

/** @param {WatchedRun['measured']} measured @param {FixedCost | null} fixed @returns {ClientProbe['contextSwitches']} */
export function operationsSwitches({ client: { contextSwitches }, taskIterations }, fixed) {
  const operations = sum(taskIterations);
  if (contextSwitches === null || fixed === null || fixed.contextSwitches === null) return contextSwitches;
  if (operations <= fixed.operations) return contextSwitches;
  return (
    (Math.max(0, contextSwitches - fixed.contextSwitches) * operations) / (operations - fixed.operations)
  );
}

/**
 * @param {Pick<SeenSlice, 'measured' | 'runQueue' | 'relay'>} of
 * @param {number | null} ownCpus CPUs reserved for the worker; null if it shares them @returns {Slice}
 */
export function sliceFigures({ measured, runQueue, relay }, ownCpus) {
  const { elapsedMs, client } = measured;
  const { workerQueuedMs, workerRanMs, serverQueuedMs, stolenMs } = runQueue;
  // On a single CPU, the worker also waits for its own helper threads, those of the garbage collector.
  const helpersMs =
    ownCpus === 1 && workerRanMs !== null ? Math.max(0, client.cpuUs / 1000 - workerRanMs) : 0;
  // On shared CPUs, worker and server wait for each other.
  const waitedMs =
    workerQueuedMs === null || ownCpus === null ? null : Math.max(0, workerQueuedMs - helpersMs);
  // A relay may share the server's CPU, so the server's waiting is normal.
  const serverWaitedMs = relay === null ? serverQueuedMs : null;
  return {
    elapsedMs,
    operations: sum(measured.taskIterations),
    cpuUs: ownCpuUs(client),
    waitedMs,
    serverWaitedMs,
    stolenMs,
    disturbed:
      waitedMs !== null &&
      waitedMs + (serverWaitedMs ?? 0) + (stolenMs ?? 0) > MEASURING.disturbed * elapsedMs,
    repeats: 0,
  };
}
