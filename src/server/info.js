/**
 * The counters of a server that a run can be checked against. What a server does not tell is null.
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
 * @param {import('../types.js').InfoReply | null} reply
 * @returns {import('../types.js').Snapshot | null}
 */
export function snapshotOf(reply) {
  if (reply === null) return null;
  const { fields, requestBytes, replyBytes } = reply;
  const user = numberOf(fields.used_cpu_user_main_thread);
  const system = numberOf(fields.used_cpu_sys_main_thread);
  return {
    runId: fields.run_id ?? null,
    commands: numberOf(fields.total_commands_processed),
    reads: numberOf(fields.total_reads_processed),
    writes: numberOf(fields.total_writes_processed),
    connections: numberOf(fields.total_connections_received),
    netInputBytes: numberOf(fields.total_net_input_bytes),
    netOutputBytes: numberOf(fields.total_net_output_bytes),
    mainThreadCpuUs: user === null || system === null ? null : (user + system) * 1e6,
    calls: callsOf(fields),
    requestBytes,
    replyBytes,
  };
}

/**
 * @param {string | undefined} text
 * @returns {number | null}
 */
const numberOf = (text) => (text === undefined || Number.isNaN(Number(text)) ? null : Number(text));

/**
 * @param {Record<string, string>} info
 * @returns {Record<string, number> | null} calls by command in lower case, subcommands as `client|setinfo`
 */
function callsOf(info) {
  const entries = Object.entries(info)
    .filter(([name]) => name.startsWith('cmdstat_'))
    .map(([name, value]) => [
      name.slice('cmdstat_'.length).toLowerCase(),
      Number(/calls=(\d+)/.exec(value)?.[1]),
    ]);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

/**
 * What the server did between two snapshots, the tool's own share taken out. Each snapshot is a
 * request that the server has read and a reply that it has not yet written, counted or charged when
 * it fills in the figures: between two there is the command and the reply of the first, and the
 * request of the second.
 *
 * @param {import('../types.js').Snapshot | null} before
 * @param {import('../types.js').Snapshot | null} after
 * @returns {import('../types.js').ServerDelta | null}
 */
export function difference(before, after) {
  if (before === null || after === null) return null;
  const calls = after.calls && countDifferences(before.calls ?? {}, after.calls);
  if (calls?.info) calls.info--;
  /** @param {keyof typeof COUNTERS} name */
  const grown = (name) => minus(after[name], before[name], COUNTERS[name]);
  return {
    restarted: before.runId !== after.runId,
    commands: grown('commands'),
    reads: grown('reads'),
    writes: grown('writes'),
    connections: grown('connections'),
    netInputBytes: minus(after.netInputBytes, before.netInputBytes, after.requestBytes),
    netOutputBytes: minus(after.netOutputBytes, before.netOutputBytes, before.replyBytes),
    mainThreadCpuUs: minus(after.mainThreadCpuUs, before.mainThreadCpuUs, 0),
    calls,
  };
}

/** How much of each counter's growth is the tool's own. */
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
