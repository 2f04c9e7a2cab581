import { max, min, sum } from 'simple-statistics';
import { latencyOf } from '../analysis/statistics/latency.js';
import { addCounts, addUp, mergeLoops, mergeOwnCounts } from './merge-runs.js';

/**
 * @import { RelayFigures } from '../relay/types.js'
 * @import { WatchedRun } from '../runner/types.js'
 * @import { NodeDelta, ReplicasDelta, ServerDelta } from '../server/types.js'
 * @import { ClientProbe } from '../worker/types.js'
 */

/**
 * The slices of a run as one: counters and times are added, histograms too.
 *
 * @param {WatchedRun[]} slices one after the other, of one process
 * @returns {WatchedRun}
 */
export function mergeSlices(slices) {
  if (slices.length === 1) return slices[0];
  const all = slices.map(({ measured }) => measured);
  return {
    measured: {
      startedAtMs: min(all.map(({ startedAtMs }) => startedAtMs)),
      elapsedMs: sum(all.map(({ elapsedMs }) => elapsedMs)),
      taskElapsedMs: addLists(all.map(({ taskElapsedMs }) => taskElapsedMs)),
      taskIterations: addLists(all.map(({ taskIterations }) => taskIterations)),
      ...addCounts(all),
      openLoop: null,
      client: mergeProbes(all),
    },
    connections: slices[0].connections,
    remarks: slices[0].remarks,
    seen: mergeDeltas(slices.map(({ seen }) => seen)),
    evictedKeys: sum(slices.map(({ evictedKeys }) => evictedKeys)),
    expiredKeys: sum(slices.map(({ expiredKeys }) => expiredKeys)),
    stalledMs: max(slices.map(({ stalledMs }) => stalledMs)),
    relay: mergeRelays(slices.flatMap(({ relay }) => relay ?? [])),
  };
}

/**
 * @param {RelayFigures[]} figures of all slices
 * @returns {RelayFigures | null} null where there is no relay
 */
function mergeRelays(figures) {
  if (figures.length === 0) return null;
  const late = latencyOf(figures.map(({ lateHdr }) => lateHdr));
  return { lateHdr: late?.hdr ?? figures[0].lateHdr, pauses: sum(figures.map(({ pauses }) => pauses)) };
}

/** @param {number[][]} lists of one length @returns {number[]} */
const addLists = (lists) => lists[0].map((_, index) => sum(lists.map((list) => list[index])));

/**
 * @param {WatchedRun['measured'][]} all
 * @returns {ClientProbe}
 */
function mergeProbes(all) {
  const probes = all.map(({ client }) => client);
  const elapsedMs = sum(all.map((each) => each.elapsedMs));
  return {
    cpuUs: sum(probes.map(({ cpuUs }) => cpuUs)),
    systemUs: sum(probes.map(({ systemUs }) => systemUs)),
    counts: mergeOwnCounts(probes.map(({ counts }) => counts)),
    appWorkUs: sum(probes.map(({ appWorkUs }) => appWorkUs)),
    loop: mergeLoops(probes.map(({ loop }) => loop)),
    eventLoopUtilization:
      sum(all.map((each) => each.client.eventLoopUtilization * each.elapsedMs)) / elapsedMs,
    gcCount: sum(probes.map(({ gcCount }) => gcCount)),
    gcPauseMs: sum(probes.map(({ gcPauseMs }) => gcPauseMs)),
    allocatedBytes: allocatedIn(all, elapsedMs),
    peakRssBytes: max(probes.map(({ peakRssBytes }) => peakRssBytes)),
    pageFaults: sum(probes.map(({ pageFaults }) => pageFaults)),
  };
}

/**
 * @param {WatchedRun['measured'][]} all
 * @param {number} elapsedMs of all
 * @returns {number | null} by the time of the slices that tell; null where none does
 */
function allocatedIn(all, elapsedMs) {
  const telling = all.filter(({ client }) => client.allocatedBytes !== null);
  if (telling.length === 0) return null;
  const bytes = sum(telling.map(({ client }) => Number(client.allocatedBytes)));
  return (bytes / sum(telling.map((each) => each.elapsedMs))) * elapsedMs;
}

/**
 * @param {(ServerDelta | null)[]} deltas
 * @returns {ServerDelta | null} null where the server did not tell of one of them
 */
function mergeDeltas(deltas) {
  const known = deltas.filter((delta) => delta !== null);
  if (known.length < deltas.length) return null;
  /** @param {(delta: ServerDelta) => number | null} of @returns {number | null} */
  const total = (of) => totalOf(known.map(of));
  return {
    moved: total(({ moved }) => moved),
    asked: total(({ asked }) => asked),
    nodes: mergeNodes(known.map(({ nodes }) => nodes)),
    ...mergeReplicas(known.flatMap(({ replicas }) => replicas ?? [])),
    commands: total(({ commands }) => commands),
    reads: total(({ reads }) => reads),
    writes: total(({ writes }) => writes),
    connections: total(({ connections }) => connections),
    netInputBytes: total(({ netInputBytes }) => netInputBytes),
    netOutputBytes: total(({ netOutputBytes }) => netOutputBytes),
    mainThreadCpuUs: total(({ mainThreadCpuUs }) => mainThreadCpuUs),
    allThreadsCpuUs: total(({ allThreadsCpuUs }) => allThreadsCpuUs),
    calls: known.some(({ calls }) => calls === null)
      ? null
      : addUp(known.map(({ calls }) => /** @type {Record<string, number>} */ (calls))),
  };
}

/** @param {ReplicasDelta[]} slices @returns {Pick<ServerDelta, 'replicas'>} */
function mergeReplicas(slices) {
  if (slices.length === 0) return {};
  /** @param {Exclude<keyof ReplicasDelta, 'nodes'>} name */
  const total = (name) => totalOf(slices.map((slice) => slice[name]));
  return {
    replicas: {
      commands: total('commands'),
      primaryCommands: total('primaryCommands'),
      reads: total('reads'),
      writes: total('writes'),
      netInputBytes: total('netInputBytes'),
      netOutputBytes: total('netOutputBytes'),
      nodes: mergeNodes(slices.map(({ nodes }) => nodes)) ?? [],
    },
  };
}

/** @param {(number | null)[]} values */
const totalOf = (values) => (values.includes(null) ? null : sum(values.map(Number)));

/**
 * @param {(NodeDelta[] | null)[]} slices the same nodes in the same order
 * @returns {NodeDelta[] | null}
 */
function mergeNodes(slices) {
  const known = slices.filter((nodes) => nodes !== null);
  if (known.length < slices.length) return null;
  return known[0].map(({ node }, index) => ({
    node,
    commands: totalOf(known.map((nodes) => nodes[index].commands)),
    mainThreadCpuUs: totalOf(known.map((nodes) => nodes[index].mainThreadCpuUs)),
  }));
}
