import { sum } from 'simple-statistics';
import { ownCpuUs } from './cost-record.js';

/**
 * @import { SeenSlice, WatchedRun } from '../runner/types.js'
 * @import { FixedCost, Slice } from './types.js'
 */

/**
 * A slice counts as disturbed when worker and server together waited for a processor for longer than this
 * part of it. A choice, not a measurement: how long slices wait on a quiet machine has yet to be measured.
 */
const DISTURBED = 0.1;

/**
 * The CPU time of a slice's operations alone: what it cost to start and end it is known from slices of one
 * iteration.
 *
 * @param {WatchedRun['measured']} measured
 * @param {FixedCost | null} fixed
 * @returns {number} µs, the application's own work included
 */
export function operationsCpuUs({ client, taskIterations }, fixed) {
  const operations = sum(taskIterations);
  const own = ownCpuUs(client);
  if (fixed === null || operations <= fixed.operations || own <= fixed.cpuUs) return client.cpuUs;
  return ((own - fixed.cpuUs) / (operations - fixed.operations)) * operations + client.appWorkUs;
}

/**
 * @param {Pick<SeenSlice, 'measured' | 'seen' | 'runQueue' | 'relay'>} seen
 * @param {number | null} ownCpus how many processors the worker has for itself; null where it shares them
 * @returns {Slice}
 */
export function sliceFigures({ measured, seen, runQueue, relay }, ownCpus) {
  const { elapsedMs, client } = measured;
  const { workerQueuedMs, workerRanMs, serverQueuedMs, stolenMs } = runQueue;
  // On one processor the client's own helper threads, the garbage collector's, keep it waiting as well.
  const helpersMs =
    ownCpus === 1 && workerRanMs !== null ? Math.max(0, client.cpuUs / 1000 - workerRanMs) : 0;
  const waitedMs = workerQueuedMs === null ? null : Math.max(0, workerQueuedMs - helpersMs);
  // For its relay the server waits as a matter of course, where the two share a processor.
  const disturbedMs = (waitedMs ?? 0) + (relay === null ? (serverQueuedMs ?? 0) : 0);
  return {
    elapsedMs,
    operations: sum(measured.taskIterations),
    cpuUs: ownCpuUs(client),
    serverCpuUs: seen?.mainThreadCpuUs ?? null,
    waitedMs,
    serverWaitedMs: serverQueuedMs,
    stolenMs,
    disturbed: ownCpus !== null && disturbedMs > DISTURBED * elapsedMs,
    repeats: 0,
  };
}
