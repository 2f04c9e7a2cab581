import { NOT_CARRIED_OUT } from './commands/other-commands.js';

/** @import { CommandLine } from './types.js' */

/** Larger ones are left out. */
const MOST_COMMANDS = 1000;
/** Of all transactions that have begun. */
const MOST_HELD = 100_000;

const TOO_LARGE = `of transactions of more than ${MOST_COMMANDS.toLocaleString('en-US')} commands`;

/**
 * @typedef {object} Begun
 * @property {CommandLine[]} lines from MULTI on
 * @property {boolean} isTooLarge
 */

/**
 * Puts the commands between MULTI and EXEC together again, connection by connection.
 *
 * @param {object} told
 * @param {(line: CommandLine) => void} told.onSingle
 * @param {(lines: CommandLine[]) => void} told.onTransaction that was carried out: MULTI, its commands, EXEC
 * @param {(line: CommandLine, reason: string) => void} told.onLeftOut
 */
export function gatherTransactions({ onSingle, onTransaction, onLeftOut }) {
  /** @type {Map<number, Begun>} by connection */
  const begun = new Map();
  let held = 0;

  /** @param {Begun} transaction @param {string} reason */
  function leaveOut({ lines }, reason) {
    held -= lines.length;
    for (const line of lines.splice(0)) onLeftOut(line, reason);
  }

  /** @param {Begun} transaction @param {CommandLine} line */
  function add(transaction, line) {
    transaction.lines.push(line);
    held++;
    transaction.isTooLarge ||= transaction.lines.length > MOST_COMMANDS || held > MOST_HELD;
    if (transaction.isTooLarge) leaveOut(transaction, TOO_LARGE);
  }

  return {
    /** @param {CommandLine} line */
    take(line) {
      const { name, reply, connection } = line;
      const known = begun.get(connection);
      if (known === undefined) {
        if (name !== 'MULTI' || reply?.[0] !== '+') return onSingle(line);
        const made = { lines: [], isTooLarge: false };
        begun.set(connection, made);
        return add(made, line);
      }
      add(known, line);
      if (name !== 'EXEC' && name !== 'DISCARD' && name !== 'RESET') return;
      begun.delete(connection);
      if (name !== 'EXEC' || reply?.[0] !== '*') leaveOut(known, NOT_CARRIED_OUT);
      else if (!known.isTooLarge) {
        held -= known.lines.length;
        onTransaction(known.lines);
      }
    },

    end() {
      for (const transaction of begun.values()) leaveOut(transaction, NOT_CARRIED_OUT);
      begun.clear();
    },
  };
}
