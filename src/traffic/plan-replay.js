import { isOwnPattern, placesIn } from '../core/command-places.js';
import { keysIn, reasonToLeaveOut, rowOf } from './commands.js';
import { MOST_BYTES, sizeOf } from './format.js';

/** @import { CommandLine, CommandRow, ProfileLine, LeftOut, LeftOutReason } from './types.js' */

/** Each takes about 300 bytes of a worker's memory. */
const MOST_REPLAYED = 500_000;
/** Of all commands. */
const MOST_ARGUMENTS = 5e6;
/** Larger values would dominate the run and its memory. */
const MOST_CONTENT_BYTES = 64e6;
/** An offset creates a string of that length. */
const MOST_OFFSET = 8e6;
/** In a transaction; replay-words.js names this figure. */
const MOST_COMMANDS = 1000;
/** In all open transactions. */
const MOST_PENDING = 100_000;

/**
 * @typedef {{line: CommandLine, row: CommandRow, isFlat: boolean}} Drawn a replayed command. `isFlat`: in RESP2
 * @typedef {{drawn: Drawn[], isTransaction: boolean, atUs: number, tookUs: number | null}} Unit an operation. `drawn`:
 *   without MULTI and EXEC; `tookUs`: null if unknown, or mostly waiting for data
 * @typedef {{lines: CommandLine[], isTooLarge: boolean}} OpenTransaction `lines`: from MULTI on
 */

/**
 * Decides which commands of a recording are replayed, and how.
 * @param {(unit: Unit) => void} onUnit gets each, not always in the order of the recording
 */
export function planReplay(onUnit) {
  /** @type {Map<LeftOutReason, Record<string, number>>} */
  const leftOut = new Map();
  /** @type {Set<number>} connections */
  const speaksResp3 = new Set();
  /** @type {Set<number>} keys to which something was written */
  const written = new Set();
  /** By `BLPOP as LPOP`. @type {Record<string, number>} */
  const unblocked = {};
  /** Transactions by connection. @type {Map<number, OpenTransaction>} */
  const open = new Map();
  let pendingLines = 0;
  // Commands include MULTI and EXEC. `beyond`: those after the last replayed one.
  const inTransactions = { transactions: 0, commands: 0 };
  const counts = { replayed: 0, operations: 0, beyond: 0 };
  let argumentsSoFar = 0;

  /** @param {Pick<CommandLine, 'name'>} line @param {LeftOutReason} reason */
  function leaveOut({ name }, reason) {
    const byName = leftOut.get(reason) ?? {};
    byName[name] = (byName[name] ?? 0) + 1;
    leftOut.set(reason, byName);
  }

  /** @param {OpenTransaction} transaction @param {LeftOutReason} reason */
  function leaveOutAll({ lines }, reason) {
    pendingLines -= lines.length;
    for (const line of lines.splice(0)) leaveOut(line, reason);
  }

  /** @param {CommandLine} line @returns {Drawn[]} none if left out */
  function drawn(line) {
    const row = rowOf(line.name);
    const reason = row.replay === undefined ? reasonToLeaveOut(line.name) : whyNot(line);
    if (reason === null) return [{ line, row, isFlat: !speaksResp3.has(line.connection) }];
    leaveOut(line, reason);
    return [];
  }

  /** @param {Unit} unit @param {number} commands @returns {boolean} */
  function draw(unit, commands) {
    if (counts.replayed + commands > MOST_REPLAYED || argumentsSoFar > MOST_ARGUMENTS) {
      counts.beyond += commands;
      return false;
    }
    counts.replayed += commands;
    counts.operations++;
    onUnit(unit);
    for (const { line, row } of unit.drawn) {
      argumentsSoFar += line.args.length;
      if (row.replay === 'write') for (const [key] of keysIn(line.args)) written.add(key);
    }
    return true;
  }

  /** @param {CommandLine} line */
  function takeSingle(line) {
    const { atUs, tookUs } = line;
    const all = drawn(line);
    if (all.length > 0) draw({ drawn: all, isTransaction: false, atUs, tookUs }, 1);
  }

  /**
   * A replay must never wait for data: that would hold up all tasks on the connection, among them perhaps the one that
   * would push. So a blocking command is sent in its form that does not block.
   * @param {CommandLine} line @param {NonNullable<CommandRow['unblocked']>} formOf
   */
  function takeBlocking(line, formOf) {
    const keys = keysIn(line.args);
    const key = keys.find(([number]) => written.has(number)) ?? keys[0];
    const reason = line.reply?.[0] === '_' ? 'in-vain' : whyNot(line);
    if (reason !== null || key === undefined) return leaveOut(line, reason ?? 'unknown');
    const form = formOf(line, key);
    const all = drawn({ ...line, ...form });
    if (all.length === 0 || !draw({ drawn: all, isTransaction: false, atUs: line.atUs, tookUs: null }, 1))
      return;
    const as = form.name === line.name ? `${line.name} without BLOCK` : `${line.name} as ${form.name}`;
    unblocked[as] = (unblocked[as] ?? 0) + 1;
  }

  /** @param {CommandLine[]} lines from MULTI to EXEC */
  function takeTransaction(lines) {
    const [multi, exec] = [lines[0], /** @type {CommandLine} */ (lines.at(-1))];
    const all = lines.slice(1, -1).flatMap(drawn);
    const commands = all.length + 2;
    if (all.length === 0) for (const line of [multi, exec]) leaveOut(line, 'empty-transaction');
    else if (draw({ drawn: all, isTransaction: true, atUs: multi.atUs, tookUs: exec.tookUs }, commands)) {
      inTransactions.transactions++;
      inTransactions.commands += commands;
    }
  }

  /** @param {OpenTransaction} transaction @param {CommandLine} line */
  function queue(transaction, line) {
    transaction.lines.push(line);
    pendingLines++;
    transaction.isTooLarge ||= transaction.lines.length > MOST_COMMANDS || pendingLines > MOST_PENDING;
    if (transaction.isTooLarge) leaveOutAll(transaction, 'large-transaction');
  }

  return {
    /** @param {ProfileLine} line */
    line(line) {
      if (line.type !== 'command') return;
      const { name, args, reply, connection } = line;
      if (name === 'HELLO' && reply?.[0] === '%') speaksResp3.add(connection);
      const known = open.get(connection);
      if (known === undefined && name === 'MULTI' && reply?.[0] === '+') {
        const made = { lines: [], isTooLarge: false };
        open.set(connection, made);
        queue(made, line);
      } else if (known === undefined) {
        const { unblocked: formOf, blocksBy } = rowOf(name);
        const blocks = formOf !== undefined && (blocksBy === undefined || args.includes(blocksBy));
        if (blocks) takeBlocking(line, formOf);
        else takeSingle(line);
      } else {
        queue(known, line);
        if (name !== 'EXEC' && name !== 'DISCARD' && name !== 'RESET') return;
        open.delete(connection);
        if (name !== 'EXEC' || reply?.[0] !== '*') leaveOutAll(known, 'not-carried-out');
        else if (!known.isTooLarge) {
          pendingLines -= known.lines.length;
          takeTransaction(known.lines);
        }
      }
    },

    end() {
      for (const transaction of open.values()) leaveOutAll(transaction, 'not-carried-out');
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
