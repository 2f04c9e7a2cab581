import { exists, getKeyIndexes, hasFlag } from '@ioredis/commands';
import calculateSlot from 'cluster-key-slot';
import { firstWord, holdsPassword } from '../../process/secrets.js';
import { isOwnPattern, placesIn } from '../../server/command-places.js';
import { prefixOf } from '../../server/own-keys.js';

/** @import { Command } from '../types.js' */

// Whether a user's command may be measured. About commands that @ioredis/commands lacks, the server is asked.

export const KEY = '{key}';
/** A key that stays empty. */
export const MISSING = '{missing}';
/** Commands that stop the server, or change the connection. @type {('admin' | 'pubsub')[]} */
const FORBIDDEN_FLAGS = ['admin', 'pubsub'];
/** Commands about the server, the connection or another server; no flag marks them. */
const NOT_FOR_DATA = new Set(
  (
    'acl asking auth client cluster config discard exec hello latency memory migrate module multi quit readonly ' +
    'readwrite reset select sentinel unwatch watch'
  ).split(' '),
);
const OPTIONS = { nameCaseInsensitive: true };

/** @param {string} name */
export const isKnown = (name) => exists(name, { caseInsensitive: true });

/**
 * What @ioredis/commands says of a command that our list lacks.
 * @param {readonly unknown[]} command @param {string[]} [unknown] the keys of one that nobody knows
 */
export function knownPlaces([name, ...args], unknown = []) {
  const listed = placesIn([name, ...args]);
  if (listed !== null) return listed;
  if (!isKnown(`${name}`)) return { keys: unknown, patterns: [] };
  const places = getKeyIndexes(`${name}`, /** @type {string[]} */ (args), OPTIONS);
  return { keys: places.map((at) => `${args[at]}`), patterns: [] };
}

/**
 * Checks without a server.
 * @param {string[]} words
 * @param {{text?: string, mayWait?: boolean}} [how] `text`: as given; `mayWait`: whether it may be one that waits
 * @returns {string[]} the same @throws {Error}
 */
export function checkCommand(words, { text = `${words[0]}`, mayWait = false } = {}) {
  const [name = ''] = words;
  if (!/^[a-z][\w.-]*$/i.test(name)) {
    throw new Error(`expected a Redis command such as INCR ${KEY}, got '${firstWord(text)}'`);
  }
  if (words.some(holdsPassword))
    throw new Error(`${name.toUpperCase()} holds a password, which the results would keep: leave it out`);
  const { keys, patterns } = knownPlaces(words);
  if (mayWait && waitMsOf(words) !== null) return checkWaiting(words, keys);
  const foreign = patterns.filter((pattern) => !isOwnPattern(pattern, KEY));
  refuse(name, [...keys, ...foreign], (flag) => isKnown(name) && hasFlag(name, flag, OPTIONS));
  return words;
}

const IN_SECONDS = /^b(?:[lr]pop|zpop(?:min|max)|lmove|rpoplpush|[lz]mpop)$/;

/** @param {readonly string[]} words @returns {number | null} ms, NaN where they say none; null for a command that does not wait */
export function waitMsOf([command, ...args]) {
  const name = command.toLowerCase();
  if (IN_SECONDS.test(name)) return 1000 * Number(name.endsWith('mpop') ? args[0] : args.at(-1));
  if (/^wait(aof)?$/.test(name)) return Number(args.at(-1));
  const times = args.filter((_, at) => /^xread(group)?$/.test(name) && /^block$/i.test(args[at - 1] ?? ''));
  // The server takes the last of several.
  return times.length === 0 ? null : Math.max(...times.map((time) => Number(time) || Number.NaN));
}

/** Longer ones would make a run of eight tasks on one connection last a minute. */
const LONGEST_WAIT_MS = 5000;

/** @param {string[]} words @param {string[]} keys @returns {string[]} the same @throws {Error} */
function checkWaiting(words, keys) {
  const name = words[0].toUpperCase();
  const waitMs = Number(waitMsOf(words));
  if (!(waitMs > 0 && waitMs <= LONGEST_WAIT_MS))
    throw new Error(
      `${name}: expected a time of up to ${LONGEST_WAIT_MS / 1000} s after which it ends, as in 'BLPOP ${MISSING} 0.1'`,
    );
  const other = keys.find((key) => key !== MISSING);
  if (other !== undefined)
    throw new Error(`${name}: expected ${MISSING}, a key that stays empty, got '${firstWord(other)}'`);
  return words;
}

/** Never shows more of a command than its name and a foreign key: the rest may be a password. @param {string} name @param {string[]} keys @param {(flag: 'admin' | 'blocking' | 'pubsub' | 'write') => boolean} has */
function refuse(name, keys, has) {
  const isAboutServer = NOT_FOR_DATA.has(name.toLowerCase()) || FORBIDDEN_FLAGS.some(has);
  if (isAboutServer) throw new Error(`${name.toUpperCase()} cannot be measured: it does not work on data`);
  if (has('blocking')) {
    throw new Error(
      `${name.toUpperCase()} waits: it needs a --share among other commands, no --then, and a time of up to ${LONGEST_WAIT_MS / 1000} s, as in --command 'BLPOP ${MISSING} 0.1' --share 1`,
    );
  }
  const foreign = keys.find((key) => key !== KEY);
  if (foreign !== undefined) {
    throw new Error(`the key '${foreign}' is not this tool's; write ${KEY}, which stands for its own`);
  }
  if (keys.length === 0 && has('write')) {
    throw new Error(`${name.toUpperCase()} changes more than this tool's own keys: it is not measured`);
  }
}

/** @typedef {(...words: [string, string, ...string[]]) => Promise<unknown>} AskServer */

/**
 * Asks the server for the flags and keys of an unknown command.
 * @param {string[]} words @param {AskServer} ask @throws {Error} if it cannot be measured
 */
export async function askAboutKeys([name, ...args], ask) {
  if (isKnown(name)) return;
  const about = await factsOf([name], ask);
  if (about === null) {
    throw new Error(
      `the server does not know the command ${name.toUpperCase()}; name one that does (--url, --server), ` +
        "or load its module with --server-config 'loadmodule FILE'",
    );
  }
  if (about.isDenied) {
    throw new Error(
      `this user may not ask the server about ${name.toUpperCase()} (COMMAND INFO): it is not measured`,
    );
  }
  /** @type {Parameters<AskServer>} */
  const command = ['COMMAND', 'GETKEYS', name, ...args];
  const declared = await ask(...command).catch(() => []);
  // Few commands are asked about, and workers that ask about none need not load it.
  const { KEYS, readReplyAs } = await import('../../server/replies.js');
  refuse(name, readReplyAs(KEYS, declared, command, 'the server'), (flag) => about.flags.includes(flag));
}

/**
 * @param {string[]} names the first one that exists counts, such as a subcommand before its container
 * @param {AskServer} ask @returns null if none exists
 */
export async function factsOf(names, ask) {
  /** @type {Parameters<AskServer>} */
  const command = ['COMMAND', 'INFO', ...names];
  const reply = await ask(...command).catch(() => null);
  if (reply === null) return { flags: [], tips: [], isDenied: true };
  const { COMMAND_INFO, readReplyAs } = await import('../../server/replies.js');
  const about = readReplyAs(COMMAND_INFO, reply, command, 'the server').find((each) => each !== null);
  return about ? { ...about, isDenied: false } : null;
}

/** @param {Command} command @returns {string | undefined} the key that decides its node; undefined if any node will do */
export function firstKey([name, ...args]) {
  // Keys of this tool are recognized in an unknown command by their prefix.
  if (!isKnown(name)) return args.find((arg) => prefixOf(String(arg)) !== null);
  const [index] = getKeyIndexes(name, args, OPTIONS);
  return index === undefined ? undefined : args[index];
}

/** @param {Command} command @returns {boolean} whether a replica may answer it */
export const onlyReads = ([name]) => isKnown(name) && hasFlag(name, 'readonly', OPTIONS);

/** @param {Command[]} commands whose keys are in one slot */
export const keyAmong = (commands) => commands.map(firstKey).find((key) => key !== undefined);

/**
 * Splits a batch by node, as an application must if its client does not.
 * @template Node @param {Command[]} commands @param {(slot: number) => Node} nodeOf
 * @param {(commands: Command[], key: string | undefined) => Promise<unknown[]>} send `key`: any key of the part
 */
export async function pipelineByNode(commands, nodeOf, send) {
  const keys = commands.map(firstKey);
  return sendInParts(
    commands,
    (_, position) => (keys[position] === undefined ? undefined : nodeOf(calculateSlot(keys[position]))),
    (part, [position]) => send(part, keys[position]),
  );
}

/**
 * Sends all parts at once and puts the replies in the order of `all`.
 * @template Each, Place @param {Each[]} all @param {(each: Each, position: number) => Place} placeOf
 * @param {(part: Each[], positions: number[]) => Promise<unknown[]> | undefined} send resolves to a reply for each
 */
export async function sendInParts(all, placeOf, send) {
  /** @type {Map<Place, {part: Each[], positions: number[]}>} */
  const parts = new Map();
  for (const [position, each] of all.entries()) {
    const place = placeOf(each, position);
    const known = parts.get(place) ?? { part: [], positions: [] };
    known.part.push(each);
    known.positions.push(position);
    parts.set(place, known);
  }
  /** @type {unknown[]} */
  const replies = new Array(all.length);
  await Promise.all(
    [...parts.values()].map(async ({ part, positions }) => {
      const own = await send(part, positions);
      for (const [index, position] of positions.entries()) replies[position] = own?.[index];
    }),
  );
  return replies;
}
