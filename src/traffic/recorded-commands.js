import { rowOf } from './commands/all-commands.js';
import { createEntrySizes } from './commands/stream-commands.js';
import { expectedOf } from './expected-reply.js';
import { numberOf } from './replay-content.js';

/** @import { Argument, CommandRow, Family, RedisCommand } from './types.js' */
/** @import { Item } from '../core/plugins/types.js' */
/** @import { Expected } from './expected-reply.js' */
/** @import { Drawn, Unit } from './plan-replay.js' */
/** @import { createReplayKeys } from './replay-content.js' */

/**
 * @typedef {Item & {name: string, method: Method, command: RedisCommand, expected: Expected, parts: Recorded[] | null, sent: RedisCommand[]}} Recorded
 *   the item of an operation, the same object for the same command. `parts`, `sent`: of a transaction
 * @typedef {NonNullable<CommandRow['method']>[0] | 'command'} Method of a connection
 * @typedef {{recorded: Recorded, data: RedisCommand[], isRead: boolean, keys: string[]}} Use `data`: stores what it needs
 *
 * @typedef {object} Grown a key that is made anew before each run
 * @property {string} key
 * @property {Family} family
 * @property {number} taken how often something was taken from it
 * @property {Set<string>} groups that read from a stream
 */

/** The name of a transaction among those of commands. */
const TRANSACTION = 'multi/exec';

/** @param {ReturnType<typeof createReplayKeys>} keys @param {(bytes: number, place?: number) => string} content */
export function createRecordedCommands(keys, content) {
  /** @type {{recorded: Recorded, atMs: number}[]} */
  const all = [];
  /** @type {Map<string, Use>} */
  const uses = new Map();
  /** @type {Map<string, Recorded>} */
  const transactions = new Map();
  /** @type {Map<string, Grown>} */
  const grown = new Map();
  const groupOf = createGroups();
  const entries = createEntrySizes();

  /** @param {Drawn} drawn @param {string | undefined} group @returns {Use} */
  function makeUse({ line, row, isFlat }, group) {
    const { name, args, reply: shape } = line;
    const reply = /** @type {NonNullable<typeof shape>} */ (shape);
    const isMiss = reply[0] === '_' && row.replay !== 'write';
    const isRead = row.replay === 'read';
    const use = isMiss ? 'missing' : isRead ? `read ${uses.size}` : String(row.family);
    const texts = args.map((arg, place) =>
      Array.isArray(arg) ? keys.keyOf(arg[0], arg[1], use, group) : textOf(name, args, place, content),
    );
    const ownKeys = texts.filter((_, place) => Array.isArray(args[place]));
    const recorded = recordedOf(name, row.sentAs?.(texts, ownKeys) ?? texts, expectedOf({ reply }, row));
    const given = { name, args: texts, reply, keys: ownKeys, isFlat, content, entryBytes: entries.average() };
    return {
      recorded,
      data: isRead && !isMiss ? (row.data?.(given) ?? []) : [],
      isRead,
      keys: isMiss ? [] : ownKeys,
    };
  }

  /** @param {Drawn} drawn @param {string | undefined} group @param {string} id */
  function useOf(drawn, group, id) {
    const use = uses.get(id) ?? makeUse(drawn, group);
    uses.set(id, use);
    note(use, drawn);
    return use.recorded;
  }

  /** @param {Use} use @param {Drawn} drawn */
  function note(use, { line, row: { replay, family = 'any', grows, groupAt } }) {
    entries.note(line);
    const isTaken = replay === 'take';
    if (!grows && !isTaken) return;
    for (const key of use.keys) {
      const noted = grown.get(key) ?? { key, family, taken: 0, groups: new Set() };
      noted.taken += isTaken ? 1 : 0;
      if (groupAt !== undefined) noted.groups.add(use.recorded.command[groupAt]);
      grown.set(key, noted);
    }
  }

  /** @param {Drawn[]} drawn @param {string | undefined} group */
  function transactionOf(drawn, group) {
    const ids = drawn.map((each) => idOf(each, group));
    const parts = drawn.map((each, index) => useOf(each, group, ids[index]));
    const id = ids.join(' ');
    const recorded = transactions.get(id) ?? {
      ...recordedOf(TRANSACTION, [], ANY),
      parts,
      sent: parts.map(({ command }) => command),
    };
    transactions.set(id, recorded);
    return recorded;
  }

  return {
    /** @param {Unit} unit */
    add({ drawn, isTransaction, atUs }) {
      const group = groupOf(drawn, isTransaction);
      const recorded = isTransaction
        ? transactionOf(drawn, group)
        : useOf(drawn[0], group, idOf(drawn[0], group));
      all.push({ recorded, atMs: atUs / 1000 });
    },

    /** In the order of sending; lines of a profile are in that of the replies. */
    all: () => all.sort((one, other) => one.atMs - other.atMs),

    uses: () => [...uses.values()],
    grown: () => [...grown.values()],
  };
}

/** Each part of a transaction has its own. @type {Expected} */
const ANY = { types: ['members'], bytes: null };

/** Options before a point in time that must not pass. */
const LATE = /^(?:PX|EX)AT$/i;

/** @returns {(drawn: Drawn[], isTransaction: boolean) => string | undefined} the slot group of an operation with several keys */
function createGroups() {
  /** @type {Map<string, number>} */
  const groups = new Map();
  return (drawn, isTransaction) => {
    const numbers = drawn
      .flatMap(({ line }) => line.args)
      .flatMap((arg) => (Array.isArray(arg) ? arg[0] : []));
    if (numbers.length < 2) return undefined;
    const id = `${isTransaction} ${numbers.join()}`;
    if (!groups.has(id)) groups.set(id, groups.size);
    return String(groups.get(id));
  };
}

/** @param {Drawn} drawn @param {string | undefined} group */
const idOf = ({ line: { name, args, reply }, isFlat }, group) =>
  JSON.stringify([name, args, reply, isFlat, group]);

/** @param {string} name @param {Argument[]} args @param {number} place @param {(bytes: number, place?: number) => string} content */
function textOf(name, args, place, content) {
  const arg = args[place];
  if (typeof arg === 'string') return arg;
  if (Number(arg) >= 0) return content(Number(arg), place);
  const { isLarge } = rowOf(name);
  return numberOf(-Number(arg), isLarge?.(args, place) || LATE.test(String(args[place - 1])));
}

/** @param {string} name @param {string[]} args @param {Expected} expected @returns {Recorded} */
function recordedOf(name, args, expected) {
  const [method, count] = rowOf(name).method ?? ['command', -1];
  const [key = '', hash = '', value = ''] = args;
  return {
    index: 0,
    key,
    hash: method === 'hset' ? hash : '',
    value: method === 'hset' ? value : hash,
    name: name.toLowerCase(),
    method: args.length === count ? method : 'command',
    command: [name, ...args],
    expected,
    parts: null,
    sent: [],
  };
}
