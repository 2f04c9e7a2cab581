import { exists, hasFlag } from '@ioredis/commands';
import { addUp } from '../collections.js';
import { sum } from '../descriptive-statistics.js';
import { memoryOf } from './memory.js';
import { numberIn } from './replies.js';

/** @import { Cost, Counters, InfoReply, NodeCounters, ServerDelta, Snapshot } from './types.js' */

/** @typedef {Exclude<keyof Counters, 'runId' | 'memory' | 'calls' | 'errors'>} CounterName */

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

/** Commands that replicas send to their primary. */
const OF_REPLICATION = new Set(['replconf', 'psync', 'sync']);

/** @param {InfoReply | null} reply @returns {Counters | null} */
export function snapshotOf(reply) {
  if (reply === null) return null;
  const { fields, requestBytes, replyBytes } = reply;
  const number = (/** @type {string} */ name) => numberIn(fields[name]);
  /** @param {string[]} names of seconds, by user and system */
  const microseconds = (...names) => {
    const seconds = total(names.map(number));
    return seconds === null ? null : seconds * 1e6;
  };
  const every = countsOf(fields, 'cmdstat_', /calls=([^,]*)/);
  const ofReplicas = every && only(every, (name) => OF_REPLICATION.has(name));
  return {
    runId: runIdIn(fields),
    commands: less(number('total_commands_processed'), ofReplicas && totalOf(ofReplicas)),
    reads: number('total_reads_processed'),
    connections: number('total_connections_received'),
    netInputBytes: less(number('total_net_input_bytes'), number('total_net_repl_input_bytes')),
    netOutputBytes: less(number('total_net_output_bytes'), number('total_net_repl_output_bytes')),
    mainThreadCpuUs: microseconds('used_cpu_user_main_thread', 'used_cpu_sys_main_thread'),
    allThreadsCpuUs: microseconds('used_cpu_user', 'used_cpu_sys'),
    evictedKeys: number('evicted_keys'),
    expiredKeys: number('expired_keys'),
    memory: listOf(memoryOf(fields)),
    calls: every && only(every, (name) => !OF_REPLICATION.has(name)),
    // A server lists errors only once it has some.
    errors: countsOf(fields, 'errorstat_', /count=([^,]*)/) ?? (fields.total_error_replies ? {} : null),
    requestBytes,
    replyBytes,
  };
}

/** @param {Record<string, string>} fields @returns {string | null} null for what is none */
export const runIdIn = ({ run_id: id }) => (/^\w{1,255}$/.test(id ?? '') ? id : null);

/** @template T @param {T | null} one @returns {T[] | null} */
const listOf = (one) => one && [one];

/**
 * @param {Record<string, string>} info @param {string} prefix @param {RegExp} count
 * @returns {Record<string, number> | null} lower case for commands; null where one is no number, too
 */
function countsOf(info, prefix, count) {
  const entries = Object.entries(info)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), numberIn(count.exec(value)?.[1])])
    .map(([name, value]) => [prefix === 'cmdstat_' ? String(name).toLowerCase() : name, value]);
  const isKnown = entries.length > 0 && entries.every(([, value]) => value !== null);
  return isKnown ? Object.fromEntries(entries) : null;
}

/** A counter is null if any node lacks it. @param {NodeCounters[]} nodes @returns {Snapshot} */
export function sumOf(nodes) {
  const all = nodes.map(({ snapshot }) => snapshot);
  const sumFor = (/** @type {CounterName} */ name) => total(all.map((each) => each[name]));
  return {
    commands: sumFor('commands'),
    reads: sumFor('reads'),
    connections: sumFor('connections'),
    netInputBytes: sumFor('netInputBytes'),
    netOutputBytes: sumFor('netOutputBytes'),
    mainThreadCpuUs: sumFor('mainThreadCpuUs'),
    allThreadsCpuUs: sumFor('allThreadsCpuUs'),
    evictedKeys: sumFor('evictedKeys'),
    expiredKeys: sumFor('expiredKeys'),
    requestBytes: sum(all.map(({ requestBytes }) => requestBytes)),
    replyBytes: sum(all.map(({ replyBytes }) => replyBytes)),
    runId: all.some(({ runId }) => runId === null) ? null : all.map(({ runId }) => runId).join(),
    calls: totalCounts(all.map(({ calls }) => calls)),
    errors: totalCounts(all.map(({ errors }) => errors)),
    memory: all.some(({ memory }) => memory === null) ? null : all.flatMap(({ memory }) => memory ?? []),
    nodes,
  };
}

/**
 * @param {Snapshot | null} before @param {Snapshot | null} after @param {Cost[]} [looks] further INFO between
 * @returns {ServerDelta | null}
 */
export function difference(before, after, looks = []) {
  const own = without(looks, grown(before, after, after?.nodes?.length));
  if (own === null || before === null || after === null) return null;
  const served = after.replicas && servedByReplicas(before.replicas ?? [], after.replicas);
  return {
    ...own,
    // Where replicas do not tell theirs, nobody knows what was left to them.
    calls: served ? totalCounts([own.calls, served.calls]) : own.calls,
    nodes: before.nodes && after.nodes ? grownOfEach(before.nodes, after.nodes).map(ofNode) : null,
    ...(served && {
      replicas: { ...served.delta, primaryCommands: own.calls && totalOf(readsIn(own.calls)) },
    }),
  };
}

/**
 * INFO counts its own request bytes but not its own command and reply. So the first snapshot's command and reply fall
 * in between, and the second one's request.
 * @param {Counters | null} before @param {Counters | null} after @param {number} [snapshots] one for each node
 */
function grown(before, after, snapshots = 1) {
  if (before === null || after === null) return null;
  const isReset = wereReset(before.calls, after.calls);
  const calls = isReset ? null : countsBetween(before.calls, after.calls);
  const errors = countsBetween(before.errors, after.errors);
  if (calls?.info) calls.info = Math.max(0, calls.info - snapshots);
  /** @param {CounterName} name @param {number} [own] what the snapshot adds */
  const more = (name, own = 0) =>
    isReset || before[name] === null ? null : less(after[name], before[name] + own);
  return {
    moved: errors && (errors.MOVED ?? 0),
    asked: errors && (errors.ASK ?? 0),
    commands: more('commands', snapshots),
    reads: more('reads', snapshots),
    connections: more('connections'),
    netInputBytes: more('netInputBytes', after.requestBytes),
    netOutputBytes: more('netOutputBytes', before.replyBytes),
    mainThreadCpuUs: more('mainThreadCpuUs'),
    allThreadsCpuUs: more('allThreadsCpuUs'),
    calls,
  };
}

/**
 * @template {ReturnType<typeof grown>} Grown @param {Cost[]} looks
 * @param {Grown} own @returns {Grown}
 */
function without(looks, own) {
  if (own === null || looks.length === 0) return own;
  const { calls } = own;
  return {
    ...own,
    commands: less(own.commands, looks.length),
    reads: less(own.reads, looks.length),
    netInputBytes: less(own.netInputBytes, sum(looks.map(({ requestBytes }) => requestBytes))),
    netOutputBytes: less(own.netOutputBytes, sum(looks.map(({ replyBytes }) => replyBytes))),
    calls: calls && { ...calls, info: calls.info - looks.length },
  };
}

/** @param {NodeCounters[]} before @param {NodeCounters[]} after */
const grownOfEach = (before, after) =>
  after.map(({ node, snapshot }) => ({
    node,
    delta: grown(before.find((each) => each.node === node)?.snapshot ?? null, snapshot),
  }));

/** @param {ReturnType<typeof grownOfEach>[number]} of */
const ofNode = ({ node, delta }) => ({
  node,
  commands: delta?.commands ?? null,
  mainThreadCpuUs: delta?.mainThreadCpuUs ?? null,
});

/** Read-only commands: replicated writes count for the primary. @param {NodeCounters[]} before @param {NodeCounters[]} after */
function servedByReplicas(before, after) {
  const all = grownOfEach(before, after).map((each) => {
    const reads = each.delta?.calls ? readsIn(each.delta.calls) : null;
    return { ...each, reads, commands: reads && totalOf(reads) };
  });
  const calls = totalCounts(all.map(({ reads }) => reads));
  const commands = calls && totalOf(calls);
  // Socket reads for replication cannot be distinguished from those for commands.
  const isMixed = all.some(({ delta }) =>
    Object.entries(delta?.calls ?? {}).some(([name, count]) => count > 0 && isFlagged(name, 'write')),
  );
  /** @param {'reads' | 'netInputBytes' | 'netOutputBytes'} name */
  const served = (name) => (commands === 0 ? 0 : total(all.map(({ delta }) => delta?.[name] ?? null)));
  return {
    calls,
    delta: {
      commands,
      reads: isMixed && commands !== 0 ? null : served('reads'),
      netInputBytes: served('netInputBytes'),
      netOutputBytes: served('netOutputBytes'),
      nodes: all.map((each) => ({ ...ofNode(each), commands: each.commands })),
    },
  };
}

/** @param {string} name may include a subcommand @param {string} flag */
function isFlagged(name, flag) {
  const [command] = name.split('|');
  return exists(command) && hasFlag(command, flag);
}

/** @param {Record<string, number>} calls @returns {Record<string, number>} read-only commands */
const readsIn = (calls) => only(calls, (name) => isFlagged(name, 'readonly'));

/** @param {Record<string, number>} counts @param {(name: string) => boolean} is @returns {Record<string, number>} */
const only = (counts, is) => Object.fromEntries(Object.entries(counts).filter(([name]) => is(name)));

/** @param {Record<string, number>} counts */
const totalOf = (counts) => sum(Object.values(counts));

/**
 * Null where that is below nothing: the counters were reset meanwhile, or make no sense.
 * @param {number | null} all @param {number | null} part nothing where it is not known
 */
const less = (all, part) => (all === null || all < (part ?? 0) ? null : all - (part ?? 0));

/** @param {(number | null)[]} values @returns {number | null} */
const total = (values) =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);

/** @param {(Record<string, number> | null)[]} all @returns {Record<string, number> | null} */
function totalCounts(all) {
  const known = all.filter((counts) => counts !== null);
  return known.length < all.length ? null : addUp(...known);
}

/**
 * After CONFIG RESETSTAT a server lists only what it has executed since, which may be more than before.
 * @param {Counters['calls']} before @param {Counters['calls']} after
 */
const wereReset = (before, after) =>
  before !== null &&
  after !== null &&
  Object.keys(before).some((name) => before[name] > 0 && !(name in after));

/** @param {Record<string, number> | null} before @param {Record<string, number> | null} after null where one of them fell */
function countsBetween(before, after) {
  if (after === null) return null;
  const entries = Object.entries(after).map(([name, count]) => [name, less(count, before?.[name] ?? 0)]);
  return entries.every(([, count]) => count !== null) ? Object.fromEntries(entries) : null;
}
