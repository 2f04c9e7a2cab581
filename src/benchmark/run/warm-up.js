import { sum } from 'simple-statistics';
import { MEASURING } from '../../core/method.js';
import { ownCpuUs } from '../../core/store/fields.js';
import { sliceFigures } from '../../core/store/slice-record.js';

/** @import { CellRunner } from './run-cell.js' */
/** @import { GroupContext } from './contexts.js' */
/** @import { SeenSlice } from './types.js' */

/** @typedef {Pick<SeenSlice, 'measured' | 'seen' | 'runQueue' | 'relay'>} Window a short warm-up run */

/**
 * Until the CPU time of an operation is level, or the time is over. Elapsed time would prove nothing, because other
 * programs change it; time that the worker waited for CPU does not count.
 * @param {Pick<CellRunner, 'warmUp'>} runner @param {Pick<GroupContext, 'settings' | 'signal'>} context
 * @param {number} part of the usual time, 1 where there is enough
 * @returns {Promise<number | null>} iterations of one task in a millisecond; null if it failed
 */
export async function warmUp(runner, { settings, signal }, part = 1) {
  const { smoke, warmupRuns, runTimeMs } = settings;
  const windowMs = smoke ? runTimeMs / 4 : MEASURING.windowMs;
  const mostMs = smoke ? 0 : MEASURING.warmUpMs * warmupRuns * part;
  /** @type {Window[]} */
  const windows = [];
  do {
    const window = await runner.warmUp({ durationMs: windowMs });
    if (window === undefined) return null;
    windows.push(window);
  } while (!signal.aborted && !isOver(windows, mostMs));
  return perMs(windows.slice(-MEASURING.windows.last));
}

/** @param {Window[]} windows @param {number} mostMs */
const isOver = (windows, mostMs) =>
  isLevel(windows) || ownMs(windows) >= mostMs || elapsedMs(windows) >= mostMs * MEASURING.patience;

/** @param {Window[]} windows */
export function isLevel(windows) {
  const { compared, last, level } = MEASURING.windows;
  if (windows.length < compared + last) return false;
  const costs = windows.slice(-compared - last).map(cpuPerOp);
  return Math.min(...costs.slice(compared)) >= level * Math.min(...costs.slice(0, compared));
}

/** @param {Window} window */
const cpuPerOp = ({ measured: { client, taskIterations } }) => ownCpuUs(client) / sum(taskIterations);

/** @param {Window[]} windows */
const elapsedMs = (windows) => sum(windows.map(({ measured }) => measured.elapsedMs));

/** @param {Window[]} windows */
const ownMs = (windows) =>
  sum(
    windows.map((window) => {
      const { elapsedMs, waitedMs, serverWaitedMs, stolenMs } = sliceFigures(window, 1);
      return Math.max(0, elapsedMs - (waitedMs ?? 0) - (serverWaitedMs ?? 0) - (stolenMs ?? 0));
    }),
  );

/** @param {Window[]} windows */
const perMs = (windows) =>
  sum(windows.map(({ measured: { taskIterations } }) => sum(taskIterations) / taskIterations.length)) /
  elapsedMs(windows);
