import { createRequire } from 'node:module';
import { getKeyIndexes } from '@ioredis/commands';
import { attempt } from '../core/errors.js';
import { rowOf } from './commands/all-commands.js';
import { MOST_ARGUMENTS, OTHER } from './format.js';
import { parseSyntax } from './shape-arguments.js';

/** @import { Arguments } from './arguments.js' */

/** @type {Record<string, {arity: number, flags: string[], subcommands?: Record<string, {arity: number, flags: string[]}>}>} */
const COMMANDS = createRequire(import.meta.url)('@ioredis/commands/built/commands.json');

/** Of so many words the first MOST_ARGUMENTS have the same places as of more: at most half of them are no keys. */
const MOST_WORDS = 4 * MOST_ARGUMENTS;

/** A bound on memory, upper and lower case included. More are looked up each time. */
const MOST_SPELLINGS = 2000;

/** @typedef {ReturnType<typeof known>} KnownCommand `words`: of its name; `arity`: in all, negative: at least as many */

export function createCommandTable() {
  /** @type {Map<string, KnownCommand | Map<string, KnownCommand>>} */
  const spellings = new Map();

  /** @param {Arguments} args */
  return function find(args) {
    const spelling = args.lengths[0] > 20 ? '' : args.text(0);
    const found = spellings.get(spelling) ?? remember(spelling);
    if (!(found instanceof Map)) return found;
    const word = args.count > 1 && args.lengths[1] <= 24 ? args.text(1).toUpperCase() : '';
    return found.get(word) ?? /** @type {KnownCommand} */ (found.get(''));
  };

  /** @param {string} spelling */
  function remember(spelling) {
    const known = describe(spelling.toLowerCase());
    if (spellings.size < MOST_SPELLINGS) spellings.set(spelling, known);
    return known;
  }
}

/** @param {string} id in lower case @returns {KnownCommand | Map<string, KnownCommand>} by subcommand */
function describe(id) {
  if (!Object.hasOwn(COMMANDS, id)) return known(OTHER, id, false, -1);
  const { arity, flags, subcommands } = COMMANDS[id];
  const name = id.toUpperCase();
  const alone = known(name, id, flags.includes('admin'), arity);
  if (subcommands === undefined) return alone;
  const bySubcommand = new Map([['', { ...alone, hasPrivateArguments: true }]]);
  for (const [subcommand, of] of Object.entries(subcommands)) {
    const word = subcommand.toUpperCase();
    const isPrivate = of.flags.includes('admin') || rowOf(name).isPrivate === true;
    bySubcommand.set(word, known(`${name} ${word}`, id, isPrivate, of.arity));
  }
  return bySubcommand;
}

/** @param {string} name @param {string} id @param {boolean} isPrivate @param {number} arity */
function known(name, id, isPrivate, arity) {
  const row = rowOf(name);
  const words = name.split(' ').length;
  const flags = name === OTHER ? [] : COMMANDS[id].flags;
  return {
    name,
    hasPrivateArguments: name === OTHER || (row.isPrivate ?? isPrivate),
    ...parseSyntax(row.syntax),
    words,
    arity,
    role: row.role ?? 'plain',
    keysOf:
      name === OTHER ? () => [] : flags.includes('movablekeys') ? movingKeys(id) : steadyKeys(id, words),
  };
}

/** Key places depend on the words. @param {string} id @returns {(args: Arguments) => number[]} */
const movingKeys = (id) => (args) => {
  const texts = new Array(Math.min(args.count, MOST_WORDS) - 1).fill('');
  for (let index = 1; index < Math.min(args.count, MOST_ARGUMENTS + 1); index++) {
    // A longer one is neither a word nor a number.
    if (args.lengths[index] <= 24) texts[index - 1] = args.text(index);
  }
  return keyPlaces(id, texts);
};

/** Key places depend only on the number of words. @param {string} id @param {number} words of the name */
function steadyKeys(id, words) {
  /** @type {(number[] | undefined)[]} */
  const byCount = [];
  /** @param {Arguments} args */
  return (args) => {
    const count = Math.min(args.count, MOST_WORDS);
    byCount[count] ??= keyPlaces(
      id,
      Array.from({ length: count - 1 }, (_, index) => (index < words - 1 ? args.text(index + 1) : '')),
    );
    return byCount[count];
  };
}

/** @param {string} id @param {string[]} texts @returns {number[]} */
function keyPlaces(id, texts) {
  // getKeyIndexes() would loop over any claimed number of keys.
  const bounded = texts.map((text) => (Number(text) > MOST_ARGUMENTS ? `${MOST_ARGUMENTS}` : text));
  return attempt(() => getKeyIndexes(id, bounded), [])
    .map((index) => Number(index) + 1)
    .filter((place) => place > 0 && place <= Math.min(texts.length, MOST_ARGUMENTS))
    .sort((a, b) => a - b);
}
