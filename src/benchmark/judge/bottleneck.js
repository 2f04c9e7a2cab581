/** @import { ClientCost, ServerCost } from '../../core/store/types.js' */
/** @import { Bottleneck } from './types.js' */

/** A side that is busy for three quarters of the time: without any other cost, its cell would be at most a third faster. */
export const BUSY = 0.75;

/** On a shared processor the remaining tenth goes into context switches. */
const SHARED_CORE_BUSY = 0.9;

/** If all threads of a server take this much more than its main one, the others work too. */
const MORE_THREADS = 1.25;

/** From this load on, processes that share a processor keep each other waiting. */
const CROWDED_BUSY = 0.25;

/**
 * What limited a cell: the client's event loop, the application's work in it, the server's main thread, the round trips
 * if all had time to spare, or the CPU that other programs used. @param {ClientCost} client @param {ServerCost} server
 * @param {Placed} placement @returns {Bottleneck}
 *
 * @typedef {object} Placed
 * @property {boolean} sharedCore whether client and server were pinned to the same processor
 * @property {number | null} [serverCpus] how many the server was pinned to; null if it was not pinned
 * @property {number} [clientCpus] how many the client's processes could use
 * @property {boolean} [crowded] whether those were fewer than the processes
 * @property {number} [opsPerSecond]
 * @property {boolean} [disturbed] whether other programs used its processors for much of the time
 * @property {number} [waitingShare] of the time, in which the event loop only looked at the clock
 */
export function findBottleneck(
  client,
  server,
  { sharedCore, serverCpus = null, clientCpus = 1, crowded, opsPerSecond = 0, waitingShare = 0, disturbed },
) {
  const appBusy = Math.min(1, ((client.appWorkUsPerOp ?? 0) * opsPerSecond) / 1e6 / clientCpus);
  // Garbage collection uses CPU outside of the event loop, so the client is as busy as the larger of the two. But a
  // loop that waits for CPU counts as busy too: next to other programs only the CPU counts.
  const cpu = (client.cpuUtilization ?? 0) / clientCpus + appBusy;
  const workerBusy = disturbed
    ? Math.min(1, cpu) * (1 - waitingShare)
    : Math.min(1, Math.max(client.eventLoopUtilization, cpu)) - waitingShare;
  const clientBusy = Math.max(0, workerBusy - appBusy);
  const serverBusy = busyOf(server, sharedCore ? 1 : serverCpus);
  const serverThreads = threadsAtWork(server);
  const limit = limitOf(client, { clientBusy, appBusy, serverBusy, sharedCore });
  const waited = disturbed || (crowded && workerBusy >= CROWDED_BUSY);
  // Server threads that wait for each other leave the main thread idle, but that is no round trip.
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

/** The busiest node, or the processors that all nodes share. @param {ServerCost} server @param {number | null} cpus */
function busyOf({ cpuUtilization, busiestNodeUtilization }, cpus) {
  if (cpuUtilization === null || busiestNodeUtilization === null) return null;
  return Math.min(1, Math.max(busiestNodeUtilization, cpus === null ? 0 : cpuUtilization / cpus));
}

/** Processors that all threads used; null if the main thread did the work. @param {ServerCost} server */
function threadsAtWork({ cpuUtilization, cpuUsPerCommand, allThreadsCpuUsPerCommand }) {
  if (!cpuUtilization || !cpuUsPerCommand || !allThreadsCpuUsPerCommand) return null;
  const times = allThreadsCpuUsPerCommand / cpuUsPerCommand;
  return times > MORE_THREADS ? cpuUtilization * times : null;
}

/**
 * @param {ClientCost} client @param {Pick<Bottleneck, 'clientBusy' | 'serverBusy' | 'sharedCore'> & {appBusy: number}} busy
 * @returns {Bottleneck['limit']}
 */
function limitOf({ cpuUtilization }, { clientBusy, appBusy, serverBusy, sharedCore }) {
  const workerBusy = clientBusy + appBusy;
  const inWorker = appBusy > clientBusy ? 'application' : 'client';
  if (sharedCore && serverBusy !== null && cpuUtilization !== null) {
    const workerCpu = cpuUtilization + appBusy;
    if (workerCpu + serverBusy < SHARED_CORE_BUSY) {
      // An event loop that is hardly ever idle does not wait for replies: something else used the processor.
      return workerBusy < BUSY ? 'round-trips' : null;
    }
    if (workerCpu < serverBusy) return 'server';
    return appBusy > cpuUtilization ? 'application' : 'client';
  }
  if (workerBusy >= BUSY && workerBusy >= (serverBusy ?? 0)) return inWorker;
  if (serverBusy !== null && serverBusy >= BUSY) return 'server';
  // A server that does not report its CPU may be the limit.
  return serverBusy === null ? null : 'round-trips';
}
