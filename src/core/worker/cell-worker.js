import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { repliesOf } from '../../axes/sending.js';
import { attempt } from '../errors.js';
import { awaitPorts } from '../machine/files-and-ports.js';
import { minus, queuedBetween, readRunQueue, sleepsOf } from '../machine/processors.js';
import { arePairs } from '../plan/loads.js';
import { ownSizes } from '../plan/sizes.js';
import { succeeds, untilAborted, withTimeLimit } from '../process/wait.js';
import { difference } from '../server/counters.js';
import { isCrowded } from '../server/server-threads.js';
import { prepareTimeout, runTimeout, whileAnswering } from '../server/server-watch.js';
import { isLoopback } from '../server/target.js';
import { addLeftovers } from '../store/merge.js';
import { startWorkers as startHere } from './workers.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Chosen } from '../plugins/types.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { Job, Second, RunLength } from './types.js' */
/** @import { CellLog } from '../run/cell-log.js' */
/** @import { RunContext } from '../run/types.js' */
/** @import { CellFacts, Observer, WorkerProcess, Observed } from '../run/types.js' */

/** What is known before a worker is prepared. */
const NO_FACTS = { connections: 0, effectiveOptions: {}, remarks: [] };

/** @typedef {{worker: WorkerProcess, facts: CellFacts, observe: Observer}} OwnWorker */
/** @typedef {ReturnType<typeof createCellWorker>} CellWorker */

/** A new one at each start. @param {Cell} cell @param {RunContext} context @param {Pick<CellLog, 'learn'>} [log] */
export function createCellWorker(cell, context, log) {
  const { server, settings, signal, placer, catalogue, onEvent } = context;
  const { startWorkers = startHere } = context;
  /** @type {OwnWorker | null} */
  let started = null;
  /** @param {Promise<any>} answer */
  const answered = (answer) => whileAnswering(server, answer, prepareTimeout(settings.runTimeoutMs));
  return {
    async begin() {
      signal.throwIfAborted();
      const { workerCpus } = placer.placementFor(cell.pin);
      const tell = (/** @type {Second} */ second) => onEvent({ type: 'second', cell, second });
      const { leaves } = catalogue.clients.get(cell.client) ?? {};
      const worker = startWorkers(cell, workerCpus, tell, leaves);
      const own = { facts: NO_FACTS, worker, observe: createObserver(cell, worker, context) };
      started = own;
      own.facts = await answered(worker.call('prepare', await jobOf(cell, context)));
      log?.learn({ effectiveOptions: own.facts.effectiveOptions });
    },

    started: () => started,
    current: () => /** @type {OwnWorker} */ (started),
    interrupt: () => started?.worker.interrupt(),
    /** @returns {Promise<boolean>} whether its keys were removed */
    finish: async () => started === null || succeeds(started.worker.call('finish')),

    async end() {
      await started?.worker.kill();
      started = null;
    },
  };
}

/** Drops the title, which is for sentences. @param {Chosen} chosen */
const choiceOf = ({ id, parameter }) => ({ id, parameter });

/** @param {Cell} cell @param {RunContext} context @returns {Promise<Job>} */
export async function jobOf(cell, context) {
  const { server, distant } = context;
  const target = distant ? await distant.targetOf(cell.transport) : server.targets[cell.transport];
  return createJob(cell, /** @type {Target} */ (target), context);
}

/** @param {Cell} cell @param {Target} target where its worker connects @param {RunContext} context @returns {Job} */
export const createJob = (
  cell,
  target,
  { command = 'benchmark', server, settings, catalogue, clientOptions, keyPrefix },
) => ({
  command,
  client: cell.client,
  variant: cell.ownVariant?.base ?? cell.variant,
  entry: cell.release?.entry ? fileURLToPath(cell.release.entry) : null,
  pluginFolders: catalogue.folders,
  scenario: cell.scenario,
  scenarioOptions: cell.scenarioOptions,
  pipelining: choiceOf(cell.chosen.pipelining),
  workload: choiceOf(cell.chosen.workload),
  ...(cell.way !== undefined && { way: cell.way }),
  ...(cell.encode !== undefined && { encode: cell.encode }),
  ...(repliesOf(cell) !== undefined && { replies: repliesOf(cell) }),
  tasks: cell.tasks,
  appWorkUs: cell.appWorkUs,
  keySize: cell.keySize,
  valueSize: cell.valueSize,
  shortestValue: cell.shortestValue,
  keys: cell.keys,
  ownSizes: ownSizes(cell, catalogue),
  value: settings.value,
  keyDistribution: settings.keyDistribution,
  seed: settings.seed,
  latency: settings.latency === 'on',
  clientOptions: { ...clientOptions[cell.client], ...cell.ownVariant?.options },
  load: cell.openLoop,
  part: { index: 0, count: 1 },
  pairs: arePairs(cell.chosen.workload, catalogue),
  keyPrefix: `${keyPrefix}${cell.keyMark ?? ''}`,
  oneSlot: cell.topology === 'cluster' && settings.oneSlot,
  target: cell.readFrom === undefined ? target : { ...target, readFrom: cell.readFrom },
  runIds: server.runIds,
  ...((settings.allowScripts || server.kind === 'managed') && { scripts: /** @type {const} */ ('open') }),
  removal: server.removal,
});

/** @param {Cell} cell @param {WorkerProcess} worker @param {RunContext} context @returns {Observer} */
function createObserver(cell, worker, context) {
  const { server, placer, settings, catalogue, evictions, distant, onEvent } = context;
  const placement = placer.placementFor(cell.pin);
  const { id, parameter } = cell.chosen.workload;
  const { startsEmpty, resets, prepare } = catalogue.workloads.get(id) ?? {};
  const storesBefore = (prepare?.(parameter) ?? []).length > 0;
  const local = server.isLocal ? server.pids : [];
  // A server with more threads than CPUs waits for itself.
  const servers = isCrowded(server, placement) ? [] : local;
  const cpus = placement.workerCpus && [...placement.workerCpus, ...(placement.serverCpus ?? [])];
  const noteOnce = once((fact) => onEvent({ type: 'note', cell, fact }));
  /** @type {number | null} for one iteration of each task, in the last run */
  let msPerIteration = null;

  return async function observe(length) {
    await placer.pinServer(placement);
    // Other cells' writes must not delay this run.
    await server.replicated();
    await distant?.pin(placement);
    await portsFor(cell, length, msPerIteration, context, noteOnce);
    const expectedMs = expectedTime(length, msPerIteration, cell.distance?.rttMs ?? 0);
    const limitMs = runTimeout(settings.runTimeoutMs, expectedMs);
    const ask = (/** @type {string} */ method) => whileAnswering(server, worker.call(method), limitMs);
    if (startsEmpty || resets) await ask('before-run');
    const processes = { worker: worker.pid, servers, cpus };
    const watched = { cell, worker, context, local, processes };
    const { measured, after, ...seen } = await runWatched(watched, length, limitMs);
    const relay = (await distant?.takeFigures()) ?? null;
    const left = await ask('after-run');
    msPerIteration = measured.elapsedMs / Math.max(1, ...measured.taskIterations);
    const checkKeys = storesBefore && evictions.mayHaveExpired(after);
    return {
      ...seen,
      measured: { ...measured, ...addLeftovers([measured, left]) },
      evictedKeys: evictions.since(after),
      expiredKeys: checkKeys ? await ask('missing-keys') : 0,
      relay,
    };
  };
}

/**
 * @param {object} watched @param {Cell} watched.cell @param {WorkerProcess} watched.worker
 * @param {RunContext} watched.context @param {number[]} watched.local server processes on this machine
 * @param {Parameters<typeof readRunQueue>[0]} watched.processes @param {RunLength} length @param {number} limitMs
 */
async function runWatched({ cell, worker, context, local, processes }, length, limitMs) {
  const { server, distant, signal, onEvent } = context;
  // A worker sees an interrupt only during a run, so catch earlier ones here.
  const before = await untilAborted(signal, server.snapshot());
  // Drops figures from before this run.
  await distant?.takeFigures();
  const slept = sleepsOf(local);
  const queued = readRunQueue(processes);
  const watch = watchRun(worker.pid, cell.distance?.rttMs ?? 0, (stalledMs) =>
    onEvent({ type: 'stall', cell, stalledMs }),
  );
  const { iterations, durationMs, ratePerSecond } = length;
  // An open loop ends with its schedule.
  const timed = durationMs !== undefined && cell.openLoop === null;
  const running = worker.run({ iterations, durationMs, ratePerSecond, timed });
  /** @type {Observed['measured']} */
  const measured = await withTimeLimit(limitMs, running, '--run-timeout').finally(watch.stop);
  const runQueue = queuedBetween(queued, readRunQueue(processes));
  const sleeps = minus(sleepsOf(local), slept);
  const after = await untilAborted(signal, server.snapshot());
  const counted = difference(before, after);
  return {
    measured,
    seen: counted && { ...counted, sleeps },
    stalledMs: watch.stop(),
    after,
    runQueue,
  };
}

/** Some clients need this many to open a connection in an iteration. */
const ROUND_TRIPS = 5;

/** @param {RunLength} length @param {number | null} msPerIteration @param {number} [rttMs] @returns {number | null} */
function expectedTime({ iterations, durationMs }, msPerIteration, rttMs = 0) {
  if (iterations !== undefined) return msPerIteration && msPerIteration * iterations;
  // It ends with the iterations in flight.
  return durationMs === undefined ? null : durationMs + ROUND_TRIPS * rttMs;
}

/**
 * @param {Cell} cell @param {RunLength} length @param {number | null} msPerIteration @param {RunContext} context
 * @param {RunContext['noteOnce']} onNote
 */
async function portsFor(cell, { ofRun, ...length }, msPerIteration, { server, catalogue, signal }, onNote) {
  const target = server.targets[cell.transport];
  const opensDuringRun = catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false;
  if (!opensDuringRun || target === undefined || target.transport === 'unix') return;
  const ofAll = { ...length, iterations: ofRun ?? length.iterations };
  const expectedMs = expectedTime(ofAll, msPerIteration) ?? 0;
  // Unknown before the first run of a fixed time, but the warm-up is short.
  const iterations = ofAll.iterations ?? (msPerIteration ? expectedMs / msPerIteration : 0);
  await awaitPorts({
    loopback: isLoopback(target),
    connections: iterations * cell.tasks * cell.processes,
    expectedMs,
    signal,
    onNote,
  });
}

/** Most runs are shorter. */
const LOOK_EVERY_MS = 500;
/** A lost packet or a forking server may well take a second. */
const STALL_MS = 1500;

/**
 * Costs worker and server nothing: Linux counts the bytes that a process reads, and a worker reads only replies.
 * @param {number | undefined} pid @param {number} rttMs @param {(stalledMs: number) => void} onStall once per stall
 * @returns {{stop: () => number}} the longest stall in ms
 */
function watchRun(pid, rttMs, onStall) {
  let bytes = -1;
  let since = performance.now();
  let longest = 0;
  let reported = false;
  function look() {
    const now = performance.now();
    const read = bytesRead(pid);
    if (read === null) return;
    if (read !== bytes) {
      bytes = read;
      since = now;
      reported = false;
      return;
    }
    if (now - since < STALL_MS + ROUND_TRIPS * rttMs) return;
    longest = Math.max(longest, now - since);
    if (!reported) onStall(now - since);
    reported = true;
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  let hasEnded = false;
  return {
    stop() {
      clearInterval(timer);
      // Where this process stood still, too, no look may have been in time.
      if (!hasEnded) look();
      hasEnded = true;
      return longest;
    },
  };
}

/** @param {number | undefined} pid @returns {number | null} null if unknown */
function bytesRead(pid) {
  const io = attempt(() => readFileSync(`/proc/${pid}/io`, 'utf8'), '');
  const count = /^rchar: (\d+)/m.exec(io)?.[1];
  return count === undefined ? null : Number(count);
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
