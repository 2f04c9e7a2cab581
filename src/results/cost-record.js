import { sum } from 'simple-statistics';
import { latencyOf, loopDelay } from '../analysis/statistics/latency.js';

/**
 * @import { Batches } from '../plugins/types.js'
 * @import { Observed } from '../runner/types.js'
 * @import { NodeDelta, ServerDelta } from '../server/types.js'
 * @import { ClientProbe } from '../worker/types.js'
 * @import { Batching, ClientCost, NodeCost, ProcessFigures, ServerCost } from './types.js'
 */

/**
 * What a run cost its client. The application's own work is none of that: what was measured of it is subtracted.
 *
 * @param {ClientProbe} probe
 * @param {number} operations
 * @param {number} elapsedMs
 * @returns {ClientCost}
 */
export function clientCost(probe, operations, elapsedMs) {
  const cpuUs = ownCpuUs(probe);
  return {
    cpuUsPerOp: per(cpuUs, operations),
    cpuUtilization: per(cpuUs / 1000, elapsedMs),
    eventLoopUtilization: probe.eventLoopUtilization,
    appWorkUsPerOp: probe.appWorkUs > 0 ? per(probe.appWorkUs, operations) : null,
    eventLoopDelayP99Us: loopDelay(probe.loop, 0.99),
    gcCount: probe.gcCount,
    gcPauseMs: probe.gcPauseMs,
    allocatedBytesPerOp: per(probe.allocatedBytes, operations),
    peakRssBytes: probe.peakRssBytes,
    clientReadsPerOp: per(probe.counts?.reads ?? null, operations),
    clientWritesPerOp: per(probe.counts?.writes ?? null, operations),
    contextSwitchesPerOp: per(probe.counts?.contextSwitches ?? null, operations),
  };
}

/** @param {ClientProbe} probe @returns {number} µs that the client took, without the application's own work */
export const ownCpuUs = ({ cpuUs, appWorkUs }) => Math.max(0, cpuUs - appWorkUs);

/**
 * The cost of one process of a run.
 *
 * @param {Observed['measured']} measured by that process
 * @returns {ProcessFigures}
 */
export function processFigures({ taskIterations, calls, elapsedMs, client, latencyHdr }) {
  const operations = sum(taskIterations);
  return {
    operations,
    calls,
    opsPerSecond: (operations / elapsedMs) * 1000,
    cpuUtilization: client.cpuUs / 1000 / elapsedMs,
    eventLoopUtilization: client.eventLoopUtilization,
    peakRssBytes: client.peakRssBytes,
    p99Us: latencyHdr === null ? null : (latencyOf([latencyHdr])?.p99Us ?? null),
  };
}

/**
 * What a run cost its server, by the server's own counters; null for what it does not report.
 *
 * @param {ServerDelta | null} seen
 * @param {number} elapsedMs
 * @param {number} [few] fewer commands than these, at the primaries, do not say what one costs
 * @returns {ServerCost}
 */
export function serverCost(seen, elapsedMs, few = 0) {
  const { mainThreadCpuUs, allThreadsCpuUs, moved, asked, replicas, ...own } = seen ?? NOTHING;
  /** @param {number | null} cpuUs */
  const utilization = (cpuUs) => per(cpuUs && cpuUs / 1000, elapsedMs);
  /** @param {NodeDelta} node */
  const nodeCost = ({ mainThreadCpuUs: cpuUs, ...node }) => ({ ...node, cpuUtilization: utilization(cpuUs) });
  const nodes = own.nodes?.map(nodeCost) ?? null;
  const ofReplicas = replicas?.nodes.map(nodeCost) ?? [];
  /** @param {'commands' | 'reads' | 'writes' | 'netInputBytes' | 'netOutputBytes'} name */
  const all = (name) => plus(own[name], replicas === undefined ? 0 : replicas[name]);
  const isFew = (own.commands ?? 0) < few;
  const atPrimaries = nodes === null ? utilization(mainThreadCpuUs) : largest(nodes);
  return {
    commands: all('commands'),
    reads: all('reads'),
    writes: all('writes'),
    connections: own.connections,
    netInputBytes: all('netInputBytes'),
    netOutputBytes: all('netOutputBytes'),
    commandsPerRead: per(all('commands'), all('reads')),
    cpuUsPerCommand: isFew ? null : per(mainThreadCpuUs, own.commands),
    allThreadsCpuUsPerCommand: isFew ? null : per(allThreadsCpuUs, own.commands),
    cpuUtilization: utilization(mainThreadCpuUs),
    busiestNodeUtilization:
      ofReplicas.length === 0
        ? atPrimaries
        : largest([{ node: '', commands: null, cpuUtilization: atPrimaries }, ...ofReplicas]),
    moved,
    asked,
    nodes,
    ...(replicas !== undefined && {
      replicas: ofReplicas,
      replicaUtilization: ofReplicas.reduce(
        (sum, { cpuUtilization }) => plus(sum, cpuUtilization),
        /** @type {number | null} */ (0),
      ),
      replicaReadShare: per(replicas.commands, plus(replicas.commands, replicas.primaryCommands)),
    }),
  };
}

/** @param {number | null} some @param {number | null} others */
const plus = (some, others) => (some === null || others === null ? null : some + others);

const NOTHING = {
  commands: null,
  reads: null,
  writes: null,
  connections: null,
  netInputBytes: null,
  netOutputBytes: null,
  mainThreadCpuUs: null,
  allThreadsCpuUs: null,
  moved: null,
  asked: null,
  nodes: null,
  replicas: undefined,
};

/**
 * @param {NodeCost[]} nodes
 * @returns {number | null} null if one node does not report it: that may be the busiest
 */
const largest = (nodes) =>
  nodes.reduce(
    (most, { cpuUtilization }) =>
      most === null || cpuUtilization === null ? null : Math.max(most, cpuUtilization),
    /** @type {number | null} */ (0),
  );

/**
 * @param {number | null} sum
 * @param {number | null} count
 * @returns {number | null}
 */
const per = (sum, count) => (sum === null || !count ? null : sum / count);

/**
 * The batches that the tool made in a run.
 *
 * @param {Batches | null} batches
 * @param {number} operations
 * @returns {Batching | null}
 */
export const batchingOf = (batches, operations) =>
  batches && {
    batches: batches.batches,
    commandsPerBatch: batches.commands / batches.batches,
    largestBatch: batches.largest,
    heldUs: (batches.heldMs / batches.batches) * 1000,
    longestHeldUs: batches.longestHeldMs * 1000,
    waitingUsPerOp: (batches.waitedMs / operations) * 1000,
  };
