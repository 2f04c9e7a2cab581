import { numberAt } from './content.js';
import { expectedOf } from './expected-shape.js';
import { dataFor } from './stored-data.js';
import { createEntrySizes } from './stream-data.js';

/**
 * @import { Argument } from '../../traffic/types.js'
 * @import { Item } from '../types.js'
 * @import { Expected } from './expected-shape.js'
 * @import { Family } from './known-commands.js'
 * @import { Drawn, Unit } from './plan-replay.js'
 * @import { createReplayKeys } from './replay-keys.js'
 */

/** @typedef {[string, ...string[]]} Command */

/**
 * A recorded command as it is sent: the item of an operation. The same object where the same command came again.
 *
 * @typedef {Item & {name: string, method: Method, command: Command, expected: Expected, parts: Recorded[] | null, sent: Command[]}} Recorded
 *   `name`: as the server counts it; `parts`: of a transaction, with what is sent of it
 *
 * @typedef {'get' | 'set' | 'hset' | 'exists' | 'del' | 'command'} Method of a connection
 *
 * @typedef {object} Use a command among all those that are the same
 * @property {Recorded} recorded
 * @property {Command[]} data that it needs
 * @property {boolean} isRead
 * @property {string[]} keys
 *
 * @typedef {object} Grown a key that must be made anew before each run
 * @property {string} key
 * @property {Family} family
 * @property {number} taken how often something was taken from it in the recording
 * @property {Set<string>} groups that read from a stream
 */

/** What a transaction is called where others are called by their commands. */
export const TRANSACTION = 'multi/exec';

/**
 * Gathers the commands of a recording.
 *
 * @param {ReturnType<typeof createReplayKeys>} keys
 * @param {(bytes: number, place?: number) => string} content
 */
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
  function makeUse({ line, known, isFlat }, group) {
    const { name, args, reply: shape } = line;
    const reply = /** @type {NonNullable<typeof shape>} */ (shape);
    const isMiss = reply[0] === '_' && known.way !== 'write';
    const isRead = known.way === 'read';
    const use = isMiss ? 'missing' : isRead ? `read ${uses.size}` : known.family;
    const texts = args.map((arg, place) =>
      Array.isArray(arg) ? keys.keyOf(arg[0], arg[1], use, group) : textOf(name, args, place, content),
    );
    const ownKeys = texts.filter((_, place) => Array.isArray(args[place]));
    const recorded = recordedOf(name, sentAs(name, texts, ownKeys), expectedOf({ name, args, reply }, known));
    const given = { name, args: texts, reply, keys: ownKeys, isFlat, content, entryBytes: entries.of(line) };
    return {
      recorded,
      data: isRead && !isMiss ? dataFor(given) : [],
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
  function note(use, { line, known }) {
    entries.note(line);
    const isTaken = known.way === 'take';
    if (!known.grows && !isTaken) return;
    for (const key of use.keys) {
      const noted = grown.get(key) ?? { key, family: known.family, taken: 0, groups: new Set() };
      noted.taken += isTaken ? 1 : 0;
      if (line.name === 'XREADGROUP') noted.groups.add(use.recorded.command[2]);
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

    /** In the order in which they were sent; lines stand in that of the replies. */
    all: () => all.sort((one, other) => one.atMs - other.atMs),

    uses: () => [...uses.values()],
    grown: () => [...grown.values()],
  };
}

/** Of a transaction each part has its own. @type {Expected} */
const ANY = { types: ['members'], bytes: null };

/** @returns {(drawn: Drawn[], isTransaction: boolean) => string | undefined} what the keys of one operation share a slot by */
function createGroups() {
  /** @type {Map<string, number>} */
  const groups = new Map();
  return (drawn, isTransaction) => {
    const numbers = drawn.flatMap(({ line }) =>
      line.args.flatMap((arg) => (Array.isArray(arg) ? arg[0] : [])),
    );
    if (numbers.length < 2) return undefined;
    const id = `${isTransaction} ${numbers.join()}`;
    if (!groups.has(id)) groups.set(id, groups.size);
    return String(groups.get(id));
  };
}

/** @param {Drawn} drawn @param {string | undefined} group */
const idOf = ({ line: { name, args, reply }, isFlat }, group) =>
  JSON.stringify([name, args, reply, isFlat, group]);

/**
 * @param {string} name
 * @param {string[]} texts
 * @param {string[]} keys
 * @returns {string[]} the same, except that what reads on in a stream reads it from its beginning
 */
function sentAs(name, texts, keys) {
  if (name !== 'XREAD') return texts;
  return [...texts.slice(0, texts.length - keys.length), ...keys.map(() => '0')];
}

/**
 * @param {string} name
 * @param {Argument[]} args
 * @param {number} place
 * @param {(bytes: number, place?: number) => string} content
 */
function textOf(name, args, place, content) {
  const arg = args[place];
  if (typeof arg === 'string') return arg;
  return Number(arg) < 0 ? numberAt(name, args, place) : content(Number(arg), place);
}

/** The commands that a connection has a method for, with as many arguments. @type {Record<string, [Method, number]>} */
const METHODS = {
  GET: ['get', 1],
  SET: ['set', 2],
  HSET: ['hset', 3],
  EXISTS: ['exists', 1],
  DEL: ['del', 1],
};

/**
 * @param {string} name in capitals
 * @param {string[]} args
 * @param {Expected} expected
 * @returns {Recorded}
 */
function recordedOf(name, args, expected) {
  const [method, count] = METHODS[/** @type {keyof typeof METHODS} */ (name)] ?? ['command', -1];
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
