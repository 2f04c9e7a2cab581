import { about } from './about.js';
import { costsOf, NOTABLE, roundTripUsOf } from './slower-causes.js';

/** @import { Bottleneck, BusyShares, Finding, InStep, Summary } from '../judge/types.js' */
/** @import { MeasuredCell } from './compare-group.js' */
/** @import { Carried, Reasons } from './slower-causes.js' */

/** With this share of all that can be in flight, a read has commands of all tasks. */
const NEARLY_ALL = 0.75;

/** @param {MeasuredCell} cell @returns {Finding} */
export function limitOf(cell) {
  const { bottleneck, client, server, latency } = cell.summary;
  return {
    kind: 'limit',
    ...about([cell], cell.group),
    cell: cell.id,
    limit: bottleneck.limit,
    sharedCore: bottleneck.sharedCore,
    ...sharesOf(cell.summary),
    clientCpuShare: bottleneck.clientCpu,
    clientCpuUsPerOp: client.cpuUsPerOp,
    appWorkUsPerOp: client.appWorkUsPerOp ?? null,
    serverCpuUsPerCommand: server.cpuUsPerCommand,
    busiest: busiestOf(cell),
    underWayAtMost: mostInFlight(cell),
    p50Us: latency?.p50Us ?? null,
    inStep: bottleneck.limit === 'round-trips' ? lockstepOf(cell) : null,
  };
}

/** @param {Summary} summary @returns {BusyShares} */
export const sharesOf = ({ bottleneck: { clientBusy, appBusy, serverBusy, serverThreads }, waits }) => ({
  clientBusyShare: clientBusy,
  appBusyShare: appBusy,
  serverBusyShare: serverBusy,
  ...(serverThreads === undefined ? {} : { serverThreads }),
  waitedShare: waits?.waitedShare ?? null,
});

/** @param {MeasuredCell} cell */
function busiestOf({ topology, summary: { server, bottleneck } }) {
  if (topology !== 'cluster') return 'main-thread';
  return Number(bottleneck.serverBusy) > Number(server.busiestNodeUtilization) ? 'processor' : 'node';
}

/** @param {MeasuredCell} cell @returns {number | null} operations; null in an open loop, and in older files */
export function mostInFlight({ underWay, openLoop, iterations, processes }) {
  if (openLoop !== null || underWay == null) return null;
  // A batch has no more operations than the run.
  const batch = Math.min(underWay.batch, iterations ?? underWay.batch);
  return underWay.atOnce * batch * processes;
}

/** In lockstep all tasks get their replies together and send together: a read has a command of nearly each. @param {MeasuredCell} cell */
function lockstepOf(cell) {
  const { tasks, processes, connections, summary } = cell;
  const commandsPerRead = summary.server.commandsPerRead;
  const underWay = mostInFlight(cell);
  if (commandsPerRead === null || underWay === null || connections !== processes) return null;
  if (tasks < 2 || underWay < tasks || commandsPerRead < NEARLY_ALL * (underWay / processes)) return null;
  return { tasks, commandsPerRead };
}

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Reasons | null} for time in round trips */
export function waitOf(cell, than, { busy }) {
  const { limit, clientBusy: clientBusyShare, serverBusy: serverBusyShare } = cell.summary.bottleneck;
  if (limit !== 'round-trips' || serverBusyShare === null) return null;
  // A cell that is as busy as the other waits no longer, however many may be in flight.
  if (!busy || busy.ratio >= 1) return null;
  const fewer = fewerInFlight(cell, than);
  if (fewer) return fewer;
  const shares = { clientBusyShare, serverBusyShare };
  const times = idle(cell.summary) / idle(than.summary);
  const inStep = lockstepOf(cell);
  return {
    causes: [inStep ? { kind: 'in-step', ...inStep, ...shares } : { kind: 'waiting', ...shares }],
    times,
  };
}

/** @param {MeasuredCell} cell @param {MeasuredCell} than @returns {Reasons | null} */
export function fewerInFlight(cell, than) {
  const { clientBusy: clientBusyShare, serverBusy: serverBusyShare } = cell.summary.bottleneck;
  const [underWay, againstUnderWay] = [mostInFlight(cell), mostInFlight(than)];
  if (serverBusyShare === null || underWay === null || againstUnderWay === null) return null;
  const times = againstUnderWay / underWay;
  if (times < NOTABLE) return null;
  const shares = { clientBusyShare, serverBusyShare };
  return { causes: [{ kind: 'fewer-under-way', underWay, againstUnderWay, ...shares }], times };
}

/** Smaller differences are lost in the noise of a PING. */
const NOTABLE_US = 200;

/**
 * On a local server a round trip is mostly work of both sides, and the commands say more.
 * @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Reasons | null}
 */
export function moreRoundTrips(cell, than, { roundTrips }) {
  if (cell.way === than.way || !isMostlyIdle(cell) || fewerInFlight(cell, than)) return null;
  if (roundTrips === undefined || roundTrips.ratio < NOTABLE || roundTripUsOf(cell) < NOTABLE_US) return null;
  const [perOp, againstPerOp] = costsOf('roundTrips', cell, than);
  const cause = { kind: /** @type {const} */ ('more-round-trips'), perOp, againstPerOp };
  return { causes: [{ ...cause, roundTripUs: roundTripUsOf(cell) }], times: roundTrips.ratio };
}

/** @param {MeasuredCell} cell @param {MeasuredCell} than @returns {Reasons | null} null also if either side has much to do */
export function fartherAway(cell, than) {
  const { roundTripUs = 0, summary } = cell;
  const { roundTripUs: againstRoundTripUs = 0, summary: other } = than;
  const isFarther = roundTripUs >= Math.max(NOTABLE * againstRoundTripUs, againstRoundTripUs + NOTABLE_US);
  const busy = Math.max(summary.bottleneck.clientBusy, summary.bottleneck.serverBusy ?? 0);
  if (!isFarther || againstRoundTripUs === 0 || busy >= MOSTLY_IDLE) return null;
  const times = roundTripUs / (other.latency?.p50Us ?? againstRoundTripUs);
  return { causes: [{ kind: 'farther', roundTripUs, againstRoundTripUs }], times };
}

/** If neither side is busier, throughput depends on what is in flight. */
const MOSTLY_IDLE = 0.5;

/** @param {MeasuredCell} cell */
export const isMostlyIdle = ({ summary: { bottleneck } }) =>
  bottleneck.limit === 'round-trips' &&
  Math.max(bottleneck.clientBusy, bottleneck.serverBusy ?? 1) < MOSTLY_IDLE;

/** The time of an operation over the time in which the busier side worked for it, at least 1. @param {Summary} summary */
const idle = ({ bottleneck: { clientBusy, appBusy, serverBusy } }) =>
  1 / Math.max(clientBusy + (appBusy ?? 0), serverBusy ?? 0, 0.01);
