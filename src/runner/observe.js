import { readFile } from 'node:fs/promises';
import { awaitPorts } from '../machine/files-and-ports.js';
import { minus, queuedBetween, readRunQueue, sleepsOf } from '../machine/processors.js';
import { runTimeout } from '../plan/run-length.js';
import { untilAborted, withTimeLimit } from '../process/wait.js';
import { addLeftovers } from '../results/merge-runs.js';
import { withSlowCommands } from '../results/slow-commands.js';
import { difference } from '../server/counters.js';
import { isLoopback } from '../server/target.js';
import { once } from './cell-log.js';
import { isCrowded } from './server-threads.js';
import { whileAnswering } from './server-watch.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Observed, Observer, WorkerProcess } from './types.js' */
/** @import { RunLength } from '../worker/types.js' */

/**
 * Observes the runs of a cell from all sides: what its worker measures, what the server counts, and
 * whether it makes progress. Ends a run that takes too long.
 * @param {Cell} cell @param {WorkerProcess} worker @param {RunContext} context
 * @returns {Observer}
 */
export function createObserver(cell, worker, context) {
  const { server, placer, settings, catalogue, evictions, distant, onEvent } = context;
  const placement = placer.placementFor(cell.pin);
  const {
    startsEmpty = false,
    resets = false,
    prepare,
  } = catalogue.workloads.get(cell.chosen.workload.id) ?? {};
  const storesBefore = (prepare?.(cell.chosen.workload.parameter) ?? []).length > 0;
  // One with more threads than processors waits for itself.
  const onThisMachine = server.isLocal ? server.pids : [];
  const servers = isCrowded(server, placement) ? [] : onThisMachine;
  const cpus = placement.workerCpus && [...placement.workerCpus, ...(placement.serverCpus ?? [])];
  const noteOnce = once((fact) => onEvent({ type: 'note', cell, fact }));
  /** @type {number | null} of one iteration of each task, in the last run */
  let msPerIteration = null;

  return async function observe(length) {
    await placer.pinServer(placement);
    // What other cells wrote must not hold up what this one reads.
    await server.replicated();
    await distant?.pin(placement);
    await portsFor(cell, ofWholeRun(length), msPerIteration, context, noteOnce);
    const expectedMs = expectedTime(length, msPerIteration, cell.distance?.rttMs ?? 0);
    const limitMs = runTimeout(settings.runTimeoutMs, expectedMs);
    if (startsEmpty || resets) await whileAnswering(server, worker.call('before-run'), limitMs);
    const { measured, seen, after, runQueue, watch } = await runWatched(
      { cell, worker, context, onThisMachine, processes: { worker: worker.pid, servers, cpus } },
      length,
      limitMs,
    );
    const relay = (await distant?.takeFigures()) ?? null;
    const left = await whileAnswering(server, worker.call('after-run'), limitMs);
    // With background load they may take far longer.
    if (!length.alone) msPerIteration = measured.elapsedMs / Math.max(1, ...measured.taskIterations);
    const checkKeys = storesBefore && evictions.mayHaveExpired(after);
    return {
      measured: { ...measured, ...addLeftovers([measured, left]) },
      seen,
      evictedKeys: evictions.since(after),
      expiredKeys: checkKeys ? await whileAnswering(server, worker.call('missing-keys'), limitMs) : 0,
      stalledMs: watch.stop(),
      runQueue,
      relay,
    };
  };
}

/**
 * A run of the worker, from the moment before it to the moment after it.
 * @param {object} watched @param {Cell} watched.cell @param {WorkerProcess} watched.worker
 * @param {RunContext} watched.context @param {number[]} watched.onThisMachine the server's processes, as far as seen
 * @param {Parameters<typeof readRunQueue>[0]} watched.processes
 * @param {RunLength} length @param {number} limitMs
 */
async function runWatched({ cell, worker, context, onThisMachine, processes }, length, limitMs) {
  const { server, distant, signal, onEvent } = context;
  // A worker hears of an interrupt only during a run, so one that came earlier is caught here.
  // The log is asked outside of the snapshots: that is no command of the run, and what it has by now neither.
  await untilAborted(signal, server.slowCommands());
  const before = await untilAborted(signal, server.snapshot());
  // What went through it until now, is not of this run.
  await distant?.takeFigures();
  const slept = sleepsOf(onThisMachine);
  const queued = readRunQueue(processes);
  const watch = watchRun(worker.pid, cell.distance?.rttMs ?? 0, (stalledMs) =>
    onEvent({ type: 'stall', cell, stalledMs }),
  );
  /** @type {Observed['measured']} */
  const measured = await withTimeLimit(limitMs, runFor(cell, worker, length), '--run-timeout').finally(
    watch.stop,
  );
  const runQueue = queuedBetween(queued, readRunQueue(processes));
  const sleeps = minus(sleepsOf(onThisMachine), slept);
  const after = await untilAborted(signal, server.snapshot());
  const counted = difference(before, after);
  const slow = await untilAborted(signal, server.slowCommands());
  return {
    measured: withSlowCommands(measured, slow),
    seen: counted && { ...counted, sleeps },
    ...{ after, runQueue, watch },
  };
}

/** @param {RunLength} length @returns {RunLength} of the run that a first slice begins */
const ofWholeRun = ({ ofRun, ...own }) => (ofRun === undefined ? own : { ...own, iterations: ofRun });

/**
 * @param {RunLength} length @param {number | null} msPerIteration
 * @param {number} [rttMs] that the relay adds: a run of a fixed time ends with the iterations in flight
 * @returns {number | null} how long a run will take; null where that is not known before the first one
 */
function expectedTime({ iterations, durationMs }, msPerIteration, rttMs = 0) {
  if (iterations !== undefined) return msPerIteration && msPerIteration * iterations;
  return durationMs === undefined ? null : durationMs + ROUND_TRIPS * rttMs;
}

/** Of an iteration that opens a connection; with some clients that takes so many. */
const ROUND_TRIPS = 5;

/**
 * Waits for the local ports that a run will take.
 * @param {Cell} cell @param {RunLength} length @param {number | null} msPerIteration
 * @param {RunContext} context @param {RunContext['noteOnce']} onNote
 */
async function portsFor(cell, length, msPerIteration, { server, catalogue, signal }, onNote) {
  const target = server.targets[cell.transport];
  const opensDuringRun = catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false;
  if (!opensDuringRun || target === undefined || target.transport === 'unix') return;
  const expectedMs = expectedTime(length, msPerIteration) ?? 0;
  // Unknown before the first run of a fixed time, but the warm-up is short.
  const iterations = length.iterations ?? (msPerIteration ? expectedMs / msPerIteration : 0);
  await awaitPorts({
    loopback: isLoopback(target),
    connections: iterations * cell.tasks * cell.processes,
    expectedMs,
    signal,
    onNote,
  });
}

/** @param {Cell} cell @param {WorkerProcess} worker @param {RunLength} length */
function runFor({ openLoop }, worker, { iterations, durationMs, ratePerSecond, alone }) {
  // An open loop ends with its schedule.
  const timed = durationMs !== undefined && openLoop === null;
  return worker.run({ iterations, durationMs, ratePerSecond, alone, timed });
}

/** Most runs are shorter. */
const LOOK_EVERY_MS = 500;
/** A lost packet or a forking server may well take a second. */
const STALL_MS = 1500;

/**
 * Watches a run from outside, at no cost to the worker or the server: Linux counts the bytes that a
 * process has read, and a worker reads nothing but replies.
 * @param {number | undefined} pid of the worker @param {number} rttMs in which nothing can arrive anyway
 * @param {(stalledMs: number) => void} onStall called once of each time in which nothing arrives
 * @returns {{stop: () => number}} `stop` returns the longest such time, in milliseconds
 */
function watchRun(pid, rttMs, onStall) {
  let bytes = -1;
  let since = performance.now();
  let longest = 0;
  let reported = false;
  async function look() {
    const now = performance.now();
    const read = await bytesRead(pid);
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
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}

/** @param {number | undefined} pid @returns {Promise<number | null>} null where the system does not tell */
async function bytesRead(pid) {
  const io = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '');
  const count = /^rchar: (\d+)/m.exec(io)?.[1];
  return count === undefined ? null : Number(count);
}
