import { parseArgsStringToArgv } from 'string-argv';
import { withErrorPrefix } from '../../errors.js';
import { inMiddle, LONGEST_NAME } from '../../long-names.js';
import { checkCommand, KEY, onlyReads } from '../shared/command-keys.js';
import { createRequestStep, sequenceOf } from '../shared/requests.js';
import { elementsOf, sizeOf } from '../shared/sized-commands.js';

/** @import { Command, Step, WorkloadSource, Item } from '../types.js' */

/** @typedef {{name?: string, commands: string[][], prepare: string[] | null}} Parameter `name`: of the user */

const VALUE = '{value}';
/** Separates the commands of a sequence. */
const THEN = ';';

/** @satisfies {WorkloadSource<Parameter>} */
export default {
  summary:
    'the command given with --command, {key} and {value} in it filled in; several with a ; between are one operation',

  parse(argument, { prepare } = {}) {
    if (argument === undefined) throw new Error("expected the command itself, as --command 'INCR {key}'");
    const { name, text } = nameIn(argument);
    return {
      ...(name !== undefined && { name }),
      commands: readCommands(text),
      prepare: prepare === undefined ? null : checkCommand(parseArgsStringToArgv(prepare), prepare),
    };
  },

  nameOf: (parameter) => parameter.name ?? inMiddle(textOf(parameter)),

  titleOf: (parameter) => `${parameter.name === undefined ? '' : `${parameter.name}: `}${textOf(parameter)}`,

  madeBy: ({ commands, prepare }) => ({
    command: prepare === null ? null : prepare[0].toUpperCase(),
    hasValues: [...commands, prepare ?? []].flat().some((word) => word.includes(VALUE)),
    // What a sequence writes, it may remove itself.
    ...(readsOnly(commands) && { finds: usesUp(prepare ?? []) ? 'nothing' : 'something' }),
  }),

  grows: ({ commands }) => !readsOnly(commands),

  prepare: ({ prepare }) => (prepare === null ? [] : [stepOf(prepare, { prepare })]),

  request: (parameter) => (parameter.commands.length > 1 ? { kind: kindOf(parameter), count: 1 } : undefined),

  cycle: (parameter, context) => {
    const { commands } = parameter;
    if (commands.length === 1) return [[stepOf(commands[0], parameter)]];
    return [[createRequestStep(kindOf(parameter), commands.length, context)]];
  },
};

/** @param {string[][]} commands */
const readsOnly = (commands) => commands.every((args) => onlyReads(/** @type {Command} */ (args)));

/** @param {string[]} command */
const usesUp = ([name = '']) => USE_UP.has(name.toLowerCase());

/** One word, or one in quotes, and its colon; a command has none. */
const NAMED = /^\s*(?:([^\s:"']+)|"([^":]+)"|'([^':]+)'):\s+(?=\S)/;

/** @param {string} argument `user: HGETALL {key}` @returns {{name?: string, text: string}} */
function nameIn(argument) {
  const [start, ...names] = NAMED.exec(argument) ?? [];
  if (start === undefined) return { text: argument };
  const name = names.filter(Boolean)[0].trim();
  if (!/\p{Ll}/u.test(name))
    throw new Error(
      `expected a name with a small letter, which no command has, before the colon, got '${name}'`,
    );
  if (name.length > LONGEST_NAME)
    throw new Error(`expected a name of at most ${LONGEST_NAME} characters, got '${name}'`);
  return { name, text: argument.slice(start.length) };
}

/** @param {Parameter} parameter @returns {string} */
const textOf = ({ commands }) =>
  commands
    .map(([command, ...args]) => [command.toUpperCase(), ...args.map(quoted)].join(' '))
    .join(`${THEN} `);

/** The word as it was typed, where blanks or nothing would not show. @param {string} word */
const quoted = (word) => (/^$|[\s'"\\;]/.test(word) ? `'${word}'` : word);

/** @param {string} text quoted as in a shell @returns {string[][]} */
function readCommands(text) {
  /** @type {string[][]} */
  const commands = [[]];
  for (const word of parseArgsStringToArgv(text)) {
    if (word === THEN) commands.push([]);
    else commands[commands.length - 1].push(word);
  }
  if (commands.length === 1) return [checkCommand(commands[0], text)];
  return commands.map((words, index) =>
    withErrorPrefix(`command ${index + 1} of ${commands.length}`, () => checkCommand(words, words.join(' '))),
  );
}

/** @param {Parameter} parameter of several commands */
const kindOf = (parameter) => sequenceOf(parameter.commands.map((args) => stepOf(args, parameter)));

/** @param {string[]} args @param {Pick<Parameter, 'prepare'>} parameter @returns {Step} */
function stepOf(args, { prepare }) {
  // They may come from another machine.
  checkCommand(args);
  const command = args[0].toLowerCase();
  const { accept, ...learning } = createExpected({
    zeroIsEmpty: prepare === null,
    usesUp: usesUp(args),
  });
  return {
    command,
    send: (commands, { key, value }) =>
      commands.command(
        /** @type {Command} */ (args.map((arg) => arg.replaceAll(KEY, key).replaceAll(VALUE, value))),
      ),
    accept,
    learning: { args, ...learning },
  };
}

/** They take away what they find, and say so by 0, nil or nothing once it is gone. */
const USE_UP = new Set(
  (
    'del unlink getdel hdel hgetdel srem smove spop lrem lpop rpop lmove lmpop rpoplpush zrem zpopmin zpopmax zmpop ' +
    'zremrangebylex zremrangebyrank zremrangebyscore xdel xdelex xtrim xack xackdel ' +
    'expire pexpire expireat pexpireat persist renamenx'
  ).split(' '),
);

/** Characters and elements that a worker can keep in memory. */
const MOST_KEPT = 256e6;

/**
 * Learned replies must come again for the same key. Without any, all must have the type of the first, or be nil.
 * @param {{zeroIsEmpty?: boolean, usesUp?: boolean}} [how] `zeroIsEmpty`: whether a learned 0 is as empty as nil; `usesUp`:
 *   whether replies are counted that say that there was nothing left
 */
export function createExpected({ zeroIsEmpty = false, usesUp = false } = {}) {
  /** @type {unknown[]} by the index of the item */
  const learned = [];
  /** @type {Map<unknown, unknown>} one string for all equal replies */
  const known = new Map();
  let areOrdered = true;
  let kept = 0;
  let filled = false;
  let foundNothing = 0;
  /** @type {string | null} */
  let type = null;

  /** @param {unknown} reply */
  function hasSameType(reply) {
    if (usesUp && isNothing(reply)) foundNothing++;
    if (reply === null) return true;
    filled ||= !isEmpty(reply);
    type ??= typeOf(reply);
    return type !== 'error' && type !== 'undefined' && typeOf(reply) === type;
  }

  return {
    /** Whether any reply had something in it. */
    isFilled: () => filled,

    /** Replies since the last call that say that there was nothing left; undefined of a command that takes nothing away. */
    takeNothing: usesUp
      ? () => {
          const taken = foundNothing;
          foundNothing = 0;
          return taken;
        }
      : undefined,

    /** @param {unknown} reply @param {Item} item @param {boolean} ordered */
    learn(reply, { index, value }, ordered) {
      filled ||= !isEmpty(reply) && !(zeroIsEmpty && reply === 0);
      areOrdered = ordered;
      learned[index] = reply === value ? value : known.get(reply);
      if (learned[index] !== undefined) return;
      kept += sizeOf(reply);
      if (kept > MOST_KEPT) {
        throw new Error('the replies to the command are too long to be kept and compared: use fewer --keys');
      }
      if (typeof reply === 'string') known.set(reply, reply);
      learned[index] = reply;
    },

    /** @param {unknown} reply @param {Item} item */
    accept(reply, { index }) {
      if (learned.length === 0) return hasSameType(reply);
      const right = learned[index];
      return reply === right || isSame(reply, right) || (!areOrdered && inOrder(reply) === inOrder(right));
    },
  };
}

/** @param {any} reply @returns {boolean} */
const isEmpty = (reply) =>
  reply === null ||
  reply === '' ||
  (typeof reply === 'object' && (reply.length ?? reply.size ?? Object.keys(reply).length) === 0);

/** Whether a command found nothing to take away; some clients make a boolean of 0. @param {unknown} reply @returns {boolean} */
const isNothing = (reply) =>
  reply === 0 || reply === false || isEmpty(reply) || (Array.isArray(reply) && reply.every(isNothing));

/** @param {unknown} reply */
function typeOf(reply) {
  if (reply instanceof Error) return 'error';
  return Array.isArray(reply) || reply instanceof Set ? 'array' : typeof reply;
}

/** @param {unknown} a @param {unknown} b @returns {boolean} */
function isSame(a, b) {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (Buffer.isBuffer(a)) return Buffer.isBuffer(b) && a.equals(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isRecord(a) && isRecord(b)) return hasSameFields(a, b);
  const [left, right] = [elementsOf(a), elementsOf(b)];
  return left.length === right.length && left.every((each, index) => isSame(each, right[index]));
}

/** @param {object} reply @returns {reply is Record<string, unknown>} as node-redis returns a hash */
const isRecord = (reply) => !(Symbol.iterator in reply);

/** Comparing lists of entries would take twice as long. @param {Record<string, unknown>} a @param {typeof a} b */
function hasSameFields(a, b) {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isSame(a[name], b[name]));
}

/** @param {unknown} reply @returns {string} the same for any order of its elements */
function inOrder(reply) {
  if (Buffer.isBuffer(reply)) return `bytes ${JSON.stringify(reply.toString('latin1'))}`;
  if (typeof reply !== 'object' || reply === null) return JSON.stringify(reply) ?? String(reply);
  return elementsOf(reply).map(inOrder).sort().join();
}
