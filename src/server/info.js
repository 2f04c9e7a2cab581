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
 * @param {Record<string, string> | null} info
 * @returns {import('../types.js').Snapshot | null}
 */
export function snapshotOf(info) {
  if (info === null) return null;
  return {
    runId: info.run_id ?? null,
    commands: numberOf(info.total_commands_processed),
    connections: numberOf(info.total_connections_received),
    calls: callsOf(info),
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
 * What the server did between two snapshots, the tool's own INFO taken out: the first snapshot's
 * command is counted by the time of the second, the second's own is not yet.
 *
 * @param {import('../types.js').Snapshot | null} before
 * @param {import('../types.js').Snapshot | null} after
 * @returns {import('../types.js').ServerDelta | null}
 */
export function difference(before, after) {
  if (before === null || after === null) return null;
  const calls = after.calls && countDifferences(before.calls ?? {}, after.calls);
  if (calls?.info) calls.info--;
  const commands = minus(after.commands, before.commands);
  return {
    restarted: before.runId !== after.runId,
    commands: commands === null ? null : commands - 1,
    connections: minus(after.connections, before.connections),
    calls,
  };
}

/**
 * @param {number | null} after
 * @param {number | null} before
 */
const minus = (after, before) => (after === null || before === null ? null : after - before);

/**
 * @param {Record<string, number>} before
 * @param {Record<string, number>} after
 */
const countDifferences = (before, after) =>
  Object.fromEntries(Object.entries(after).map(([name, calls]) => [name, calls - (before[name] ?? 0)]));
