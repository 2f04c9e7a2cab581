import { isOwnPattern, placesIn } from '../core/command-places.js';
import { reasonToLeaveOut, rowOf } from './commands/all-commands.js';
import { keysIn } from './commands/row-parts.js';
import { MOST_BYTES, sizeOf } from './format.js';

/** @import { CommandLine, CommandRow, ProfileLine, LeftOut, LeftOutReason, KeyArgument, Unblocked } from './types.js' */

/** Each takes about 300 bytes of a worker's memory. */
const MOST_REPLAYED = 500_000;
/** Of all commands. */
const MOST_ARGUMENTS = 5e6;
/** Larger values would dominate the run and its memory. */
const MOST_CONTENT_BYTES = 64e6;
/** An offset creates a string of that length. */
const MOST_OFFSET = 8e6;

/**
 * @typedef {{line: CommandLine, row: CommandRow, isFlat: boolean}} Drawn a replayed command. `isFlat`: in RESP2
 * @typedef {{drawn: Drawn[], isTransaction: boolean, atUs: number, tookUs: number | null}} Unit an operation. `drawn`:
 *   without MULTI and EXEC; `tookUs`: null if unknown, or mostly waiting for data
 */

/**
 * Decides which commands of a recording are replayed, and how.
 * @param {(unit: Unit) => void} onUnit gets each, not always in the order of the recording
 */
export function planReplay(onUnit) {
  /** @type {Map<LeftOutReason, Record<string, number>>} */
  const leftOut = new Map();
  /** @type {Set<number>} */
  const speaksResp3 = new Set();
  /** By `BLPOP as LPOP`. @type {Record<string, number>} */
  const unblocked = {};
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

  /** @param {CommandLine} line @returns {Drawn[]} none if left out */
  function drawn(line) {
    const row = rowOf(line.name);
    const reason = row.replay === undefined ? reasonToLeaveOut(line.name) : whyNot(line);
    if (reason === null) return [{ line, row, isFlat: !speaksResp3.has(line.connection) }];
    leaveOut(line, reason);
    return [];
  }

  /** @param {Omit<Unit, 'atUs'>} unit @param {Pick<CommandLine, 'atUs'>} first @param {number} commands @returns {boolean} */
  function draw(unit, first, commands) {
    if (counts.replayed + commands > MOST_REPLAYED || argumentsSoFar > MOST_ARGUMENTS) {
      counts.beyond += commands;
      return false;
    }
    counts.replayed += commands;
    counts.operations++;
    onUnit({ ...unit, atUs: first.atUs });
    for (const { line } of unit.drawn) {
      argumentsSoFar += line.args.length;
      partners.push(line);
    }
    return true;
  }

  const partners = createPartners((line, form) => {
    const all = drawn({ ...line, ...form });
    if (all.length === 0 || !draw({ drawn: all, isTransaction: false, tookUs: null }, line, 1)) return;
    const as = form.name === line.name ? `${line.name} without BLOCK` : `${line.name} as ${form.name}`;
    unblocked[as] = (unblocked[as] ?? 0) + 1;
  });

  const transactions = gatherTransactions({
    onSingle(line) {
      if (isBlocking(line)) {
        const reason = line.reply?.[0] === '_' ? 'in-vain' : whyNot(line);
        if (reason !== null) leaveOut(line, reason);
        else if (!partners.ask(line)) leaveOut(line, 'no-partner');
        return;
      }
      const all = drawn(line);
      if (all.length > 0) draw({ drawn: all, isTransaction: false, tookUs: line.tookUs }, line, 1);
    },
    onTransaction(lines) {
      const [multi, exec] = [lines[0], /** @type {CommandLine} */ (lines.at(-1))];
      const all = lines.slice(1, -1).flatMap(drawn);
      const commands = all.length + 2;
      if (all.length === 0) for (const line of [multi, exec]) leaveOut(line, 'empty-transaction');
      else if (draw({ drawn: all, isTransaction: true, tookUs: exec.tookUs }, multi, commands)) {
        inTransactions.transactions++;
        inTransactions.commands += commands;
      }
    },
    onLeftOut: leaveOut,
  });

  return {
    /** @param {ProfileLine} line */
    line(line) {
      if (line.type !== 'command') return;
      if (line.name === 'HELLO' && line.reply?.[0] === '%') speaksResp3.add(line.connection);
      transactions.take(line);
    },

    end() {
      transactions.end();
      for (const line of partners.end()) leaveOut(line, 'no-partner');
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

/** In a transaction; replay-words.js names this figure. */
const MOST_COMMANDS = 1000;
/** In all open transactions. */
const MOST_PENDING = 100_000;

/** @typedef {{lines: CommandLine[], isTooLarge: boolean}} OpenTransaction `lines`: from MULTI on */

/**
 * @param {object} told @param {(line: CommandLine) => void} told.onSingle
 * @param {(lines: CommandLine[]) => void} told.onTransaction gets those carried out, from MULTI to EXEC
 * @param {(line: CommandLine, reason: LeftOutReason) => void} told.onLeftOut
 */
function gatherTransactions({ onSingle, onTransaction, onLeftOut }) {
  /** @type {Map<number, OpenTransaction>} by connection */
  const open = new Map();
  let pendingLines = 0;

  /** @param {OpenTransaction} transaction @param {LeftOutReason} reason */
  function leaveOut({ lines }, reason) {
    pendingLines -= lines.length;
    for (const line of lines.splice(0)) onLeftOut(line, reason);
  }

  /** @param {OpenTransaction} transaction @param {CommandLine} line */
  function add(transaction, line) {
    transaction.lines.push(line);
    pendingLines++;
    transaction.isTooLarge ||= transaction.lines.length > MOST_COMMANDS || pendingLines > MOST_PENDING;
    if (transaction.isTooLarge) leaveOut(transaction, 'large-transaction');
  }

  return {
    /** @param {CommandLine} line */
    take(line) {
      const { name, reply, connection } = line;
      const known = open.get(connection);
      if (known === undefined) {
        if (name !== 'MULTI' || reply?.[0] !== '+') return onSingle(line);
        const made = { lines: [], isTooLarge: false };
        open.set(connection, made);
        return add(made, line);
      }
      add(known, line);
      if (name !== 'EXEC' && name !== 'DISCARD' && name !== 'RESET') return;
      open.delete(connection);
      if (name !== 'EXEC' || reply?.[0] !== '*') leaveOut(known, 'not-carried-out');
      else if (!known.isTooLarge) {
        pendingLines -= known.lines.length;
        onTransaction(known.lines);
      }
    },

    end() {
      for (const transaction of open.values()) leaveOut(transaction, 'not-carried-out');
      open.clear();
    },
  };
}

/**
 * A replay must never wait for data: that would hold up all tasks on the connection, among them perhaps the one that
 * would push. So a blocking command is sent in its form that does not block, on a key to which the recording pushes. If
 * nothing is pushed there, it is left out.
 * @param {CommandLine} line
 */
function isBlocking({ name, args }) {
  const { unblocked, blocksBy } = rowOf(name);
  return unblocked !== undefined && (blocksBy === undefined || args.includes(blocksBy));
}

/** No service has more blocked commands at once. */
const MOST_WAITING = 20_000;

/** Matches blocking commands with pushes, earlier or later ones. @param {(line: CommandLine, unblocked: Unblocked) => void} onServed */
function createPartners(onServed) {
  /** @type {Map<number, number>} elements by key that no command has taken */
  const pushed = new Map();
  /** @type {Map<number, Set<CommandLine>>} by key */
  const waiting = new Map();
  /** @type {Set<CommandLine>} */
  const all = new Set();

  /** @param {CommandLine} line @param {number} number of a key */
  function serve(line, number) {
    all.delete(line);
    for (const [key] of keysIn(line.args)) waiting.get(key)?.delete(line);
    const key = keysIn(line.args).find((each) => each[0] === number);
    const unblocked = /** @type {NonNullable<CommandRow['unblocked']>} */ (rowOf(line.name).unblocked);
    onServed(line, unblocked(line, /** @type {KeyArgument} */ (key)));
  }

  return {
    /** @param {CommandLine} line */
    push(line) {
      const [key, elements = 0] = rowOf(line.name).pushes?.(line.args, keysIn(line.args)) ?? [];
      if (key === undefined) return;
      let left = elements;
      for (const each of waiting.get(key[0]) ?? []) {
        if (left === 0) break;
        left--;
        serve(each, key[0]);
      }
      pushed.set(key[0], (pushed.get(key[0]) ?? 0) + left);
    },

    /** @param {CommandLine} line that blocked and was answered @returns {boolean} false if too many wait */
    ask(line) {
      const keys = keysIn(line.args);
      // It takes nothing away, so data of its own is stored for it.
      if (rowOf(line.name).replay === 'read' && keys.length > 0) {
        serve(line, keys[0][0]);
        return true;
      }
      const [key] = keys.find(([number]) => (pushed.get(number) ?? 0) > 0) ?? [];
      if (key !== undefined) {
        pushed.set(key, Number(pushed.get(key)) - 1);
        serve(line, key);
        return true;
      }
      if (all.size === MOST_WAITING) return false;
      all.add(line);
      for (const [number] of keys) waiting.set(number, (waiting.get(number) ?? new Set()).add(line));
      return true;
    },

    /** @returns {CommandLine[]} without a push */
    end: () => [...all],
  };
}
