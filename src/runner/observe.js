import { awaitPorts } from '../machine/await-ports.js';
import { runTimeout } from '../plan/run-timeout.js';
import { difference } from '../server/info.js';
import { whileAnswering } from './server-watch.js';
import { withTimeLimit } from './time-limit.js';
import { untilAborted } from './until-aborted.js';
import { watchRun } from './watch-run.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { RunLength } from '../worker/types.js'
 * @import { Observed, RunContext, WorkerProcess } from './types.js'
 */

/**
 * Sees a cell's runs from all sides: what its worker measures, what the server counts, whether
 * anything happens at all, and that it comes to an end.
 *
 * @param {Cell} cell
 * @param {WorkerProcess} worker
 * @param {RunContext} context
 * @returns {(length: RunLength) => Promise<Omit<Observed, 'connections'>>}
 */
export function createObserver(cell, worker, { server, placer, settings, catalogue, signal, onEvent }) {
  const placement = placer.placementFor(cell.pin);
  const opensDuringRun = catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false;
  const startsEmpty = catalogue.workloads.get(cell.chosen.workload.id)?.startsEmpty ?? false;
  /** @type {number | null} of one iteration of each task, in the last run */
  let msPerIteration = null;

  /** @param {RunLength} length */
  const expectedTime = ({ iterations, durationMs }) =>
    iterations === undefined ? (durationMs ?? null) : msPerIteration && msPerIteration * iterations;

  /** @param {RunLength} length */
  async function portsFor(length) {
    const target = server.targets[cell.transport];
    const expectedMs = expectedTime(length);
    if (!opensDuringRun || target === undefined) return;
    // Before the first run of a fixed time nobody knows; the warm-up is short.
    const iterations = length.iterations ?? (msPerIteration ? Number(expectedMs) / msPerIteration : 0);
    await awaitPorts({
      ...{
        target,
        signal,
        connections: iterations * cell.tasks * cell.processes,
        expectedMs: expectedMs ?? 0,
      },
      onNote: (message) => onEvent({ type: 'note', cell, message }),
    });
  }

  /**
   * A run of a fixed time is ended from here: a timer in the worker would make the kernel set an alarm
   * whenever its event loop goes to sleep, which costs it 5 % more CPU.
   *
   * @param {RunLength} length
   */
  function runFor({ iterations, durationMs, ratePerSecond }) {
    // An open loop ends with its schedule.
    const timed = durationMs !== undefined && cell.openLoop === null;
    const timer = timed ? setTimeout(worker.stop, worker.startsInMs + durationMs) : undefined;
    return worker.call('run', { iterations, durationMs, ratePerSecond }).finally(() => clearTimeout(timer));
  }

  return async function observe(length) {
    await placer.pinServer(placement);
    await portsFor(length);
    const limitMs = runTimeout(settings.runTimeoutMs, expectedTime(length));
    if (startsEmpty) await whileAnswering(server, worker.call('before-run'), limitMs);
    // Also because an interrupt that came before the run would not be heard in it.
    const before = await untilAborted(signal, server.snapshot());
    const watch = watchRun(worker.pid, (stalledMs) => onEvent({ type: 'stall', cell, stalledMs }));
    /** @type {Observed['measured']} */
    const measured = await withTimeLimit(limitMs, runFor(length), '--run-timeout').finally(watch.stop);
    const after = await untilAborted(signal, server.snapshot());
    msPerIteration = measured.elapsedMs / Math.max(1, ...measured.taskIterations);
    return { measured, seen: difference(before, after), stalledMs: watch.stop() };
  };
}
