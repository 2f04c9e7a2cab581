/** @import { InfoReply, Snapshot } from './types.js' */

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
