import { parseArgsStringToArgv } from 'string-argv';
import { createExpected } from '../shared/expected-replies.js';
import { checkCommand, isKnown, KEY } from '../shared/own-command.js';

/** @import { Command, Step } from '../types.js' */

/** @typedef {{args: string[], prepare: string[] | null, keysAt?: number[]}} Parameter */

const VALUE = '{value}';

export default {
  id: 'command',
  title: 'command',
  summary: 'the command given with --command, {key} and {value} in it filled in',
  syntax: 'command:LPUSH {key} {value}',
  checks: { 'a command that only reads': 'value', 'any other command': 'type' },

  /**
   * @param {string | undefined} argument the command
   * @param {{prepare?: string | undefined, keysAt?: number[] | undefined}} [options] `prepare`: a command that is
   *   sent once for each key before the run
   * @returns {Parameter}
   */
  parse(argument, { prepare, keysAt } = {}) {
    if (argument === undefined) throw new Error("expected the command itself, as --command 'INCR {key}'");
    const args = readCommand(argument);
    return {
      args,
      prepare: prepare === undefined ? null : readCommand(prepare),
      ...(keysAt && { keysAt: checkPlaces(keysAt, args) }),
    };
  },

  /** @param {Parameter} parameter */
  titleOf: ({ args: [name, ...args] }) => [name.toUpperCase(), ...args].join(' '),

  /** @param {Parameter} parameter */
  prepare: ({ prepare, keysAt }) => (prepare === null ? [] : [stepOf(prepare, keysAt)]),

  /** @param {Parameter} parameter */
  cycle: ({ args, keysAt }) => [[stepOf(args, keysAt)]],
};

/** @param {string} text a command line; quotes hold words together as in a shell @returns {string[]} */
function readCommand(text) {
  return checkCommand(parseArgsStringToArgv(text), text);
}

/** @param {number[]} places @param {string[]} command @returns {number[]} the same */
function checkPlaces(places, [name, ...args]) {
  if (isKnown(name)) {
    throw new Error(`--keys-at is for commands that this tool does not know; leave it out`);
  }
  const wrong = places.find((place) => args[place - 1] !== KEY);
  if (wrong === undefined) return places;
  throw new Error(`--keys-at ${wrong}: expected ${KEY} there, got '${args[wrong - 1] ?? ''}'`);
}

/** @param {string[]} args @param {number[] | undefined} keysAt @returns {Step} */
function stepOf(args, keysAt) {
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
    learning: { args, keysAt, learn: expected.learn },
  };
}
