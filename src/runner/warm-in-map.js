import { max, sum } from 'simple-statistics';
import { processOf } from '../axes/ids.js';
import { ownCpuUs } from '../metrics/client-figures.js';
import { cpuPerOp, isFarBehind, perMsOf, takeWindows, untilWarm } from './until-warm.js';

/** @import { CellRunner } from './run-cell.js' */
/** @import { Warmed } from './until-warm.js' */
/** @import { GroupContext } from './contexts.js' */
/** @import { Observed } from './types.js' */

/** A map has hundreds of cells to warm. */
const WINDOW_MS = 40;
/** So many windows show whether it is worth it. */
const WINDOWS = 3;
/** A cell that computes for less of its time than this is nearly as fast while it is cold. */
const IDLE_SHARE = 0.2;
/** Of a worker that is warm, with another number of tasks. */
const SETTLING = { fewest: 2, most: 8 };

/**
 * Warms a cell of a map. Its worker may be warm from another point: then only what another number of tasks changes
 * is left. Measured on a quiet machine: the first slice after one window of 40 ms was a quarter slower than the
 * second one where 16 tasks followed one, and as fast at other points.
 * @param {CellRunner} runner @param {Map<string, Warmed | null>} warmed the cells before it
 * @param {GroupContext} context @param {() => boolean} isOver whether its time for that is over
 * @returns {Promise<Warmed | null>} null where nothing was to be done, or it failed
 */
export async function warmInMap(runner, warmed, context, isOver) {
  const { idleWorkers, settings, signal } = context;
  const warmWith = runner.warmWith();
  if (warmWith === runner.cell.tasks) return null;
  const windowMs = settings.smoke ? settings.runTimeMs / 4 : WINDOW_MS;
  if (settings.smoke) {
    await runner.warmUp({ durationMs: windowMs, alone: true });
    return null;
  }
  const isEnd = () => signal.aborted || isOver();
  if (warmWith !== null) return settle(runner, windowMs, isEnd);
  const process = processOf(runner.cell);
  const known = idleWorkers?.warmth.get(process);
  if (known !== undefined) return warmAsBefore(runner, known, windowMs, isEnd);
  const rivals = [...warmed.values()].map((other) => other?.perMs);
  let isCut = false;
  const found = await untilWarm(runner, context, {
    windowMs,
    isEnough(windows) {
      const isEnough = isWarmEnough(windows, rivals);
      isCut = !isEnough && windows.length > 0 && isOver();
      return isEnough || isCut;
    },
  });
  if (isCut) runner.learn({ warm: false });
  if (found?.isWarm) {
    runner.markWarm();
    idleWorkers?.warmth.set(process, found.iterations * runner.cell.tasks);
  }
  return found;
}

/**
 * @param {CellRunner} runner @param {number} operations that it took another life of this worker
 * @param {number} windowMs @param {() => boolean} isEnd @returns {Promise<Warmed | null>}
 */
async function warmAsBefore(runner, operations, windowMs, isEnd) {
  const iterations = Math.ceil(operations / runner.cell.tasks);
  const run = await runner.warmUp({ iterations, alone: true });
  return run === undefined ? null : settle(runner, windowMs, isEnd);
}

/** @param {CellRunner} runner @param {number} windowMs @param {() => boolean} isEnd @returns {Promise<Warmed | null>} */
async function settle(runner, windowMs, isEnd) {
  const windows = await takeWindows(
    runner,
    windowMs,
    (soFar) => isSettled(soFar) || (soFar.length > 0 && isEnd()),
  );
  if (windows === null) return null;
  runner.markWarm();
  return { perMs: max(windows.map(perMsOf)), iterations: 0 };
}

/** @param {Observed['measured'][]} windows @returns {boolean} whether the last one cost hardly less CPU than those before */
function isSettled(windows) {
  if (windows.length < SETTLING.fewest) return false;
  const [last, ...before] = windows.map((window) => cpuPerOp([window])).reverse();
  return windows.length >= SETTLING.most || !(last * STILL_FALLING <= Math.min(...before));
}

/** As in a warm-up. */
const STILL_FALLING = 1.05;

/**
 * Whether a cell of a map has to become warmer. A map asks for operations a second alone, and of some cells it is
 * seen early that warmth changes nothing: they wait for round trips, or another is far ahead.
 * @param {Pick<Observed['measured'], 'client' | 'elapsedMs' | 'taskIterations'>[]} windows of its warm-up so far
 * @param {(number | undefined)[]} rivals iterations of a task in a millisecond, of the cells beside it that are warm
 */
function isWarmEnough(windows, rivals) {
  if (windows.length < WINDOWS) return false;
  const last = windows.slice(-WINDOWS);
  const busyMs = sum(last.map(({ client }) => ownCpuUs(client))) / 1000;
  const elapsedMs = sum(last.map((window) => window.elapsedMs));
  return busyMs < IDLE_SHARE * elapsedMs || isFarBehind(windows, rivals);
}
