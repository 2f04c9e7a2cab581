import { exists, hasFlag } from '@ioredis/commands';
import { sum } from 'simple-statistics';

/** @import { NodeDelta, ServerDelta, Snapshot, InfoReply } from './types.js' */

const SUMMED = /** @type {const} */ ([
  ...['commands', 'reads', 'connections', 'netInputBytes', 'netOutputBytes', 'mainThreadCpuUs'],
  ...['allThreadsCpuUs', 'evictedKeys', 'expiredKeys', 'requestBytes', 'replyBytes'],
]);

/** A counter is null if any node lacks it. @param {{node: string, snapshot: Snapshot}[]} nodes @returns {Snapshot} */
export function sumOf(nodes) {
  const all = nodes.map(({ snapshot }) => snapshot);
  const sums = SUMMED.map((name) => [name, total(all.map((each) => each[name]))]);
  return {
    .../** @type {Record<typeof SUMMED[number], any>} */ (Object.fromEntries(sums)),
    runId: all.some(({ runId }) => runId === null) ? null : all.map(({ runId }) => runId).join(),
    calls: totalCounts(all.map(({ calls }) => calls)),
    errors: totalCounts(all.map(({ errors }) => errors)),
    nodes,
  };
}

/** @param {(number | null)[]} values @returns {number | null} */
const total = (values) =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);

/** @param {(Record<string, number> | null)[]} all @returns {Record<string, number> | null} */
const totalCounts = (all) => all.reduce((sums, counts) => (sums && counts ? addCounts(sums, counts) : null));

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
  /** @param {typeof SUMMED[number]} name @param {number} [own] what the snapshot adds */
  const grown = (name, own = 0) => {
    const [now, then] = [after[name], before[name]];
    return now === null || then === null ? null : now - then - own;
  };
  return {
    moved: errors && (errors.MOVED ?? 0),
    asked: errors && (errors.ASK ?? 0),
    nodes: byNode(before, after),
    commands: grown('commands', snapshots),
    reads: grown('reads', snapshots),
    connections: grown('connections'),
    netInputBytes: grown('netInputBytes', after.requestBytes),
    netOutputBytes: grown('netOutputBytes', before.replyBytes),
    mainThreadCpuUs: grown('mainThreadCpuUs'),
    allThreadsCpuUs: grown('allThreadsCpuUs'),
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
  const served = (name) => (commands === 0 ? 0 : total(all.map(({ delta }) => delta?.[name] ?? null)));
  return {
    calls,
    delta: {
      commands,
      reads: isMixed && commands !== 0 ? null : served('reads'),
      netInputBytes: served('netInputBytes'),
      netOutputBytes: served('netOutputBytes'),
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
const totalOf = (calls) => sum(Object.values(calls));

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
  const number = (/** @type {string} */ name) => {
    const value = Number(fields[name]);
    return Number.isNaN(value) ? null : value;
  };
  /** @param {string} name @param {number | null} part to subtract */
  const less = (name, part) => {
    const all = number(name);
    return all === null ? null : all - (part ?? 0);
  };
  /** @param {string[]} names of seconds, by user and system */
  const microseconds = (...names) => {
    const seconds = total(names.map(number));
    return seconds === null ? null : seconds * 1e6;
  };
  const every = Object.entries(countsOf(fields, 'cmdstat_', /calls=(\d+)/) ?? {});
  const calls =
    every.length === 0 ? null : Object.fromEntries(every.filter(([name]) => !OF_REPLICATION.has(name)));
  const fromReplicas = sum(every.map(([name, count]) => (OF_REPLICATION.has(name) ? count : 0)));
  return {
    runId: fields.run_id ?? null,
    commands: less('total_commands_processed', fromReplicas),
    reads: number('total_reads_processed'),
    connections: number('total_connections_received'),
    netInputBytes: less('total_net_input_bytes', number('total_net_repl_input_bytes')),
    netOutputBytes: less('total_net_output_bytes', number('total_net_repl_output_bytes')),
    mainThreadCpuUs: microseconds('used_cpu_user_main_thread', 'used_cpu_sys_main_thread'),
    allThreadsCpuUs: microseconds('used_cpu_user', 'used_cpu_sys'),
    evictedKeys: number('evicted_keys'),
    expiredKeys: number('expired_keys'),
    calls,
    // A server lists errors only once it has some, so an empty list differs from no list.
    errors:
      countsOf(fields, 'errorstat_', /count=(\d+)/) ?? (fields.total_error_replies === undefined ? null : {}),
    nodes: null,
    requestBytes,
    replyBytes,
  };
}

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
