/** @import { ClientCost, ServerCost } from '../../results/types.js' */
/** @import { Bottleneck } from '../types.js' */

/**
 * A side that is busy for three quarters of the time limits its cell: if everything else cost nothing, the
 * cell would be at most a third faster. Below that, there is more to gain elsewhere.
 */
export const BUSY = 0.75;

/** On one shared processor neither side can be busy all the time; the remaining tenth goes into context switches. */
const SHARED_CORE_BUSY = 0.9;

/** Where all threads of a server take this much more than its main one, the others are at work as well. */
const MORE_THREADS = 1.25;

/** Processes that share a processor keep each other waiting once they use this much of it. */
const CROWDED_BUSY = 0.25;

/**
 * What limited a cell: the client's event loop, the application's own work in it, the server's main thread, or,
 * when all had time to spare, the round trips between them. A cell that others kept from its processors waited
 * for those instead.
 * @param {ClientCost} client @param {ServerCost} server @param {Placed} placement @returns {Bottleneck}
 *
 * @typedef {object} Placed
 * @property {boolean} sharedCore whether client and server were pinned to the same processor
 * @property {number | null} [serverCpus] how many processors the server was pinned to; null if it was not
 *   pinned
 * @property {number} [clientCpus] how many processors the client's processes could use
 * @property {boolean} [crowded] whether those were fewer than the processes
 * @property {number} [opsPerSecond] by which the application's work of an operation becomes a share of the time
 * @property {boolean} [disturbed] whether others used its processors for much of the time
 * @property {number} [waitingShare] share of the time in which the event loop only looked at the clock
 */
export function findBottleneck(
  client,
  server,
  {
    sharedCore,
    serverCpus = null,
    clientCpus = 1,
    crowded = false,
    opsPerSecond = 0,
    waitingShare = 0,
    disturbed = false,
  },
) {
  const appBusy = Math.min(1, ((client.appWorkUsPerOp ?? 0) * opsPerSecond) / 1e6 / clientCpus);
  // CPU is also used outside of the event loop (garbage collection on other threads): the client is as busy as
  // the larger of the two says. But an event loop that waits for its processor counts as busy too. So where others
  // had it only the CPU is asked, and that went evenly into all that the loop did.
  const cpu = (client.cpuUtilization ?? 0) / clientCpus + appBusy;
  const workerBusy = disturbed
    ? Math.min(1, cpu) * (1 - waitingShare)
    : Math.min(1, Math.max(client.eventLoopUtilization, cpu)) - waitingShare;
  const clientBusy = Math.max(0, workerBusy - appBusy);
  const serverBusy = busyOf(server, sharedCore ? 1 : serverCpus);
  const serverThreads = threadsAtWork(server);
  const limit = limitOf(client, { clientBusy, appBusy, serverBusy, sharedCore });
  const waited = disturbed || (crowded && workerBusy >= CROWDED_BUSY);
  // Threads that wait for each other at work leave a main thread with time to spare, but that is no round trip.
  const idle = serverThreads !== null ? null : waited ? 'processor' : 'round-trips';
  return {
    limit: limit === 'round-trips' ? idle : limit,
    clientBusy,
    appBusy: client.appWorkUsPerOp == null ? null : appBusy,
    serverBusy,
    ...(serverThreads === null ? {} : { serverThreads }),
    clientCpu: sharedCore ? client.cpuUtilization : null,
    sharedCore,
  };
}

/**
 * A cluster has as many main threads as nodes: it is at its limit when one of them is, or when the processors that
 * all of them share are.
 * @param {ServerCost} server
 * @param {number | null} cpus that its nodes share; null where each may have its own @returns {number | null}
 */
function busyOf({ cpuUtilization, busiestNodeUtilization }, cpus) {
  if (cpuUtilization === null || busiestNodeUtilization === null) return null;
  return Math.min(1, Math.max(busiestNodeUtilization, cpus === null ? 0 : cpuUtilization / cpus));
}

/**
 * @param {Pick<ServerCost, 'cpuUtilization' | 'cpuUsPerCommand' | 'allThreadsCpuUsPerCommand'>} server
 * @returns {number | null} processors that all its threads used together; null where its main thread did the work
 */
function threadsAtWork({ cpuUtilization, cpuUsPerCommand, allThreadsCpuUsPerCommand }) {
  if (!cpuUtilization || !cpuUsPerCommand || !allThreadsCpuUsPerCommand) return null;
  const times = allThreadsCpuUsPerCommand / cpuUsPerCommand;
  return times > MORE_THREADS ? cpuUtilization * times : null;
}

/**
 * @param {ClientCost} client
 * @param {{clientBusy: number, appBusy: number, serverBusy: number | null, sharedCore: boolean}} busy
 * @returns {Bottleneck['limit']} as far as the main thread says
 */
function limitOf({ cpuUtilization }, { clientBusy, appBusy, serverBusy, sharedCore }) {
  const workerBusy = clientBusy + appBusy;
  const inWorker = appBusy > clientBusy ? 'application' : 'client';
  if (sharedCore && serverBusy !== null && cpuUtilization !== null) {
    const workerCpu = cpuUtilization + appBusy;
    if (workerCpu + serverBusy < SHARED_CORE_BUSY) {
      // An event loop that is hardly ever idle does not wait for replies: something else had the rest of the
      // processor.
      return workerBusy < BUSY ? 'round-trips' : null;
    }
    if (workerCpu < serverBusy) return 'server';
    return appBusy > cpuUtilization ? 'application' : 'client';
  }
  if (workerBusy >= BUSY && workerBusy >= (serverBusy ?? 0)) return inWorker;
  if (serverBusy !== null && serverBusy >= BUSY) return 'server';
  // A server that does not report its CPU may be the limit, so nothing can be said.
  return serverBusy === null ? null : 'round-trips';
}
