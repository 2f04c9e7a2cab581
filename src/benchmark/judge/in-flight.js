import { NOTABLE } from './costs.js';

/** @import { MeasuredCell } from './compare-group.js' */
/** @import { JudgedPair, Pair } from './costs.js' */

/** @param {MeasuredCell} cell @returns {number | null} operations in flight at most; null in an open loop, and in older files */
export function mostInFlight({ underWay, openLoop, iterations, processes }) {
  if (openLoop !== null || underWay == null) return null;
  // A batch has no more operations than the run.
  const batch = Math.min(underWay.batch, iterations ?? underWay.batch);
  return underWay.atOnce * batch * processes;
}

/** With this share of all that can be in flight, a read has commands of all tasks. */
const NEARLY_ALL = 0.75;

/** In lockstep all tasks get their replies together and send together: a read has a command of nearly each. @param {MeasuredCell} cell */
export function lockstepOf(cell) {
  const { tasks, processes, connections, summary } = cell;
  const commandsPerRead = summary.server.commandsPerRead;
  const inFlight = mostInFlight(cell);
  if (commandsPerRead === null || inFlight === null || connections !== processes) return null;
  if (tasks < 2 || inFlight < tasks || commandsPerRead < NEARLY_ALL * (inFlight / processes)) return null;
  return { tasks, commandsPerRead };
}

/** @param {Pair} pair @returns {{underWay: number, againstUnderWay: number} | null} null if not notably fewer */
export function fewerInFlight({ cell, than }) {
  const [underWay, againstUnderWay] = [mostInFlight(cell), mostInFlight(than)];
  if (underWay === null || againstUnderWay === null || againstUnderWay / underWay < NOTABLE) return null;
  return cell.summary.bottleneck.serverBusy === null ? null : { underWay, againstUnderWay };
}

/** If neither side is busier, throughput depends on what is in flight. */
export const MOSTLY_IDLE = 0.5;

/** @param {MeasuredCell} cell */
export const isMostlyIdle = ({ summary: { bottleneck } }) =>
  bottleneck.limit === 'round-trips' &&
  Math.max(bottleneck.clientBusy, bottleneck.serverBusy ?? 1) < MOSTLY_IDLE;

/**
 * Whether it spends more of its time in round trips. A cell that is as busy as the other waits no longer, however many may be in
 * flight. @param {JudgedPair} pair
 */
export const waitsMore = ({ cell, carried: { busy } }) =>
  cell.summary.bottleneck.limit === 'round-trips' &&
  cell.summary.bottleneck.serverBusy !== null &&
  busy !== undefined &&
  busy.ratio < 1;

/** How much longer an operation takes than the busier side works for it, over the same of the other. @param {Pair} pair */
export const timesIdle = ({ cell, than }) => idle(cell) / idle(than);

/** At least 1. @param {MeasuredCell} cell */
const idle = ({ summary: { bottleneck } }) =>
  1 / Math.max(bottleneck.clientBusy + (bottleneck.appBusy ?? 0), bottleneck.serverBusy ?? 0, 0.01);

/** @param {MeasuredCell} cell @returns {{clientBusyShare: number, serverBusyShare: number}} */
export const idleShares = ({ summary: { bottleneck } }) => ({
  clientBusyShare: bottleneck.clientBusy,
  serverBusyShare: Number(bottleneck.serverBusy),
});
