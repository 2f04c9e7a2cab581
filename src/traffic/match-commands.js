import { rowOf } from './commands/all-commands.js';
import { keysIn } from './commands/row-parts.js';

/** @import { CommandLine, CommandRow, KeyArgument, LeftOutReason, Unblocked } from './types.js' */

/** In a transaction; report/words/replay-words.js names this figure. */
const MOST_COMMANDS = 1000;
/** In all open transactions. */
const MOST_PENDING = 100_000;

/** @typedef {{lines: CommandLine[], isTooLarge: boolean}} OpenTransaction `lines`: from MULTI on */

/**
 * @param {object} told @param {(line: CommandLine) => void} told.onSingle
 * @param {(lines: CommandLine[]) => void} told.onTransaction gets those carried out, from MULTI to EXEC
 * @param {(line: CommandLine, reason: LeftOutReason) => void} told.onLeftOut
 */
export function gatherTransactions({ onSingle, onTransaction, onLeftOut }) {
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
export function isBlocking({ name, args }) {
  const { unblocked, blocksBy } = rowOf(name);
  return unblocked !== undefined && (blocksBy === undefined || args.includes(blocksBy));
}

/** No service has more blocked commands at once. */
const MOST_WAITING = 20_000;

/** Matches blocking commands with pushes, earlier or later ones. @param {(line: CommandLine, unblocked: Unblocked) => void} onServed */
export function createPartners(onServed) {
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
