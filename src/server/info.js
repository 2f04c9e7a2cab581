/** @import { InfoReply, NodeDelta, ServerCounters, ServerDelta, Snapshot } from './types.js' */

/**
 * The fields of INFO.
 *
 * @param {string} text the reply of INFO
 * @returns {Record<string, string>} every field of every section by its name
 */
export function parseInfo(text) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0 && !line.startsWith('#')) fields[line.slice(0, colon)] = line.slice(colon + 1);
  }
  return fields;
}

/**
 * @param {InfoReply | null} reply
 * @returns {Snapshot | null}
 */
export function snapshotOf(reply) {
  if (reply === null) return null;
  const { fields, requestBytes, replyBytes } = reply;
  return {
    runId: fields.run_id ?? null,
    commands: numberOf(fields.total_commands_processed),
    reads: numberOf(fields.total_reads_processed),
    writes: numberOf(fields.total_writes_processed),
    connections: numberOf(fields.total_connections_received),
    netInputBytes: numberOf(fields.total_net_input_bytes),
    netOutputBytes: numberOf(fields.total_net_output_bytes),
    mainThreadCpuUs: microsecondsOf(fields.used_cpu_user_main_thread, fields.used_cpu_sys_main_thread),
    allThreadsCpuUs: microsecondsOf(fields.used_cpu_user, fields.used_cpu_sys),
    evictedKeys: numberOf(fields.evicted_keys),
    expiredKeys: numberOf(fields.expired_keys),
    calls: countsOf(fields, 'cmdstat_', /calls=(\d+)/),
    // A server lists errors only once there are any, so an empty list and no list must be told apart.
    errors:
      countsOf(fields, 'errorstat_', /count=(\d+)/) ?? (fields.total_error_replies === undefined ? null : {}),
    nodes: null,
    requestBytes,
    replyBytes,
  };
}

/** @param {string | undefined} user seconds of CPU @param {string | undefined} system @returns {number | null} */
function microsecondsOf(user, system) {
  const seconds = [user, system].map(numberOf);
  return seconds.includes(null) ? null : (Number(seconds[0]) + Number(seconds[1])) * 1e6;
}

/**
 * A cluster's counters: the sum over its nodes, null where one of them does not tell.
 *
 * @param {{node: string, snapshot: Snapshot}[]} nodes
 * @returns {Snapshot}
 */
export function sumOf(nodes) {
  const all = nodes.map(({ snapshot }) => snapshot);
  /** @param {Exclude<keyof ServerCounters, 'calls'> | 'evictedKeys' | 'expiredKeys'} name */
  const sum = (name) => total(all.map((each) => each[name]));
  return {
    runId: all.some(({ runId }) => runId === null) ? null : all.map(({ runId }) => runId).join(),
    commands: sum('commands'),
    reads: sum('reads'),
    writes: sum('writes'),
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
  /** @type {Record<string, number>} */
  const sums = {};
  for (const counts of all) {
    if (counts === null) return null;
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

/**
 * @param {string | undefined} text
 * @returns {number | null}
 */
const numberOf = (text) => (text === undefined || Number.isNaN(Number(text)) ? null : Number(text));

/**
 * @param {Record<string, string>} info
 * @param {string} prefix of the fields that hold one count each
 * @param {RegExp} count
 * @returns {Record<string, number> | null} counts by the rest of the name: of commands in lower case
 *   (subcommands as `client|setinfo`), of errors as they are
 */
function countsOf(info, prefix, count) {
  const entries = Object.entries(info)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), Number(count.exec(value)?.[1])])
    .map(([name, value]) => [prefix === 'cmdstat_' ? String(name).toLowerCase() : name, value]);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

/**
 * What the server did between two snapshots, without the snapshots themselves. When a server fills in
 * the figures of INFO, it has read that request, but has neither counted the command nor written the
 * reply. So the command and the reply of the first snapshot fall between the two, and the request of the
 * second; in a cluster on each node.
 *
 * @param {Snapshot | null} before
 * @param {Snapshot | null} after
 * @returns {ServerDelta | null}
 */
export function difference(before, after) {
  if (before === null || after === null) return null;
  const snapshots = after.nodes?.length ?? 1;
  const calls = after.calls && countDifferences(before.calls ?? {}, after.calls);
  if (calls?.info) calls.info -= snapshots;
  const errors = after.errors && countDifferences(before.errors ?? {}, after.errors);
  /** @param {keyof typeof COUNTERS} name */
  const grown = (name) => minus(after[name], before[name], COUNTERS[name] * snapshots);
  return {
    moved: errors && (errors.MOVED ?? 0),
    asked: errors && (errors.ASK ?? 0),
    nodes: byNode(before, after),
    commands: grown('commands'),
    reads: grown('reads'),
    writes: grown('writes'),
    connections: grown('connections'),
    netInputBytes: minus(after.netInputBytes, before.netInputBytes, after.requestBytes),
    netOutputBytes: minus(after.netOutputBytes, before.netOutputBytes, before.replyBytes),
    mainThreadCpuUs: minus(after.mainThreadCpuUs, before.mainThreadCpuUs, 0),
    allThreadsCpuUs: minus(after.allThreadsCpuUs, before.allThreadsCpuUs, 0),
    calls,
  };
}

/**
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {NodeDelta[] | null}
 */
function byNode({ nodes: before }, { nodes: after }) {
  if (before === null || after === null) return null;
  return after.map(({ node, snapshot }) => {
    const earlier = before.find((each) => each.node === node)?.snapshot ?? null;
    const { commands = null, mainThreadCpuUs = null } = difference(earlier, snapshot) ?? {};
    return { node, commands, mainThreadCpuUs };
  });
}

/** How much a snapshot adds to each counter. */
const COUNTERS = { commands: 1, reads: 1, writes: 1, connections: 0 };

/**
 * @param {number | null} after
 * @param {number | null} before
 * @param {number} own
 */
const minus = (after, before, own) => (after === null || before === null ? null : after - before - own);

/**
 * @param {Record<string, number>} before
 * @param {Record<string, number>} after
 */
const countDifferences = (before, after) =>
  Object.fromEntries(Object.entries(after).map(([name, calls]) => [name, calls - (before[name] ?? 0)]));
