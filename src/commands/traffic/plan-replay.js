import { quantile, sum } from '../../descriptive-statistics.js';
import { UsageError } from '../../errors.js';
import { isOwnPattern, placesIn } from '../../server/command-places.js';
import { keysIn, reasonToLeaveOut, rowOf } from './commands.js';
import { MOST_BYTES, sizeOf } from './format.js';
import { readProfile } from './read-profile.js';
import { SHORTEST_KEY_BYTES } from './recorded-commands.js';
import { MOST_MEMBERS, membersIn } from './stored-data.js';

/** @import { CommandLine, CommandRow, LeftOut, LeftOutReason, ProfileLine } from './types.js' */

/** Each takes about 300 bytes of a worker's memory. */
const MOST_REPLAYED = 500_000;
const MOST_ARGUMENTS = 5e6;
/** Larger values would dominate the run and its memory. */
const MOST_CONTENT_BYTES = 64e6;
/** An offset creates a string of that length. */
const MOST_OFFSET = 8e6;
/** In a transaction; words.js names this figure. */
const MOST_COMMANDS = 1000;
const MOST_PENDING = 100_000;

/**
 * @typedef {{line: CommandLine, row: CommandRow, isFlat: boolean}} Replayed `isFlat`: in RESP2
 * @typedef {{isTransaction: boolean, atUs: number, tookUs: number | null}} Timing `tookUs`: null if unknown, or mostly
 *   waiting for data
 * @typedef {Timing & {commands: Replayed[]}} Operation `commands`: without MULTI and EXEC
 * @typedef {{lines: CommandLine[], isTooLarge: boolean}} OpenTransaction `lines`: from MULTI on
 */

/** @param {(operation: Operation) => void} onOperation gets each, not always in the order of the recording */
export function planReplay(onOperation) {
  /** @type {Map<LeftOutReason, Record<string, number>>} */
  const leftOut = new Map();
  /** @type {Set<number>} connections */
  const speaksResp3 = new Set();
  /** Counts by words such as `BLPOP as LPOP`. @type {Record<string, number>} */
  const unblocked = {};
  /** @type {Map<number, OpenTransaction>} */
  const open = new Map();
  let pendingLines = 0;
  // Commands include MULTI and EXEC. `beyond`: those after the last replayed one.
  const inTransactions = { transactions: 0, commands: 0 };
  const counts = { replayed: 0, operations: 0, beyond: 0 };
  let argumentsSoFar = 0;

  /** @param {CommandLine[]} lines @param {LeftOutReason} reason */
  function leaveOut(lines, reason) {
    if (lines.length === 0) return;
    const byName = leftOut.get(reason) ?? {};
    for (const { name } of lines) byName[name] = (byName[name] ?? 0) + 1;
    leftOut.set(reason, byName);
  }

  /** @param {CommandLine[]} lines @param {Timing} timing @returns {number} commands sent; 0 if all are left out or beyond */
  function send(lines, timing) {
    const commands = lines.flatMap((line) => {
      const row = rowOf(line.name);
      const reason = row.replay === undefined ? reasonToLeaveOut(line.name) : whyNot(line);
      if (reason === null) return [{ line, row, isFlat: !speaksResp3.has(line.connection) }];
      leaveOut([line], reason);
      return [];
    });
    if (commands.length === 0) return 0;
    const number = commands.length + (timing.isTransaction ? 2 : 0);
    if (counts.replayed + number > MOST_REPLAYED || argumentsSoFar > MOST_ARGUMENTS) {
      counts.beyond += number;
      return 0;
    }
    counts.replayed += number;
    counts.operations++;
    onOperation({ commands, ...timing });
    for (const { line } of commands) argumentsSoFar += line.args.length;
    return number;
  }

  /**
   * A replay must never wait for data: that would hold up all tasks on the connection, among them perhaps the one that
   * would push. So a blocking command is sent in its form that does not block.
   * @param {CommandLine} line @param {NonNullable<CommandRow['unblocked']>} formOf
   */
  function sendUnblocked(line, formOf) {
    const [key] = keysIn(line.args);
    const reason = line.reply?.[0] === '_' ? 'in-vain' : whyNot(line);
    if (reason !== null || key === undefined) return leaveOut([line], reason ?? 'unknown');
    const form = formOf(line, key);
    const sent = send([{ ...line, ...form }], { isTransaction: false, atUs: line.atUs, tookUs: null });
    if (sent === 0) return;
    const as = form.name === line.name ? `${line.name} without BLOCK` : `${line.name} as ${form.name}`;
    unblocked[as] = (unblocked[as] ?? 0) + 1;
  }

  /** @param {CommandLine[]} lines from MULTI to EXEC */
  function sendTransaction(lines) {
    const [multi, exec] = [lines[0], lines[lines.length - 1]];
    const { beyond } = counts;
    const { atUs } = multi;
    const sent = send(lines.slice(1, -1), { isTransaction: true, atUs, tookUs: exec.tookUs });
    if (sent === 0 && counts.beyond === beyond) leaveOut([multi, exec], 'empty-transaction');
    inTransactions.transactions += sent > 0 ? 1 : 0;
    inTransactions.commands += sent;
  }

  /** @param {OpenTransaction} transaction @param {CommandLine} line */
  function queue(transaction, line) {
    const { lines } = transaction;
    lines.push(line);
    pendingLines++;
    transaction.isTooLarge ||= lines.length > MOST_COMMANDS || pendingLines > MOST_PENDING;
    if (transaction.isTooLarge) leaveOut(taken(transaction), 'large-transaction');
  }

  /** @param {OpenTransaction} transaction @returns {CommandLine[]} what has come of it */
  function taken({ lines }) {
    pendingLines -= lines.length;
    return lines.splice(0);
  }

  return {
    /** @param {ProfileLine} line */
    line(line) {
      if (line.type !== 'command') return;
      const { name, args, reply, connection, atUs, tookUs } = line;
      if (name === 'HELLO' && reply?.[0] === '%') speaksResp3.add(connection);
      const known = open.get(connection);
      if (known === undefined && name === 'MULTI' && reply?.[0] === '+') {
        const made = { lines: [], isTooLarge: false };
        open.set(connection, made);
        queue(made, line);
      } else if (known === undefined) {
        const { unblocked: formOf, blocksBy } = rowOf(name);
        if (formOf !== undefined && (blocksBy === undefined || args.includes(blocksBy)))
          sendUnblocked(line, formOf);
        else send([line], { isTransaction: false, atUs, tookUs });
      } else {
        queue(known, line);
        if (name !== 'EXEC' && name !== 'DISCARD' && name !== 'RESET') return;
        open.delete(connection);
        if (name !== 'EXEC' || reply?.[0] !== '*') leaveOut(taken(known), 'not-carried-out');
        else if (!known.isTooLarge) sendTransaction(taken(known));
      }
    },

    end() {
      for (const transaction of open.values()) leaveOut(taken(transaction), 'not-carried-out');
      /** @type {LeftOut[]} */
      const byReason = [...leftOut].map(([reason, commands]) => ({ reason, commands }));
      return { ...counts, leftOut: byReason, inTransactions, unblocked };
    },
  };
}

/** A key of a replay, all of which are this tool's. Another word cannot be this one. */
const KEY = '{key}';

/** A profile that was written by hand may have a word where a key is. @param {CommandLine} line */
function hasOwnKeys({ name, args }) {
  const words = args.map((arg) => (Array.isArray(arg) ? KEY : typeof arg === 'string' ? arg : ''));
  const places = placesIn([name, ...words]);
  return places?.keys.every((key) => key === KEY) && places.patterns.every((each) => isOwnPattern(each, KEY));
}

/** @param {CommandLine} line of a known command @returns {LeftOutReason | null} */
function whyNot(line) {
  const { name, args, reply, rest } = line;
  if (rest.count > 0) return 'many-arguments';
  if (!hasOwnKeys(line)) return 'unknown';
  if (reply === null) return 'unanswered';
  if (reply[0] === '-') return 'failed';
  const sizes = [...args.map(sizeOf), reply[0] === ':' ? 0 : Number(reply[1])];
  if (sizes.some((bytes) => bytes > Math.min(MOST_BYTES, MOST_CONTENT_BYTES))) return 'large';
  const { offsetAt } = rowOf(name);
  return offsetAt !== undefined && Number(args[offsetAt]) > MOST_OFFSET ? 'large' : null;
}

const MOST_STORED_BYTES = 512e6;
/** A high percentile, because idle moments say nothing about how many tasks a service has. */
const BUSY = 0.9;
const KEY_BYTES = 100;

/** @typedef {Awaited<ReturnType<typeof summarizeReplay>>} ReplaySummary plain JSON; bytes of keys and values are averages */

/** @param {string} file @throws {UsageError} if nothing in it can be replayed */
export async function summarizeReplay(file) {
  /** @type {Set<string>} */
  const keys = new Set();
  /** @type {Set<string>} */
  const answers = new Set();
  let keyBytes = 0;
  let stored = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  /** @type {Record<'begin' | 'end', number[]>} */
  const times = { begin: [], end: [] };
  const plan = planReplay(({ commands, atUs, tookUs }) => {
    if (tookUs !== null) {
      times.begin.push(atUs);
      times.end.push(atUs + tookUs);
    }
    first = Math.min(first, atUs);
    last = Math.max(last, atUs);
    for (const { line, row } of commands) addCommand(line, row);
  });

  /** @param {CommandLine} line @param {CommandRow} row */
  function addCommand({ name, args, reply }, { replay, family }) {
    if (replay === 'read' && !answers.has(`${name} ${args.join()} ${reply}`)) {
      answers.add(`${name} ${args.join()} ${reply}`);
      stored += storedFor({ args, reply });
    }
    for (const arg of args) {
      if (!Array.isArray(arg)) continue;
      const use = `${arg[0]} ${replay === 'read' ? `${name} ${reply}` : family}`;
      if (keys.has(use)) continue;
      keys.add(use);
      keyBytes += Math.max(SHORTEST_KEY_BYTES, arg[1]);
      stored += KEY_BYTES;
    }
  }
  await readProfile(file, plan.line);
  const { replayed: commands, operations, ...planned } = plan.end();
  if (commands === 0) throw new UsageError(`'${file}' has no command that can be replayed`);
  if (stored > MOST_STORED_BYTES) {
    throw new UsageError(
      `'${file}': its replies need data of ${Math.round(stored / 1e6)} MB, and a replay stores at most ` +
        `${MOST_STORED_BYTES / 1e6} MB; record for a shorter time`,
    );
  }
  const missing = planned.leftOut.flatMap((each) => Object.values(each.commands));
  const spanMs = Math.max(1, (last - first) / 1000);
  return {
    commands,
    ...planned,
    keys: Math.max(1, keys.size),
    keyBytes: keys.size === 0 ? SHORTEST_KEY_BYTES : Math.round(keyBytes / keys.size),
    valueBytes: Math.max(1, Math.round(stored / Math.max(1, keys.size))),
    spanMs,
    ratePerSecond: Math.max(1, Math.round((operations / spanMs) * 1000)),
    recorded: commands + planned.beyond + sum(missing),
    ...(times.begin.length > 0 && { tasks: Math.ceil(quantile(inFlight(times), BUSY)) }),
    storedBytes: stored,
  };
}

/** @param {Record<'begin' | 'end', number[]>} times @returns {number[]} at the start of each, itself included */
function inFlight(times) {
  const [begin, end] = [times.begin, times.end].map((each) => Float64Array.from(each).sort());
  let done = 0;
  return Array.from(begin, (atUs, before) => {
    while (end[done] < atUs) done++;
    return before + 1 - done;
  });
}

const MEMBER_BYTES = 50;

/** @param {Pick<CommandLine, 'args' | 'reply'>} line */
function storedFor({ args, reply }) {
  if (reply === null) return 0;
  const [type, bytes] = reply;
  const skipped = Math.min(MOST_MEMBERS, Math.max(0, Number(typeof args[1] === 'string' ? args[1] : 0) || 0));
  return (type === ':' ? 0 : Number(bytes)) + MEMBER_BYTES * (membersIn({ reply }) + skipped);
}
