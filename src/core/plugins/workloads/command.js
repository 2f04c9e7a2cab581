import { parseArgsStringToArgv } from 'string-argv';
import { naming } from '../../errors.js';
import { createExpected } from '../shared/expected-replies.js';
import { checkCommand, isKnown, KEY } from '../shared/own-command.js';
import { createRequestStep, sequenceOf } from '../shared/requests.js';

/** @import { Command, Step, WorkloadPlugin } from '../types.js' */

/** @typedef {{commands: string[][], prepare: string[] | null, keysAt?: number[]}} Parameter */

const VALUE = '{value}';
/** Separates the commands of a sequence. */
const THEN = ';';

/** @satisfies {WorkloadPlugin<Parameter>} */
export default {
  id: 'command',
  title: 'command',
  summary:
    'the command given with --command, {key} and {value} in it filled in; several of them are a request',
  syntax: 'command:LPUSH {key} {value}',
  checks: { 'a command that only reads': 'value', 'any other command': 'type' },

  parse(argument, { prepare, keysAt } = {}) {
    if (argument === undefined) throw new Error("expected the command itself, as --command 'INCR {key}'");
    const commands = readCommands(argument);
    return {
      commands,
      prepare: prepare === undefined ? null : checkCommand(parseArgsStringToArgv(prepare), prepare),
      ...(keysAt && { keysAt: checkPlaces(keysAt, commands) }),
    };
  },

  titleOf: ({ commands }) =>
    commands.map(([name, ...args]) => [name.toUpperCase(), ...args].join(' ')).join(`${THEN} `),

  madeBy: ({ commands, prepare }) => ({
    command: prepare === null ? null : prepare[0].toUpperCase(),
    hasValues: [...commands, prepare ?? []].flat().some((word) => word.includes(VALUE)),
  }),

  prepare: ({ prepare, keysAt }) => (prepare === null ? [] : [stepOf(prepare, { keysAt, prepare })]),

  request: (parameter) => (parameter.commands.length > 1 ? { kind: kindOf(parameter), count: 1 } : undefined),

  cycle: (parameter, context) => {
    const { commands } = parameter;
    if (commands.length === 1) return [[stepOf(commands[0], parameter)]];
    return [[createRequestStep(kindOf(parameter), commands.length, context)]];
  },
};

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
    naming(`command ${index + 1} of ${commands.length}`, () => checkCommand(words, words.join(' '))),
  );
}

/** @param {number[]} places @param {string[][]} commands */
function checkPlaces(places, commands) {
  const unknown = commands.filter(([name]) => !isKnown(name));
  if (unknown.length === 0) {
    throw new Error(`--keys-at is for commands that this tool does not know; leave it out`);
  }
  for (const words of unknown) {
    const wrong = places.find((place) => words[place] !== KEY);
    if (wrong !== undefined)
      throw new Error(`--keys-at ${wrong}: expected ${KEY} there, got '${words[wrong] ?? ''}'`);
  }
  return places;
}

/** @param {Parameter} parameter of several commands */
const kindOf = (parameter) => sequenceOf(parameter.commands.map((args) => stepOf(args, parameter)));

/** @param {string[]} args @param {Pick<Parameter, 'keysAt' | 'prepare'>} parameter @returns {Step} */
function stepOf(args, { keysAt, prepare }) {
  // An agent gets them from another machine.
  checkCommand(args);
  const expected = createExpected({ zeroIsEmpty: prepare === null });
  return {
    command: args[0].toLowerCase(),
    send: (commands, { key, value }) =>
      commands.command(
        /** @type {Command} */ (args.map((arg) => arg.replaceAll(KEY, key).replaceAll(VALUE, value))),
      ),
    accept: expected.accept,
    learning: { args, keysAt, learn: expected.learn, isFilled: expected.isFilled },
  };
}
