import { rowOf } from './commands/all-commands.js';
import { createEntrySizes } from './commands/stream-commands.js';

/** @import { Argument, CommandLine, CommandRow, Family, RedisCommand } from './types.js' */
/** @import { Item, OpenContext } from '../core/plugins/types.js' */
/** @import { Drawn, Unit } from './plan-replay.js' */

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

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A slice refers to the whole text, and a client copies that of a short one each time. */
const SHORT = 1024;

/** Two places of a command get different content of the same size. @returns {(bytes: number, place?: number) => string} */
export function createContent() {
  let text = LETTERS;
  /** @type {Map<string, string>} */
  const made = new Map();
  return (bytes, place = 0) => {
    const offset = place % LETTERS.length;
    const key = `${bytes}@${offset}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    if (text.length < offset + bytes)
      text = LETTERS.repeat(Math.ceil((2 * (offset + bytes)) / LETTERS.length));
    const cut = text.slice(offset, offset + bytes);
    const content = bytes < SHORT ? Buffer.from(cut).toString('latin1') : cut;
    made.set(key, content);
    return content;
  };
}

/** Larger amounts would overflow 64 bits after a few thousand additions. */
const MOST_DIGITS = 12;

/** @param {number} characters @param {boolean} isLarge whether its digits are nines @returns {string} a whole number */
function numberOf(characters, isLarge) {
  const digits = Math.max(1, Math.min(characters, isLarge ? MOST_DIGITS + 1 : MOST_DIGITS));
  return isLarge ? '9'.repeat(digits) : `1${'0'.repeat(digits - 1)}`;
}

const DIGITS = 36;
export const SHORTEST_KEY_BYTES = 12;
/** A hostile profile may have keys of megabytes. */
const LONGEST = 4096;

/**
 * The keys of a replay: as long as the recorded ones, or longer where they would not be unique.
 * @param {{prefix: string, slots: OpenContext['slots']}} names
 */
export function createReplayKeys({ prefix, slots }) {
  /** @type {Map<string, string>} */
  const keys = new Map();
  return {
    /**
     * @param {number} number of the key in the recording @param {number} bytes
     * @param {string} use a recorded key has one key for each use @param {string} [group] its keys share a slot
     */
    keyOf(number, bytes, use, group) {
      const isTagged = slots === 'spread' && group !== undefined;
      const id = `${number} ${use}${isTagged ? ` ${group}` : ''}`;
      const known = keys.get(id);
      if (known !== undefined) return known;
      const tag = slots === 'one' ? '{s}' : isTagged ? `{${group}}` : '';
      const key = `${prefix}${tag}${keys.size.toString(DIGITS)}.`.padEnd(Math.min(LONGEST, bytes), 'k');
      keys.set(id, key);
      return key;
    },

    /** @returns {string[]} */
    all: () => [...keys.values()],
  };
}

/**
 * Clients return a number as text, and a map as an object or a flat list, so only type and size of content are compared.
 * @typedef {{types: Type[], bytes: number | null}} Expected
 * @typedef {'null' | 'text' | 'number' | 'members'} Type
 */

/** @param {Pick<CommandLine, 'reply'>} line not an error @param {CommandRow} row @returns {Expected} */
function expectedOf({ reply }, { replay, mayReply, varies }) {
  const [sign, size] = /** @type {[keyof typeof TYPES, number]} */ (reply);
  const [type, bytes] = [TYPES[sign], Number(size)];
  if (replay === 'take') return { types: type === 'null' ? ['null'] : [type, 'null'], bytes: null };
  if (replay === 'write') {
    // A returned value may have another size; a word such as OK may not.
    return { types: mayReply ?? [type], bytes: sign === '+' ? bytes : null };
  }
  return { types: [type], bytes: type === 'number' || varies ? null : bytes };
}

/** @param {Expected} expected @param {unknown} reply */
export function isExpected({ types, bytes }, reply) {
  const type = typeOf(reply);
  if (!types.some((each) => isAlike(type, each))) return false;
  return bytes === null || type === 'null' || bytesOf(reply) === bytes;
}

/** @param {unknown} reply @param {Expected} expected */
export const shapeText = (reply, { types, bytes }) =>
  `${nameOf(typeOf(reply))} of ${bytesOf(reply)} bytes, instead of ${types.map(nameOf).join(' or ')}` +
  `${bytes === null ? '' : ` of ${bytes}`}`;

/** @param {Type} type */
const nameOf = (type) => ({ null: 'nil', text: 'a text', number: 'a number', members: 'a list' })[type];

/** @param {unknown} reply @returns {number} */
export function bytesOf(reply) {
  if (typeof reply === 'string') return reply.length;
  if (reply === null || reply === undefined) return 0;
  // 1 or 0 in RESP2, true or false in RESP3 with some clients.
  if (typeof reply === 'boolean') return 1;
  if (typeof reply !== 'object') return String(reply).length;
  let bytes = 0;
  if (Array.isArray(reply)) {
    for (const each of reply) bytes += bytesOf(each);
  } else if (Symbol.iterator in reply) {
    for (const each of /** @type {Iterable<unknown>} */ (reply)) bytes += bytesOf(each);
  } else if ('key' in reply && 'value' in reply) {
    // A member of a map in valkey-glide.
    bytes += bytesOf(reply.key) + bytesOf(reply.value);
  } else if (!(reply instanceof Error)) {
    for (const [name, each] of Object.entries(reply)) bytes += name.length + bytesOf(each);
  }
  return bytes;
}

/** @param {unknown} reply @returns {Type} */
export function typeOf(reply) {
  if (reply === null || reply === undefined) return 'null';
  if (typeof reply === 'string') return 'text';
  return typeof reply === 'object' ? 'members' : 'number';
}

const TYPES = /** @type {const} */ ({
  '+': 'text',
  $: 'text',
  '=': 'text',
  _: 'null',
  ':': 'number',
  '#': 'number',
  ',': 'number',
  '(': 'number',
  '*': 'members',
  '%': 'members',
  '~': 'members',
});

/** A number may come as text, as scores do in RESP2. */
const ALIKE = new Set(['text number', 'number text']);

/** @param {Type} seen @param {Type} expected */
const isAlike = (seen, expected) => seen === expected || ALIKE.has(`${seen} ${expected}`);
