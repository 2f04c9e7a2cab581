import { fileURLToPath } from 'node:url';
import { repliesOf } from '../axes/sending.js';
import { sum } from '../descriptive-statistics.js';
import { HangError, RunError, SilenceError } from '../errors.js';
import { awaitPorts } from '../machine/files-and-ports.js';
import { minus, queuedBetween, readRunQueue, sleepsOf } from '../machine/processors.js';
import { count } from '../numbers.js';
import { textOf } from '../process/read-file.js';
import { succeeds, untilAborted, within, withTimeLimit } from '../process/wait.js';
import { difference } from '../server/counters.js';
import {
  hangTimeout,
  isCrowded,
  prepareTimeout,
  runTimeout,
  watchBusy,
  whileAnswering,
} from '../server/server-watch.js';
import { isLoopback } from '../server/target.js';
import { mayLack } from '../store/confirmed.js';
import { addLeftovers } from './merge-runs.js';
import { bufferBytes } from './plan/capacity.js';
import { ANY_CONTEXT, arePairs, batchSizeOf } from './plan/loads.js';
import { ownSizes } from './plan/sizes.js';
import { readBack } from './read-back.js';
import { startWorkers as startHere } from './workers.js';

/** @import { Cell } from './plan/types.js' */
/** @import { Chosen } from '../plugins/types.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { ServerDelta, Target } from '../server/types.js' */
/** @import { Second, Stage, RunLength } from '../worker/types.js' */
/** @import { CellLog } from './cell-log.js' */
/** @import { RunContext } from './types.js' */
/** @import { CellFacts, Observer, WorkerProcess } from './types.js' */

/** Removing a cell's keys takes milliseconds; what hangs must not delay the end. */
const FINISHES_WITHIN_MS = 3000;

/**
 * A process, or several as one, that serves cells one after the other: of one client and scenario, in several conditions.
 * @typedef {ReturnType<typeof createHost>} Host
 */
export function createHost() {
  /** @type {WorkerProcess | null} */
  let worker = null;
  /** @type {Cell | null} */
  let guest = null;
  let isWarm = false;
  /** @type {(second: Second) => void} */
  let tellSecond = () => {};
  /** @type {(stage: Stage) => void} */
  let tellStage = () => {};

  async function end() {
    await worker?.kill();
    worker = null;
    guest = null;
  }

  return {
    /** @param {Cell} cell that comes, and is told of */
    started: (cell) => (guest === cell ? worker : null),

    /** @param {Cell} cell */
    isWarm: (cell) => guest === cell && isWarm,
    warmed() {
      isWarm = true;
    },

    /**
     * Starts the process, unless it serves another cell of a turn already.
     * @param {Cell} cell
     * @param {(tell: (second: Second) => void, onStage: (stage: Stage) => void) => WorkerProcess} start
     * @param {(second: Second) => void} onSecond
     * @param {(stage: Stage) => void} onStage
     */
    serve(cell, start, onSecond, onStage) {
      guest = cell;
      tellSecond = onSecond;
      tellStage = onStage;
      if (worker !== null) return worker;
      isWarm = false;
      worker = start(
        (second) => tellSecond(second),
        (stage) => tellStage(stage),
      );
      return worker;
    },

    /**
     * Lets its cell go.
     * @param {'leave' | 'finish'} how `leave`: another may take over its connections
     * @returns {Promise<boolean>} whether the cell's keys were removed
     */
    async leave(how) {
      if (worker === null || guest === null) return true;
      const isFinished = await succeeds(within(FINISHES_WITHIN_MS, worker.call(how)));
      // What cannot do that serves no other cell.
      if (isFinished) guest = null;
      else await end();
      return isFinished;
    },

    end,
  };
}

/**
 * @param {Cell} cell
 * @param {RunContext} context
 * @param {Pick<CellLog, 'learn' | 'noteEmitted'>} log
 * @param {Host} [host] one that serves other cells as well
 */
export function createCellWorker(cell, context, log, host = createHost()) {
  const {
    server,
    settings,
    signal,
    placer,
    catalogue,
    onEvent,
    headroom,
    startWorkers = startHere,
  } = context;
  /** @type {Observer} */
  let observe;
  async function begin() {
    signal.throwIfAborted();
    const { workerCpus } = placer.placementFor(cell.pin);
    const tell = (/** @type {Second} */ second) => onEvent({ type: 'second', cell, second });
    const { tempFilePrefix } = catalogue.clients.get(cell.client) ?? {};
    /** @type {Stage | null} null while it loads what it needs */
    let stage = null;
    let storingSince = Number.POSITIVE_INFINITY;
    const own = host.serve(
      cell,
      (onSecond, onStage) => startWorkers(cell, workerCpus, onSecond, tempFilePrefix, onStage),
      tell,
      (next) => {
        stage = next;
        if (next === 'storing data') storingSince = performance.now();
      },
    );
    const { pids } = own;
    const job = await jobOf(cell, context);
    // As long as replies come, there may be any amount of data to store.
    const limitMs = canLook(pids) ? STORES_WITHIN_MS : prepareTimeout(settings.runTimeoutMs);
    const lateMs = ROUND_TRIPS * (cell.distance?.rttMs ?? 0);
    const hangMs = hangLimit(context) + lateMs;
    const watch = watchReplies(pids, {
      stallMs: STALL_MS + lateMs,
      hangMs,
      isBusy: watchBusy(server),
      doing: () => stage,
      onStall: (stalledMs, doing) => onEvent({ type: 'stall', cell, stalledMs, doing }),
    });
    const isOwn = cell.chosen.workload.id === 'command';
    const storing = () => Promise.race([own.call('prepare', job), watch.hung]);
    const facts = await headroom
      .whileStoring(() => whileAnswering(server, storing(), limitMs, isOwn ? hangMs : 0), own.kill)
      .catch((error) => {
        throw noted(error, server);
      })
      .finally(watch.stop);
    const storingMs = performance.now() - storingSince;
    if (isOwn && storingMs > SLOW_MS)
      context.warn({ kind: 'slow-prepare', seconds: Math.round(storingMs / 1000) });
    observe = createObserver(cell, own, facts, context);
    log.learn({ effectiveOptions: facts.effectiveOptions });
  }

  /** What fails says nothing itself, so what its client emitted is asked for. @param {unknown} error @returns {Promise<never>} */
  async function withEmitted(error) {
    const emitted = host.started(cell)?.call('emitted');
    if (emitted && !signal.aborted) log.noteEmitted(await within(ASKED_WITHIN_MS, emitted).catch(() => null));
    throw error;
  }

  return {
    begin: () => begin().catch(withEmitted),
    started: () => host.started(cell),
    /** @type {Observer} once it has begun */
    observe: (length) => observe(length).catch(withEmitted),
    interrupt: () => host.started(cell)?.interrupt(),
    leave: () => host.leave('leave'),
    finish: () => host.leave('finish'),
    end: host.end,
  };
}

/** @param {Cell} cell @param {RunContext} context */
export async function jobOf(cell, context) {
  const { server, distant } = context;
  const target = distant ? await distant.targetOf(cell.transport) : server.targets[cell.transport];
  return createJob(cell, /** @type {Target} */ (target), context);
}

/** Without the words, which are for sentences. @param {Chosen} chosen */
const choiceOf = ({ id, parameter }) => ({ id, parameter });

/**
 * @param {Cell} cell @param {Target} target where its worker connects
 * @param {Pick<RunContext, 'command' | 'server' | 'settings' | 'catalogue' | 'clientOptions' | 'keyPrefix'> & Partial<Pick<RunContext, 'headroom'>>} context
 */
export function createJob(cell, target, context) {
  const { command, server, settings, catalogue, clientOptions, keyPrefix } = context;
  const { client, scenario, scenarioOptions, tasks, way, encode, chosen, release } = cell;
  const { appWorkUs, keys, keySize, valueSize, shortestValue } = cell;
  const { value, keyDistribution, seed } = settings;
  const { runIds, removal } = server;
  return {
    command,
    client,
    scenario,
    scenarioOptions,
    tasks,
    way,
    encode,
    replies: repliesOf(cell),
    appWorkUs,
    keys,
    keySize,
    valueSize,
    shortestValue,
    value,
    keyDistribution,
    seed,
    runIds,
    removal,
    variant: cell.ownVariant?.base ?? cell.variant,
    /** The user's, over those of the variant. */
    clientOptions: { ...clientOptions[client], ...cell.ownVariant?.options },
    /** The file to import for the client; null for the package that comes with this tool. */
    entry: release?.entry ? fileURLToPath(release.entry) : null,
    pluginFolders: catalogue.folders,
    pipelining: choiceOf(chosen.pipelining),
    workload: choiceOf(chosen.workload),
    /** Values of other sizes that the workload asks for. */
    ownSizes: ownSizes(cell, catalogue),
    latency: settings.latency === 'on',
    /** Null for a closed loop; the bound is that of this process. */
    load: cell.openLoop,
    part: { index: 0, count: 1 },
    /** Whether the second of two processes only receives what the first sends. */
    pairs: arePairs(chosen.workload, catalogue),
    keyPrefix: `${keyPrefix}${cell.keyMark ?? ''}`,
    /** What code of one's own may store before it is known how much that is; missing where nobody knows. */
    untriedBytes: context.headroom?.untriedBytes(cell),
    /** Whether all keys live on one node of the cluster. */
    oneSlot: cell.topology === 'cluster' && settings.oneSlot,
    target: cell.readFrom === undefined ? target : { ...target, readFrom: cell.readFrom },
    /** Whether its commands may reach other keys than their own, as scripts do. */
    mayScript: settings.allowScripts || server.kind === 'managed',
  };
}

/** Some clients need this many to open a connection in an iteration. */
const ROUND_TRIPS = 5;

/** @param {Cell} cell @param {WorkerProcess} worker @param {CellFacts} facts @param {RunContext} context */
function createObserver(cell, worker, { remarks }, context) {
  const { server, placer, settings, catalogue, evictions, headroom, distant, onEvent, signal } = context;
  const placement = placer.placementFor(cell.pin);
  const { id, parameter } = cell.chosen.workload;
  const workload = catalogue.workloads.get(id);
  const { startsEmpty, open, prepare } = workload ?? {};
  // What a user's command takes is unknown.
  const isOwn = id === 'command';
  const isBusy = isOwn ? watchBusy(server) : undefined;
  const storesBefore = (prepare?.(parameter, ANY_CONTEXT) ?? []).length > 0;
  const local = server.isLocal ? server.pids : [];
  // A server with more threads than CPUs waits for itself.
  const servers = isCrowded(server, placement) ? [] : local;
  const cpus = placement.workerCpus && [...placement.workerCpus, ...(placement.serverCpus ?? [])];
  const lateMs = ROUND_TRIPS * (cell.distance?.rttMs ?? 0);
  const onNote = once((fact) => onEvent({ type: 'note', cell, fact }));
  /** @type {number | null} for one iteration of each task, in the last run */
  let msPerIteration = null;
  const batch = batchSizeOf(cell.chosen.pipelining, catalogue) ?? 1;
  /** Iterations of each task that all have a key of their own. */
  const ofFresh = Math.floor(cell.keys / (cell.tasks * cell.processes * batch)) * batch;
  const growth = workload?.grows?.(parameter)
    ? headroom.growthOf(cell, {
        atOnce: cell.tasks * cell.processes,
        batch,
        bufferBytes: bufferBytes(cell, catalogue),
        // What is received, and what opens its own items, begins each run anew by itself.
        renew: workload.receive || open ? null : () => worker.call('make-anew'),
        warn: context.warn,
      })
    : null;

  /** Nobody knows what code of one's own stores. */
  let isUntried = growth !== null && workload?.iterate !== undefined;

  /** @param {RunLength} length @returns {number | null} */
  function expectedTime({ iterations, durationMs }) {
    if (iterations !== undefined && durationMs === undefined)
      return msPerIteration && msPerIteration * iterations;
    // It ends with the iterations in flight.
    return durationMs === undefined ? null : durationMs + lateMs;
  }

  /** @param {RunLength} length */
  async function portsFor({ iterations, ofRun = iterations, durationMs = 0 }) {
    const target = server.targets[cell.transport];
    const opensDuringRun = catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false;
    if (!opensDuringRun || target === undefined || target.transport === 'unix') return;
    // Unknown before the first run of a fixed time, but the warm-up is short.
    const count = ofRun ?? (msPerIteration ? durationMs / msPerIteration : 0);
    await awaitPorts({
      loopback: isLoopback(target),
      connections: count * cell.tasks * cell.processes,
      expectedMs: ofRun === undefined ? durationMs : ofRun * (msPerIteration ?? 0),
      signal,
      onNote,
    });
  }

  /** @returns {Promise<number>} operations without a reply; 0 where the worker does not say */
  const unanswered = () => within(ASKED_WITHIN_MS, worker.call('unanswered')).catch(() => 0);

  /** @param {unknown} error of a run @param {boolean} isSilent whether no reply came for long @returns {Promise<never>} @throws {unknown} with what the client still waits for, and whether the server responds */
  async function withUnanswered(error, isSilent) {
    if (!(error instanceof HangError)) throw error;
    const waiting = await unanswered();
    if (waiting === 0) throw noted(error, server);
    const operations = count(waiting, 'operation');
    // Replies may just come slowly.
    if (!isSilent && !(error instanceof SilenceError))
      throw new HangError(`${error.message}; ${operations} had no reply yet`);
    const isThere = await succeeds(within(ASKED_WITHIN_MS, server.control.ping()));
    const why = isThere ? ': the server answers PING, so the client or the network holds them' : '';
    throw noted(new SilenceError(`${error.message}; ${operations} never answered${why}`), server);
  }

  /** @param {RunLength} asked */
  return async function observe(asked) {
    const { iterations, durationMs, ratePerSecond, ofRun } = asked;
    await placer.pinServer(placement);
    // Other cells' writes must not delay this run.
    await server.replicated();
    await distant?.pin(placement);
    await portsFor({ iterations, durationMs, ofRun });
    const limitMs = runTimeout(settings.runTimeoutMs, expectedTime({ iterations, durationMs }));
    /** The longest time without input to the worker; 0 if unknown. */
    let stalledMs = 0;
    const hangMs = hangLimit(context) + lateMs;
    /**
     * Of a worker that waits for the server.
     * @template T @param {Promise<T>} work @param {Pick<Parameters<typeof watchReplies>[1], 'isWaiting'>} [how]
     */
    function watched(work, how) {
      const watch = watchReplies(worker.pids.length > 0 ? worker.pids : [worker.pid], {
        stallMs: STALL_MS + lateMs,
        hangMs,
        isBusy,
        ...how,
        onStall: (ms) => onEvent({ type: 'stall', cell, stalledMs: ms }),
      });
      return Promise.race([work, watch.hung]).finally(() => {
        stalledMs = Math.max(stalledMs, watch.stop());
      });
    }
    const ask = (/** @type {string} */ method) =>
      watched(whileAnswering(server, worker.call(method), limitMs, isOwn ? hangMs : 0));

    if (startsEmpty?.(parameter) || open) await ask('before-run');
    if (settings.prepareEach) await ask('make-anew');
    // A worker sees an interrupt only during a run, so catch earlier ones here.
    const first = await untilAborted(signal, server.snapshot());
    if (isUntried && growth) {
      isUntried = false;
      const rate = ratePerSecond ?? cell.openLoop?.ratePerSecond;
      const once = rate ? { durationMs: (1000 * cell.tasks) / rate, ratePerSecond } : { iterations: 1 };
      const { taskIterations, elapsedMs, errors } = await watched(
        withTimeLimit(limitMs, worker.run({ ...once, timed: false }), '--run-timeout'),
      );
      const [why] = Object.keys(errors);
      if (why !== undefined) throw new RunError(why);
      const tried = await untilAborted(signal, server.snapshot());
      growth.learn(first, tried, sum(taskIterations), elapsedMs);
      return observe(asked);
    }
    const { length, before } = growth
      ? await untilAborted(signal, growth.fit({ iterations, durationMs, ratePerSecond }, first))
      : { length: { iterations, durationMs, ratePerSecond }, before: first };
    if (settings.prepareEach) length.iterations = Math.min(length.iterations ?? ofFresh, ofFresh);
    // Drops figures from before this run.
    await distant?.takeFigures();
    const processes = { worker: worker.pid, servers, cpus };
    const slept = sleepsOf(local);
    const queued = readRunQueue(processes);
    // An open loop ends with its schedule.
    const timed = durationMs !== undefined && cell.openLoop === null;
    const running = worker.run({ ...length, timed });
    /** @type {{requestBytes: number, replyBytes: number}[]} */
    const looks = [];
    const endLooking = growth?.watch(worker.stop, (read) => looks.push(read));
    // An open loop may send less often, and computes while it looks at the clock.
    const isWaiting = cell.openLoop === null ? undefined : async () => (await unanswered()) > 0;
    const limited = withTimeLimit(limitMs, running, '--run-timeout');
    const measured = await watched(limited, { isWaiting }).catch((error) =>
      withUnanswered(error, stalledMs > limitMs / 2),
    );
    const runQueue = queuedBetween(queued, readRunQueue(processes));
    const sleeps = minus(sleepsOf(local), slept);
    await endLooking?.();
    const after = await untilAborted(signal, server.snapshot());
    growth?.learn(before, after, sum(measured.taskIterations), measured.elapsedMs);
    const counted = difference(before, after, looks);
    const lacks = mayLack(counted && { ...counted, sleeps }, measured.calls);
    const uncounted = lacks ? await untilAborted(signal, server.uncounted(context.keyPrefix)) : 0;
    const relay = (await distant?.takeFigures()) ?? null;
    const { connections, emitted, writes, ...left } = await ask('after-run');
    const evictedKeys = evictions.since(after);
    const lost = await readBack(server, evictedKeys > 0 ? [] : (writes ?? []), context.keyPrefix);
    msPerIteration = measured.elapsedMs / Math.max(1, ...measured.taskIterations);
    const checkKeys = storesBefore && evictions.mayHaveExpired(after);
    return {
      connections,
      emitted,
      remarks,
      runQueue,
      relay,
      uncounted,
      seen: /** @type {ServerDelta | null} */ (counted && { ...counted, sleeps }),
      measured: { ...measured, ...addLeftovers([measured, left, lost]) },
      evictedKeys,
      expiredKeys: checkKeys ? await ask('missing-keys') : 0,
      stalledMs,
    };
  };
}

const ASKED_WITHIN_MS = 1000;
const LOOK_EVERY_MS = 500;
/** A lost packet or a forking server may well take a second. */
const STALL_MS = 1500;

/** Of storing data by a user's command, which nobody expects to take longer. */
const SLOW_MS = 5000;

/** Data that is stored at 1 MB a second would be 3.6 GB. */
const STORES_WITHIN_MS = 3600_000;

/** @typedef {number | undefined} Pid undefined for a process of another machine */

/** Linux counts the bytes that a process reads, and a worker reads only replies. @param {Pid} pid @returns {string | undefined} */
const readBy = (pid) => /^rchar: \d+/m.exec(textOf(`/proc/${pid}/io`))?.[0];

/** @param {Pid[]} pids */
const canLook = (pids) => pids.length > 0 && pids.every((pid) => readBy(pid) !== undefined);

/** Whether it computes or writes, as what waits for replies does not. @param {Pid} pid @returns {string} differs while it does */
function workOf(pid) {
  const [, state] = /\) (\S)/.exec(textOf(`/proc/${pid}/stat`)) ?? [];
  const written = /^wchar: \d+/m.exec(textOf(`/proc/${pid}/io`))?.[0];
  return state === 'R' ? `${performance.now()}` : String(written);
}

/**
 * Costs workers and server nothing. A stalled server stalls all of them.
 * @param {Pid[]} pids
 * @param {object} how
 * @param {number} how.stallMs without a reply, which is reported @param {number} how.hangMs after which it is given up
 * @param {() => Promise<boolean>} [how.isWaiting] of an open loop, whether anything that was sent has no reply
 * @param {() => boolean} [how.isBusy] whether the server computes, which may be what they wait for
 * @param {() => Stage | null} [how.doing] what they wait for; null while they wait for no server
 * @param {(stalledMs: number, doing?: Stage) => void} how.onStall once per stall
 * @returns {{stop: () => number, hung: Promise<never>}} `stop` returns the longest stall in ms, 0 if unknown
 */
export function watchReplies(pids, { stallMs, hangMs, isWaiting, isBusy, doing, onStall }) {
  /** @type {(error: Error) => void} */
  let giveUp = () => {};
  /** @type {Promise<never>} */
  const hung = new Promise((_, reject) => {
    giveUp = reject;
  });
  hung.catch(() => {});
  let replies = '';
  let work = '';
  let since = performance.now();
  let idleSince = since;
  let longest = 0;
  let reported = false;
  let isAsking = false;
  function look() {
    const now = performance.now();
    const stage = doing?.();
    const read = pids.map(readBy);
    if (read.includes(undefined)) return;
    const worked = isWaiting ? '' : `${stage} ${pids.map(workOf)}`;
    if (read.join() !== replies) {
      replies = read.join();
      since = now;
      reported = false;
    }
    if (isBusy?.() || worked !== work || since === now) idleSince = now;
    work = worked;
    if (stage === null) {
      // It waits for no server yet, but may have been stopped.
      since = now;
      if (now - idleSince >= hangMs)
        giveUp(
          new RunError(
            `the worker did nothing for ${seconds(now - idleSince)} while loading (--run-timeout)`,
          ),
        );
      return;
    }
    if (now - since < stallMs) return;
    longest = Math.max(longest, now - since);
    if (!reported) onStall(now - since, stage);
    reported = true;
    if (now - idleSince < hangMs || isAsking) return;
    isAsking = true;
    void giveUpIf(isWaiting?.() ?? true, now - idleSince, stage);
  }
  /** @param {boolean | Promise<boolean>} hangs @param {number} ms @param {Stage | null | undefined} stage */
  async function giveUpIf(hangs, ms, stage) {
    const what = stage == null ? '' : ` while ${stage}`;
    if (await hangs)
      giveUp(new SilenceError(`the worker had no reply for ${seconds(ms)}${what} (--run-timeout)`));
    idleSince = performance.now();
    isAsking = false;
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    hung,
    stop() {
      clearInterval(timer);
      // Where this process stood still, too, no look may have been in time.
      look();
      return longest;
    },
  };
}

/** @param {number} ms */
const seconds = (ms) => `${Math.floor(ms / 1000)} s`;

/** Servers on which something hung: what comes next is not waited for as long. @type {WeakSet<object>} */
const doubtful = new WeakSet();

/** @param {unknown} error @param {object} server on which it occurred @returns {unknown} the same */
export function noted(error, server) {
  if (error instanceof SilenceError) doubtful.add(server);
  return error;
}

/** The part of the user's time that one hanging cell may take from the others. */
const HANGING_PART = 1 / 4;

/**
 * @param {Pick<RunContext, 'server' | 'budgetLeftMs'> & {settings: Pick<RunContext['settings'], 'runTimeoutMs'>}} context
 * @returns {number} ms without a reply after which a cell hangs
 */
export function hangLimit({ server, settings: { runTimeoutMs }, budgetLeftMs }) {
  if (runTimeoutMs === undefined && doubtful.has(server)) return hangTimeout(0);
  const ofBudgetMs = (budgetLeftMs?.() ?? Number.POSITIVE_INFINITY) * HANGING_PART;
  return Math.max(hangTimeout(0), Math.min(hangTimeout(runTimeoutMs), ofBudgetMs));
}

/** Reports each fact once. @param {(fact: Notice) => void} tell @returns {(fact: Notice) => void} */
export function once(tell) {
  const said = new Set();
  return (fact) => {
    const key = JSON.stringify(fact);
    if (!said.has(key)) tell(fact);
    said.add(key);
  };
}
