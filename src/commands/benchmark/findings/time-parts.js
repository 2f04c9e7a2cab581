import { sum } from 'simple-statistics';
import { slicesOf } from '../../../store/slices.js';

/** @import { Run } from '../../../store/types.js' */
/** @import { MeasuredCell } from '../judge/compare-group.js' */

/** Where the time of an operation goes in the client's process, which does one thing at a time. */
export const PARTS = /** @type {const} */ (['code', 'encoding', 'garbage', 'waiting']);

/** @typedef {typeof PARTS[number]} Part */
/** @typedef {Record<Part | 'all', number>} Time µs; `all`: of all parts, and of the application's own work */

/** Allocating costs time outside of collections too: 20 kB of small objects, arrays, closures or strings took 2 to 8 µs. */
const US_PER_ALLOCATED_BYTE = 0.0004;

/**
 * The parts add up to the time between two operations, less what other programs took of it: a process that waits for CPU does not
 * know what it would have done. Where server and client share a processor, the one waits for the other.
 * @param {Run} run @param {Pick<MeasuredCell, 'processes' | 'summary'>} cell @returns {Time | null} null if it was not measured
 */
export function timeOf(run, { processes, summary }) {
  const { client, elapsedMs, operations } = run;
  if (client === null || !elapsedMs || !(operations > 0)) return null;
  /** @param {number} ms of each process */
  const perOp = (ms) => (1000 * ms * processes) / operations;
  const elapsedUs = perOp(elapsedMs);
  const application = client.appWorkUsPerOp ?? 0;
  const loopUs = elapsedUs * client.eventLoopUtilization;
  // Threads that collect garbage use CPU beside the loop; a loop that waits for CPU uses none.
  const busyUs = client.cpuUsPerOp === null ? loopUs : Math.min(loopUs, client.cpuUsPerOp + application);
  const slices = summary.bottleneck.sharedCore ? [] : slicesOf(run);
  const lostMs = sum(slices.map(({ waitedMs, serverWaitedMs }) => (waitedMs ?? 0) + (serverWaitedMs ?? 0)));
  const waiting = Math.max(0, elapsedUs - Math.max(loopUs, busyUs + perOp(lostMs)));
  const encoding = client.encodeUsPerOp ?? 0;
  const paused = (perOp(client.gcPauseMs / processes) * busyUs) / Math.max(loopUs, 1e-9);
  const allocating = Math.max(0, client.allocatedBytesPerOp ?? 0) * US_PER_ALLOCATED_BYTE;
  const garbage = Math.min(busyUs, paused + allocating);
  const code = Math.max(0, busyUs - application - encoding - garbage);
  return { code, encoding, garbage, waiting, all: busyUs + waiting };
}
