import { numberAt } from './content.js';
import { expectedOf } from './expected-shape.js';
import { dataFor } from './stored-data.js';

/**
 * @import { Argument, CommandLine } from '../../traffic/types.js'
 * @import { Item } from '../types.js'
 * @import { Expected } from './expected-shape.js'
 * @import { Family } from './known-commands.js'
 * @import { Drawn } from './plan-replay.js'
 * @import { createReplayKeys } from './replay-keys.js'
 */

/** @typedef {[string, ...string[]]} Command */

/**
 * A recorded command as it is sent: the item of an operation. The same object where the same command came again.
 *
 * @typedef {Item & {name: string, method: Method, command: Command, expected: Expected}} Recorded `name`: as the
 *   server counts it
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
 */

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
  /** @type {Map<string, number>} */
  const groups = new Map();
  /** @type {Map<string, Grown>} */
  const grown = new Map();

  /** @param {CommandLine['args']} args @returns {string | undefined} what keys of one command share a slot by */
  function groupOf(args) {
    const numbers = args.flatMap((arg) => (Array.isArray(arg) ? arg[0] : []));
    if (numbers.length < 2) return undefined;
    const id = numbers.join();
    if (!groups.has(id)) groups.set(id, groups.size);
    return String(groups.get(id));
  }

  /** @param {Drawn} drawn @returns {Use} */
  function makeUse({ line: { name, args, reply: shape }, known, isFlat }) {
    const reply = /** @type {NonNullable<typeof shape>} */ (shape);
    const isMiss = reply[0] === '_' && known.way !== 'write';
    const isRead = known.way === 'read';
    const use = isMiss ? 'missing' : isRead ? `read ${uses.size}` : known.family;
    const group = groupOf(args);
    const texts = args.map((arg, place) =>
      Array.isArray(arg) ? keys.keyOf(arg[0], arg[1], use, group) : textOf(name, args, place, content),
    );
    const ownKeys = texts.filter((_, place) => Array.isArray(args[place]));
    const recorded = recordedOf(name, texts, expectedOf({ name, reply }, known));
    const data =
      isRead && !isMiss ? dataFor({ name, args: texts, reply, keys: ownKeys, isFlat, content }) : [];
    return { recorded, data, isRead, keys: isMiss ? [] : ownKeys };
  }

  return {
    /** @param {Drawn} drawn */
    add(drawn) {
      const { line, known } = drawn;
      const id = JSON.stringify([line.name, line.args, line.reply, drawn.isFlat]);
      const use = uses.get(id) ?? makeUse(drawn);
      uses.set(id, use);
      all.push({ recorded: use.recorded, atMs: line.atUs / 1000 });
      const isTaken = known.way === 'take';
      if (!known.grows && !isTaken) return;
      for (const key of use.keys) {
        const noted = grown.get(key) ?? { key, family: known.family, taken: 0 };
        noted.taken += isTaken ? 1 : 0;
        grown.set(key, noted);
      }
    },

    /** In the order in which they were sent; lines stand in that of the replies. */
    all: () => all.sort((one, other) => one.atMs - other.atMs),

    uses: () => [...uses.values()],
    grown: () => [...grown.values()],
  };
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
  };
}
