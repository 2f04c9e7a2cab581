import { isOwnPattern, placesIn } from '../command-places.js';
import { reasonToLeaveOut, rowOf } from './commands/all-commands.js';
import { MOST_BYTES, sizeOf } from './format.js';
import { createPartners, gatherTransactions, isBlocking } from './match-commands.js';

/** @import { CommandLine, CommandRow, ProfileLine, LeftOut, LeftOutReason } from './types.js' */

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
