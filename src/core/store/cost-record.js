import { sum } from 'simple-statistics';
import { each } from '../check.js';
import { latencyOf } from '../statistics/latency.js';
import { mergeBy } from './merge-rules.js';
import { per } from './metrics/client-figures.js';

/** @import { Observed } from '../../benchmark/run/types.js' */
/** @import { NodeDelta, ServerDelta } from '../server/types.js' */
/** @import { NodeCost, ProcessFigures, ServerCost } from './types.js' */

/** @param {Observed['measured']} measured by one process @returns {ProcessFigures} */
export function processFigures({ taskIterations, calls, elapsedMs, client, latencyHdr }) {
  const operations = sum(taskIterations);
  return {
    operations,
    calls,
    opsPerSecond: (operations / elapsedMs) * 1000,
    cpuUtilization: client.cpuUs / 1000 / elapsedMs,
    eventLoopUtilization: client.eventLoopUtilization,
    peakRssBytes: client.peakRssBytes,
    p99Us: latencyOf([latencyHdr])?.p99Us ?? null,
  };
}

/**
 * The server's own counters, null if not reported. @param {ServerDelta | null} seen @param {number} elapsedMs
 * @param {number} [few] with fewer commands at the primaries, a cost per command is meaningless @returns {ServerCost}
 */
export function serverCost(seen, elapsedMs, few = 0) {
  const { mainThreadCpuUs, allThreadsCpuUs, sleeps, moved, asked, replicas, ...own } = seen ?? NOTHING;
  /** @param {number | null} cpuUs */
  const utilization = (cpuUs) => per(cpuUs && cpuUs / 1000, elapsedMs);
  /** @param {NodeDelta} node */
  const nodeCost = ({ mainThreadCpuUs: cpuUs, ...node }) => ({ ...node, cpuUtilization: utilization(cpuUs) });
  const nodes = own.nodes?.map(nodeCost) ?? null;
  const ofReplicas = replicas?.nodes.map(nodeCost) ?? [];
  /** @param {'commands' | 'reads' | 'netInputBytes' | 'netOutputBytes'} name */
  const all = (name) => plus([own[name], ...(replicas ? [replicas[name]] : [])]);
  const isFew = (own.commands ?? 0) < few;
  const atPrimaries = nodes === null ? [{ cpuUtilization: utilization(mainThreadCpuUs) }] : nodes;
  return {
    commands: all('commands'),
    connections: own.connections,
    netInputBytes: all('netInputBytes'),
    netOutputBytes: all('netOutputBytes'),
    commandsPerRead: per(all('commands'), all('reads')),
    cpuUsPerCommand: isFew ? null : per(mainThreadCpuUs, own.commands),
    allThreadsCpuUsPerCommand: isFew ? null : per(allThreadsCpuUs, own.commands),
    ...(sleeps != null && { sleepsPerCommand: isFew ? null : per(sleeps, own.commands) }),
    cpuUtilization: utilization(mainThreadCpuUs),
    busiestNodeUtilization: largest([...atPrimaries, ...ofReplicas]),
    moved,
    asked,
    nodes,
    ...(replicas !== undefined && {
      replicas: ofReplicas,
      replicaUtilization: plus(ofReplicas.map(({ cpuUtilization }) => cpuUtilization)),
      replicaReadShare: per(replicas.commands, plus([replicas.commands, replicas.primaryCommands])),
    }),
  };
}

/** @param {(number | null)[]} values @returns {number | null} null if one is unknown */
const plus = (values) => mergeBy('sumOfAll', values);

/** @type {ServerDelta} */
const NOTHING = /** @type {any} */ (
  each(
    'commands reads connections netInputBytes netOutputBytes mainThreadCpuUs allThreadsCpuUs moved asked nodes',
    null,
  )
);

/** Null if a node does not report it: it may be the busiest. @param {Pick<NodeCost, 'cpuUtilization'>[]} nodes */
const largest = (nodes) =>
  nodes.reduce(
    (most, { cpuUtilization }) =>
      most === null || cpuUtilization === null ? null : Math.max(most, cpuUtilization),
    /** @type {number | null} */ (0),
  );
