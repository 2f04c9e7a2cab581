import { behindBlocking } from './slower-causes.js';

/**
 * @import { Finding, InStep } from '../types.js'
 * @import { MeasuredCell } from './compare-group.js'
 */

/** With this share of all that can be under way, the commands of a read come from all tasks. */
const NEARLY_ALL = 0.75;

/**
 * What limited a cell, with the figures that say so.
 *
 * @param {MeasuredCell} cell
 * @returns {Finding}
 */
export function limitOf(cell) {
  const { bottleneck, client, server, latency, waits } = cell.summary;
  const behind = behindBlocking(cell);
  return {
    kind: 'limit',
    group: cell.group,
    cells: [cell.id],
    cell: cell.id,
    limit: bottleneck.limit,
    sharedCore: bottleneck.sharedCore,
    clientBusyShare: bottleneck.clientBusy,
    appBusyShare: bottleneck.appBusy,
    clientCpuShare: bottleneck.clientCpu,
    serverBusyShare: bottleneck.serverBusy,
    ...(bottleneck.serverThreads === undefined ? {} : { serverThreads: bottleneck.serverThreads }),
    clientCpuUsPerOp: client.cpuUsPerOp,
    appWorkUsPerOp: client.appWorkUsPerOp ?? null,
    serverCpuUsPerCommand: server.cpuUsPerCommand,
    busiest: busiestOf(cell),
    underWayAtMost: underWayAtMost(cell),
    p50Us: latency?.p50Us ?? null,
    inStep: bottleneck.limit === 'round-trips' ? inStepOf(cell) : null,
    waitedShare: waits?.waitedShare ?? null,
    withCompany: (cell.beside ?? []).length > 0,
    ...(behind && { behind }),
  };
}

/** @param {MeasuredCell} cell */
function busiestOf({ topology, summary: { server, bottleneck } }) {
  if (topology !== 'cluster') return 'main-thread';
  return Number(bottleneck.serverBusy) > Number(server.busiestNodeUtilization) ? 'processor' : 'node';
}

/**
 * @param {MeasuredCell} cell
 * @returns {number | null} operations; null in an open loop, and in older files that do not say
 */
export function underWayAtMost({ underWay, openLoop, iterations, processes }) {
  if (openLoop !== null || underWay == null) return null;
  // A batch has no more operations than the run.
  const batch = Math.min(underWay.batch, iterations ?? underWay.batch);
  return underWay.atOnce * batch * processes;
}

/**
 * All tasks go in step where one read of the server brings a command of nearly each: they were answered
 * together, and so they ask together. Client and server then take turns.
 *
 * @param {MeasuredCell} cell
 * @returns {InStep | null}
 */
export function inStepOf(cell) {
  const { tasks, processes, connections, summary } = cell;
  const commandsPerRead = summary.server.commandsPerRead;
  const underWay = underWayAtMost(cell);
  if (commandsPerRead === null || underWay === null || connections !== processes) return null;
  if (tasks < 2 || underWay < tasks || commandsPerRead < NEARLY_ALL * (underWay / processes)) return null;
  return { tasks, commandsPerRead };
}
