import { NOTABLE } from './carried-differences.js';
import { inStepOf, underWayAtMost } from './limits.js';

/**
 * @import { Cause, Summary } from '../types.js'
 * @import { Carried } from './carried-differences.js'
 * @import { MeasuredCell } from './compare-group.js'
 */

/**
 * Time in which neither side works goes into round trips.
 *
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @param {Carried} carried
 * @returns {{cause: Cause, times: number} | null} null where the other cell waits as much
 */
export function waitOf(cell, than, { busy }) {
  const { limit, clientBusy: clientBusyShare, serverBusy } = cell.summary.bottleneck;
  if (limit !== 'round-trips' || serverBusy === null) return null;
  // A cell that is as busy as the other waits no longer than that, however many may be under way.
  if (!busy || busy.ratio >= 1) return null;
  const fewer = fewerUnderWay(cell, than);
  if (fewer) return fewer;
  const shares = { clientBusyShare, serverBusyShare: serverBusy };
  const times = idle(cell.summary) / idle(than.summary);
  const inStep = inStepOf(cell);
  const cause = inStep
    ? /** @type {const} */ ({ kind: 'in-step', ...inStep, ...shares })
    : /** @type {const} */ ({ kind: 'waiting', ...shares });
  return { cause, times };
}

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @returns {{cause: Cause, times: number} | null} null where the other cell has no more under way
 */
export function fewerUnderWay(cell, than) {
  const { clientBusy, serverBusy } = cell.summary.bottleneck;
  const [underWay, againstUnderWay] = [underWayAtMost(cell), underWayAtMost(than)];
  if (serverBusy === null || underWay === null || againstUnderWay === null) return null;
  const times = againstUnderWay / underWay;
  if (times < NOTABLE) return null;
  const shares = { clientBusyShare: clientBusy, serverBusyShare: serverBusy };
  return { cause: { kind: 'fewer-under-way', underWay, againstUnderWay, ...shares }, times };
}

/** A round trip that is longer by less than this is lost in the noise of a PING. */
const NOTABLE_US = 200;

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @returns {{cause: Cause & {kind: 'farther'}, times: number} | null} null where its server is not farther away, or either
 *   side has much to do
 */
export function fartherAway(cell, than) {
  const { roundTripUs = 0, summary } = cell;
  const { roundTripUs: againstRoundTripUs = 0, summary: other } = than;
  const isFarther = roundTripUs >= Math.max(NOTABLE * againstRoundTripUs, againstRoundTripUs + NOTABLE_US);
  const busy = Math.max(summary.bottleneck.clientBusy, summary.bottleneck.serverBusy ?? 0);
  if (!isFarther || againstRoundTripUs === 0 || busy >= MOSTLY_IDLE) return null;
  const times = roundTripUs / (other.latency?.p50Us ?? againstRoundTripUs);
  return { cause: { kind: 'farther', roundTripUs, againstRoundTripUs }, times };
}

/** With less to do than this for either side, a cell does as much as it has under way. */
const MOSTLY_IDLE = 0.5;

/** @param {MeasuredCell} cell */
export const isMostlyIdle = ({ summary: { bottleneck } }) =>
  bottleneck.limit === 'round-trips' &&
  Math.max(bottleneck.clientBusy, bottleneck.serverBusy ?? 1) < MOSTLY_IDLE;

/**
 * @param {Summary} summary
 * @returns {number} time an operation took over the time in which the busier side worked for it, at least 1
 */
const idle = ({ bottleneck: { clientBusy, appBusy, serverBusy } }) =>
  1 / Math.max(clientBusy + (appBusy ?? 0), serverBusy ?? 0, 0.01);
