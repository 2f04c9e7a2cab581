import { max, sum } from 'simple-statistics';
import { processOf } from '../axes/ids.js';
import { ownCpuUs } from '../metrics/client-figures.js';
import { cpuPerOp, isFarBehind, perMsOf, takeWindows, untilWarm } from './until-warm.js';

/** @import { CellRunner } from './run-cell.js' */
/** @import { Warmed, Windows } from './until-warm.js' */
/** @import { GroupContext } from './contexts.js' */

/** A map has hundreds of cells to warm. */
const WINDOW_MS = 40;
/** Enough windows to show whether warming pays. */
const WINDOWS = 3;
/** A cell that uses less CPU than this share of its time is nearly as fast cold. */
const IDLE_SHARE = 0.2;
/** Windows for a warm worker with a new number of tasks, and how much each may still fall. */
const SETTLING = { fewest: 2, most: 8, stillFalling: 1.05 };

/**
 * Warms a cell of a map; a worker that is warm from another point only settles. Measured on a quiet machine: going from
 * 1 task to 16, the first slice after one window of 40 ms was 25 % slower than the second; elsewhere, as fast.
 * @param {CellRunner} runner @param {(number | undefined)[]} rivals @param {GroupContext} context
 * @param {() => boolean} isOver @returns {Promise<Warmed | null>} null if there was nothing to do, or it failed
 */
export async function warmInMap(runner, rivals, context, isOver) {
  const { idleWorkers, settings, signal } = context;
  const { tasks } = runner.cell;
  const warmWith = runner.warmWith();
  if (warmWith === tasks) return null;
  if (settings.smoke) {
    await runner.warmUp({ durationMs: settings.runTimeMs / 4 });
    return null;
  }
  const isEnd = () => signal.aborted || isOver();
  if (warmWith !== null) return settle(runner, isEnd);
  const process = processOf(runner.cell);
  const known = idleWorkers?.warmth.get(process);
  if (known !== undefined) {
    const run = await runner.warmUp({ iterations: Math.ceil(known / tasks) });
    return run === undefined ? null : settle(runner, isEnd);
  }
  let isCut = false;
  const found = await untilWarm(runner, context, {
    windowMs: WINDOW_MS,
    isEnough(windows) {
      const isEnough = isWarmEnough(windows, rivals);
      isCut = !isEnough && windows.length > 0 && isOver();
      return isEnough || isCut;
    },
  });
  if (isCut) runner.learn({ warm: false });
  if (found?.isWarm) {
    runner.markWarm();
    idleWorkers?.warmth.set(process, found.iterations * tasks);
  }
  return found;
}

/** @param {CellRunner} runner @param {() => boolean} isEnd @returns {Promise<Warmed | null>} */
async function settle(runner, isEnd) {
  const windows = await takeWindows(
    runner,
    WINDOW_MS,
    (soFar) => isSettled(soFar) || (soFar.length > 0 && isEnd()),
  );
  if (windows === null) return null;
  runner.markWarm();
  return { perMs: max(windows.map(perMsOf)), iterations: 0 };
}

/** @param {Windows} windows @returns {boolean} whether the last took hardly less CPU than those before */
function isSettled(windows) {
  if (windows.length < SETTLING.fewest) return false;
  const [last, ...before] = windows.map((window) => cpuPerOp([window])).reverse();
  return windows.length >= SETTLING.most || !(last * SETTLING.stillFalling <= Math.min(...before));
}

/**
 * A map compares throughput alone, and warmth hardly changes it for cells that wait for round trips or are far behind.
 * @param {Windows} windows @param {(number | undefined)[]} rivals
 */
function isWarmEnough(windows, rivals) {
  if (windows.length < WINDOWS) return false;
  const last = windows.slice(-WINDOWS);
  const busyMs = sum(last.map(({ client }) => ownCpuUs(client))) / 1000;
  const elapsedMs = sum(last.map((window) => window.elapsedMs));
  return busyMs < IDLE_SHARE * elapsedMs || isFarBehind(windows, rivals);
}
