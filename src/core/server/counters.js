import { exists, hasFlag } from '@ioredis/commands';

/** @import { NodeDelta, ServerCounters, ServerDelta, Snapshot } from './types.js' */

/** A counter is null if any node lacks it. @param {{node: string, snapshot: Snapshot}[]} nodes @returns {Snapshot} */
export function sumOf(nodes) {
  const all = nodes.map(({ snapshot }) => snapshot);
  /** @param {Exclude<keyof ServerCounters, 'calls'> | 'evictedKeys' | 'expiredKeys'} name */
  const sum = (name) => total(all.map((each) => each[name]));
  return {
    runId: all.some(({ runId }) => runId === null) ? null : all.map(({ runId }) => runId).join(),
    commands: sum('commands'),
    reads: sum('reads'),
    connections: sum('connections'),
    netInputBytes: sum('netInputBytes'),
    netOutputBytes: sum('netOutputBytes'),
    mainThreadCpuUs: sum('mainThreadCpuUs'),
    allThreadsCpuUs: sum('allThreadsCpuUs'),
    evictedKeys: sum('evictedKeys'),
    expiredKeys: sum('expiredKeys'),
    calls: totalCounts(all.map(({ calls }) => calls)),
    errors: totalCounts(all.map(({ errors }) => errors)),
    nodes,
    requestBytes: Number(total(all.map(({ requestBytes }) => requestBytes))),
    replyBytes: Number(total(all.map(({ replyBytes }) => replyBytes))),
  };
}

/** @param {(number | null)[]} values @returns {number | null} */
const total = (values) =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);

/** @param {(Record<string, number> | null)[]} all @returns {Record<string, number> | null} */
function totalCounts(all) {
  return all.reduce(
    (sums, counts) => (sums && counts ? addCounts(sums, counts) : null),
    /** @type {Record<string, number> | null} */ ({}),
  );
}

/**
 * INFO counts its own request bytes but not its own command and reply. So the first snapshot's command and reply fall
 * in between, and the second one's request.
 * @param {Snapshot | null} before @param {Snapshot | null} after @returns {ServerDelta | null}
 */
export function difference(before, after) {
  if (before === null || after === null) return null;
  const snapshots = after.nodes?.length ?? 1;
  const calls = after.calls && countDifferences(before.calls ?? {}, after.calls);
  if (calls?.info) calls.info -= snapshots;
  const errors = after.errors && countDifferences(before.errors ?? {}, after.errors);
  const served =
    after.replicas === undefined ? null : servedByReplicas(before.replicas ?? [], after.replicas);
  /** @param {keyof typeof COUNTERS} name */
  const grown = (name) => minus(after[name], before[name], COUNTERS[name] * snapshots);
  return {
    moved: errors && (errors.MOVED ?? 0),
    asked: errors && (errors.ASK ?? 0),
    nodes: byNode(before, after),
    commands: grown('commands'),
    reads: grown('reads'),
    connections: grown('connections'),
    netInputBytes: minus(after.netInputBytes, before.netInputBytes, after.requestBytes),
    netOutputBytes: minus(after.netOutputBytes, before.netOutputBytes, before.replyBytes),
    mainThreadCpuUs: minus(after.mainThreadCpuUs, before.mainThreadCpuUs, 0),
    allThreadsCpuUs: minus(after.allThreadsCpuUs, before.allThreadsCpuUs, 0),
    calls: calls && addCounts(calls, served?.calls ?? {}),
    ...(served !== null && {
      replicas: { ...served.delta, primaryCommands: calls && totalOf(readsIn(calls)) },
    }),
  };
}

/** @param {{node: string, snapshot: Snapshot}[]} before @param {{node: string, snapshot: Snapshot}[]} after */
function servedByReplicas(before, after) {
  const all = after.map(({ node, snapshot }) => {
    const delta = difference(before.find((each) => each.node === node)?.snapshot ?? null, snapshot);
    return { node, delta, calls: delta?.calls ? readsIn(delta.calls) : null };
  });
  const calls = totalCounts(all.map((each) => each.calls));
  const commands = calls && totalOf(calls);
  // Socket reads for replication cannot be distinguished from those for commands.
  const isMixed = all.some(({ delta }) => Object.entries(delta?.calls ?? {}).some(isWrite));
  /** @param {'reads' | 'netInputBytes' | 'netOutputBytes'} name */
  const sum = (name) => (commands === 0 ? 0 : total(all.map(({ delta }) => delta?.[name] ?? null)));
  return {
    calls,
    delta: {
      commands,
      reads: isMixed && commands !== 0 ? null : sum('reads'),
      netInputBytes: sum('netInputBytes'),
      netOutputBytes: sum('netOutputBytes'),
      nodes: all.map(({ node, delta, calls: own }) => ({
        node,
        commands: own && totalOf(own),
        mainThreadCpuUs: delta?.mainThreadCpuUs ?? null,
      })),
    },
  };
}

/** @param {string} name may include a subcommand @param {string} flag */
function isFlagged(name, flag) {
  const [command] = name.split('|');
  return exists(command) && hasFlag(command, flag);
}

/** @param {[name: string, count: number]} call */
const isWrite = ([name, count]) => count > 0 && isFlagged(name, 'write');

/** @param {Record<string, number>} calls @returns {Record<string, number>} read-only commands */
const readsIn = (calls) =>
  Object.fromEntries(Object.entries(calls).filter(([name]) => isFlagged(name, 'readonly')));

/** @param {Record<string, number>} calls */
const totalOf = (calls) => Object.values(calls).reduce((sum, count) => sum + count, 0);

/** @param {Record<string, number>} some @param {Record<string, number>} others */
function addCounts(some, others) {
  const sums = { ...some };
  for (const [name, count] of Object.entries(others)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** @param {Snapshot} before @param {Snapshot} after @returns {NodeDelta[] | null} */
function byNode({ nodes: before }, { nodes: after }) {
  if (before === null || after === null) return null;
  return after.map(({ node, snapshot }) => {
    const earlier = before.find((each) => each.node === node)?.snapshot ?? null;
    const { commands = null, mainThreadCpuUs = null } = difference(earlier, snapshot) ?? {};
    return { node, commands, mainThreadCpuUs };
  });
}

/** What one snapshot adds to each counter. */
const COUNTERS = { commands: 1, reads: 1, connections: 0 };

/** @param {number | null} after @param {number | null} before @param {number} own */
const minus = (after, before, own) => (after === null || before === null ? null : after - before - own);

/** @param {Record<string, number>} before @param {Record<string, number>} after */
const countDifferences = (before, after) =>
  Object.fromEntries(Object.entries(after).map(([name, calls]) => [name, calls - (before[name] ?? 0)]));
