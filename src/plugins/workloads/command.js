import { exists, getKeyIndexes, hasFlag } from '@ioredis/commands';
import { parseArgsStringToArgv } from 'string-argv';
import { createExpected } from '../shared/expected-replies.js';

/** @import { Command, Step } from '../types.js' */

const KEY = '{key}';
const VALUE = '{value}';
/** Commands that stop the server, wait, or turn the connection into something else. */
const FORBIDDEN_FLAGS = /** @type {const} */ (['admin', 'blocking', 'pubsub']);
/** Commands about the server or the connection instead of data; no flag tells them apart. */
const NOT_FOR_DATA = new Set(
  'acl auth client cluster config discard exec function hello latency memory module multi quit reset script select'.split(
    ' ',
  ),
);

export default {
  id: 'command',
  title: 'command',
  summary: 'the command given with --command, {key} and {value} in it filled in',
  syntax: 'command:LPUSH {key} {value}',
  checks: { 'a command that only reads': 'value', 'any other command': 'type' },

  /**
   * @param {string | undefined} argument the command
   * @param {{prepare?: string | undefined}} [options] a command that is sent once for each key before the run
   */
  parse(argument, { prepare } = {}) {
    if (argument === undefined) throw new Error("expected the command itself, as --command 'INCR {key}'");
    return { args: readCommand(argument), prepare: prepare === undefined ? null : readCommand(prepare) };
  },

  /** @param {{args: string[]}} parameter */
  titleOf: ({ args: [name, ...args] }) => [name.toUpperCase(), ...args].join(' '),

  /** @param {{prepare: string[] | null}} parameter */
  prepare: ({ prepare }) => (prepare === null ? [] : [stepOf(prepare)]),

  /** @param {{args: string[]}} parameter */
  cycle: ({ args }) => [[stepOf(args)]],
};

/** @param {string} text a command line; quotes hold words together as in a shell @returns {string[]} */
function readCommand(text) {
  return checkCommand(parseArgsStringToArgv(text), text);
}

/** @param {string[]} words @param {string} [text] as it was given @returns {string[]} the same */
function checkCommand([name, ...args], text = `${name}`) {
  if (name === undefined || !exists(name, { caseInsensitive: true })) {
    throw new Error(`expected a Redis command such as INCR ${KEY}, got '${text}'`);
  }
  const options = { nameCaseInsensitive: true };
  if (NOT_FOR_DATA.has(name.toLowerCase()) || FORBIDDEN_FLAGS.some((flag) => hasFlag(name, flag, options))) {
    throw new Error(`${name.toUpperCase()} cannot be measured: it does not work on data, or it waits`);
  }
  const keys = getKeyIndexes(name, args, options).map((index) => args[index]);
  const foreign = keys.find((key) => key !== KEY);
  if (foreign !== undefined) {
    throw new Error(`the key '${foreign}' is not this tool's; write ${KEY}, which stands for its own`);
  }
  if (keys.length === 0 && hasFlag(name, 'write', options)) {
    throw new Error(`${name.toUpperCase()} changes more than this tool's own keys: it is not measured`);
  }
  return [name, ...args];
}

/** @param {string[]} args @returns {Step} */
function stepOf(args) {
  // An agent has them from whoever commands it.
  checkCommand(args);
  const expected = createExpected();
  return {
    command: args[0].toLowerCase(),
    send: (commands, { key, value }) =>
      commands.command(
        /** @type {Command} */ (args.map((arg) => arg.replaceAll(KEY, key).replaceAll(VALUE, value))),
      ),
    accept: expected.accept,
    learning: { args, learn: expected.learn },
  };
}
