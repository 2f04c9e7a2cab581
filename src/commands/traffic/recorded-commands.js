import { present } from '../../collections.js';
import { count } from '../../numbers.js';
import { ONE_SLOT } from '../../server/one-slot.js';
import { keysIn, rowOf } from './commands.js';
import { createEntrySizes } from './stored-data.js';

/** @import { Argument, CommandLine, CommandRow, RedisCommand } from './types.js' */
/** @import { Item, OpenContext } from '../../plugins/types.js' */
/** @import { Replayed, Operation } from './plan-replay.js' */

/**
 * @typedef {Item & {name: string, method: Method, command: RedisCommand, expected: Expected, parts: Recorded[] | null, sent: RedisCommand[]}} Recorded
 *   the item of an operation, the same object for the same command. `parts`, `sent`: of a transaction
 * @typedef {NonNullable<CommandRow['method']>[0] | 'command'} Method of a connection
 * @typedef {{id: number, recorded: Recorded, data: RedisCommand[], isRead: boolean, keys: string[]}} Use `data`: stores what
 *   it needs
 * @typedef {{key: string, family: string, taken: number, groups: Set<string>}} Grown a key that is made anew before each run:
 *   how often something was taken from it, and groups that read from a stream
 */

/** Each command of a transaction has an expectation of its own. @type {Expected} */
const ANY = { types: ['members'], bytes: null };

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
  /** Operations with several keys, which share a slot. @type {Map<string, string>} */
  const groups = new Map();
  const entries = createEntrySizes();

  /** @type {(command: Replayed, group: string | undefined) => Use} */
  function makeUse({ line, row, isFlat }, group) {
    const { name, args } = line;
    const reply = present(line.reply);
    const isMiss = reply[0] === '_' && row.replay !== 'write';
    const isRead = row.replay === 'read';
    const id = uses.size;
    const use = isMiss ? 'missing' : isRead ? `read ${id}` : `${row.family}`;
    const texts = args.map((arg, place) =>
      Array.isArray(arg) ? keys.keyOf(arg[0], arg[1], use, group) : textOf(args, place, row, content),
    );
    const ownKeys = texts.filter((_, place) => Array.isArray(args[place]));
    const recorded = recordedOf(name, row.sentAs?.(texts, ownKeys) ?? texts, expectedOf(reply, row));
    const given = { name, args: texts, reply, keys: ownKeys, isFlat, content, entryBytes: entries.average() };
    const data = isRead && !isMiss ? (row.data?.(given) ?? []) : [];
    return { id, recorded, data, isRead, keys: isMiss ? [] : ownKeys };
  }

  /** @param {Replayed} command @param {string | undefined} group */
  function useOf(command, group) {
    const { line, row, isFlat } = command;
    const id = JSON.stringify([line.name, line.args, line.reply, isFlat, group]);
    const use = uses.get(id) ?? makeUse(command, group);
    uses.set(id, use);
    entries.note(line);
    const isTaken = row.replay === 'take';
    for (const key of row.grows || isTaken ? use.keys : []) {
      const noted = grown.get(key) ?? { key, family: `${row.family}`, taken: 0, groups: new Set() };
      noted.taken += isTaken ? 1 : 0;
      if (row.groupAt !== undefined) noted.groups.add(use.recorded.command[row.groupAt]);
      grown.set(key, noted);
    }
    return use;
  }

  /** @type {(members: Use[]) => Recorded} */
  function transactionOf(members) {
    const id = members.map((use) => use.id).join();
    const parts = members.map(({ recorded }) => recorded);
    const sent = parts.map(({ command }) => command);
    const recorded = transactions.get(id) ?? { ...recordedOf('MULTI/EXEC', [], ANY), parts, sent };
    transactions.set(id, recorded);
    return recorded;
  }

  /** @param {Replayed[]} commands @param {boolean} isTransaction */
  function groupOf(commands, isTransaction) {
    const numbers = commands.flatMap(({ line }) => keysIn(line.args)).map(([number]) => number);
    if (numbers.length < 2) return undefined;
    const id = `${isTransaction} ${numbers}`;
    const group = groups.get(id) ?? `${groups.size}`;
    groups.set(id, group);
    return group;
  }

  return {
    /** @param {Operation} operation */
    add({ commands, isTransaction, atUs }) {
      const group = groupOf(commands, isTransaction);
      const used = commands.map((command) => useOf(command, group));
      all.push({ recorded: isTransaction ? transactionOf(used) : used[0].recorded, atMs: atUs / 1000 });
    },

    /** Sorted by sending: lines of a profile stand in the order of the replies. */
    all: () => all.sort((one, other) => one.atMs - other.atMs),

    uses: () => [...uses.values()],
    grown: () => [...grown.values()],
  };
}

/** Options before a point in time that must not pass. */
const LATE = /^(?:PX|EX)AT$/i;

/** @param {Argument[]} args @param {number} place @param {CommandRow} row @param {(bytes: number, place?: number) => string} content */
function textOf(args, place, { largeAt }, content) {
  const arg = args[place];
  if (typeof arg === 'string') return arg;
  if (Number(arg) >= 0) return content(Number(arg), place);
  return numberOf(-Number(arg), largeAt?.(args) === place || LATE.test(String(args[place - 1])));
}

/** @type {(name: string, args: string[], expected: Expected) => Recorded} */
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
      const tag = slots === 'one' ? ONE_SLOT : isTagged ? `{${group}}` : '';
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

/** Not of an error. @type {(reply: NonNullable<CommandLine['reply']>, row: CommandRow) => Expected} */
function expectedOf([sign, size], { replay, mayReply, varies }) {
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
  `${nameOf(typeOf(reply))} of ${count(bytesOf(reply), 'byte')}, instead of ${types.map(nameOf).join(' or ')}` +
  `${bytes === null ? '' : ` of ${bytes}`}`;

/** @param {Type} type */
const nameOf = (type) => ({ null: 'nil', text: 'a text', number: 'a number', members: 'a list' })[type];

/** @type {(reply: unknown) => number} */
export function bytesOf(reply) {
  if (typeof reply === 'string') return reply.length;
  if (reply === null || reply === undefined) return 0;
  // 1 or 0 in RESP2, true or false in RESP3 with some clients.
  if (typeof reply === 'boolean') return 1;
  if (typeof reply !== 'object') return String(reply).length;
  if (reply instanceof Error) return 0;
  let bytes = 0;
  if (Symbol.iterator in reply) {
    for (const each of Object(reply)) bytes += bytesOf(each);
  } else if ('key' in reply && 'value' in reply) {
    // A member of a map in valkey-glide.
    bytes += bytesOf(reply.key) + bytesOf(reply.value);
  } else for (const [name, each] of Object.entries(reply)) bytes += name.length + bytesOf(each);
  return bytes;
}

/** @type {(reply: unknown) => Type} */
export function typeOf(reply) {
  if (reply === null || reply === undefined) return 'null';
  if (typeof reply === 'string') return 'text';
  return typeof reply === 'object' ? 'members' : 'number';
}

/** @type {Record<string, Type>} */
const TYPES = {
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
};

/** A number may come as text, as scores do in RESP2. */
const ALIKE = new Set(['text number', 'number text']);

/** @param {Type} seen @param {Type} expected */
const isAlike = (seen, expected) => seen === expected || ALIKE.has(`${seen} ${expected}`);
