import { exists, hasFlag } from '@ioredis/commands';

/** @import { NodeDelta, ServerCounters, ServerDelta, Snapshot, InfoReply } from './types.js' */

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

/** Commands that replicas send to their primary. */
const OF_REPLICATION = new Set(['replconf', 'psync', 'sync']);

/** @param {string} text @returns {Record<string, string>} */
export function parseInfo(text) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0 && !line.startsWith('#')) fields[line.slice(0, colon)] = line.slice(colon + 1);
  }
  return fields;
}

/** @param {InfoReply | null} reply @returns {Snapshot | null} */
export function snapshotOf(reply) {
  if (reply === null) return null;
  const { fields, requestBytes, replyBytes } = reply;
  const calls = countsOf(fields, 'cmdstat_', /calls=(\d+)/);
  return {
    runId: fields.run_id ?? null,
    commands: less(fields.total_commands_processed, fromReplicas(calls)),
    reads: numberOf(fields.total_reads_processed),
    connections: numberOf(fields.total_connections_received),
    netInputBytes: less(fields.total_net_input_bytes, numberOf(fields.total_net_repl_input_bytes)),
    netOutputBytes: less(fields.total_net_output_bytes, numberOf(fields.total_net_repl_output_bytes)),
    mainThreadCpuUs: microsecondsOf(fields.used_cpu_user_main_thread, fields.used_cpu_sys_main_thread),
    allThreadsCpuUs: microsecondsOf(fields.used_cpu_user, fields.used_cpu_sys),
    evictedKeys: numberOf(fields.evicted_keys),
    expiredKeys: numberOf(fields.expired_keys),
    calls: calls && withoutReplication(calls),
    // A server lists errors only once it has some, so an empty list differs from no list.
    errors:
      countsOf(fields, 'errorstat_', /count=(\d+)/) ?? (fields.total_error_replies === undefined ? null : {}),
    nodes: null,
    requestBytes,
    replyBytes,
  };
}

/** @param {Record<string, number> | null} calls @returns {number} */
const fromReplicas = (calls) =>
  Object.entries(calls ?? {}).reduce((sum, [name, count]) => sum + (OF_REPLICATION.has(name) ? count : 0), 0);

/** @param {Record<string, number>} calls */
const withoutReplication = (calls) =>
  Object.fromEntries(Object.entries(calls).filter(([name]) => !OF_REPLICATION.has(name)));

/** @param {string | undefined} text @param {number | null} part to subtract */
function less(text, part) {
  const all = numberOf(text);
  return all === null ? null : all - (part ?? 0);
}

/** @param {string | undefined} user seconds @param {string | undefined} system @returns {number | null} */
function microsecondsOf(user, system) {
  const seconds = [user, system].map(numberOf);
  return seconds.includes(null) ? null : (Number(seconds[0]) + Number(seconds[1])) * 1e6;
}

/** @param {string | undefined} text @returns {number | null} */
const numberOf = (text) => (text === undefined || Number.isNaN(Number(text)) ? null : Number(text));

/**
 * @param {Record<string, string>} info @param {string} prefix @param {RegExp} count
 * @returns {Record<string, number> | null} lower case for commands
 */
function countsOf(info, prefix, count) {
  const entries = Object.entries(info)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), Number(count.exec(value)?.[1])])
    .map(([name, value]) => [prefix === 'cmdstat_' ? String(name).toLowerCase() : name, value]);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
