import { createRequire } from 'node:module';
import { getKeyIndexes } from '@ioredis/commands';
import { mustGet } from '../../collections.js';
import { tryOr } from '../../errors.js';
import { rowOf } from './commands.js';
import { MOST_ARGUMENTS, OTHER } from './format.js';

/** @import { Arguments } from './scan-resp.js' */
/** @import { KeyNumbers } from './recording.js' */

/**
 * The syntax of a command. An argument is recorded verbatim only where this proves that it is a fixed word of Redis, a
 * count, an index or a duration. All others are content, of which only the size is recorded.
 *
 * A letter for each of the first arguments, keys included:
 *
 * - `k` a key, where @ioredis/commands says so; otherwise a value
 * - `v` a value, `w` a fixed word
 * - `n` a count, an index, a duration: recorded verbatim
 * - `a` a number of the user's own (an amount, a score, an offset of a bit, a timestamp): only its length is recorded
 * - `r` an end of a range of scores or names, `i` an id or a cursor: verbatim where it is a word of Redis
 * - `s` an index, or `r` in a range by score or by name
 *
 * After `|` come options in any order, each with the letters of its arguments: `~` is a mark (`~` or `=`) that may
 * precede a count, `!` ends the options. The rest are values, or have the letters after `+`, of which the last one
 * repeats, or after `*`, of which all repeat.
 * @typedef {ReturnType<typeof parseSyntax>} Syntax letters. `again`: how many of the last ones of `rest` repeat
 */

/** @param {string} [text] */
function parseSyntax(text = '') {
  const [first, tail = ''] = text.split('|');
  const tokens = tail.split(' ');
  const group = tokens.find((token) => /^[+*]/.test(token)) ?? '+v';
  const rest = group.slice(1);
  const options = tokens.filter((token) => /^[A-Z]/.test(token)).map((token) => token.split(':'));
  return {
    first,
    options: new Map(options.map(([word, letters = '']) => [word, letters])),
    rest,
    again: group[0] === '*' ? rest.length : 1,
  };
}

const ALL_VALUES = parseSyntax();

/** @param {string} words */
const fixed = (words) => new Set(words.split(' '));

/** @type {Record<string, Set<string>>} */
const WORDS = {
  w: fixed('LEFT RIGHT GROUP'),
  r: fixed('- + -INF +INF INF'),
  i: fixed('* > $ - + 0 0-0'),
};

const LONGEST_WORD = 13;
const LONGEST_NUMBER = 64;
/** Recorded verbatim: a duration of months in milliseconds has 10 digits. */
const COUNT = /^-?\d{1,10}$/;
const NUMBER = /^[([]?[-+]?\d[\d.e+-]*$/i;

/** @param {KnownCommand} command @param {Arguments} args @param {KeyNumbers} keys @returns {string} an Argument[] in JSON */
export function shapeArguments(command, args, keys) {
  const { hasPrivateArguments, words, arity, keysOf } = command;
  if (hasPrivateArguments || args.count === words) return '[]';
  const end = Math.min(args.count, MOST_ARGUMENTS + 1);
  const keyPlaces = keysOf(args);
  let nextKey = 0;
  // With the wrong number of arguments, the syntax proves nothing.
  const isWhole = arity < 0 ? args.count >= -arity : args.count === arity;
  const shape = createShaper(isWhole ? command : ALL_VALUES, args, words);
  let text = '[';
  for (let place = words; place < end; place++) {
    if (place > words) text += ',';
    const isKey = keyPlaces[nextKey] === place;
    const shaped = shape(place, isKey);
    if (isKey) {
      nextKey++;
      const length = args.lengths[place];
      text += `[${keys.numberOf(args.source(place), args.offsets[place], length)},${length}]`;
    } else text += shaped;
  }
  return `${text}]`;
}

/** @param {Arguments} args @param {number} place @returns {string} in capitals; empty if too long for a word */
const wordAt = (args, place) => (args.lengths[place] > LONGEST_WORD ? '' : args.text(place).toUpperCase());

/** @type {(letter: string, args: Arguments, place: number) => string | number} */
function ofLetter(letter, args, place) {
  const length = args.lengths[place];
  if (letter === 'v' || letter === 'k' || length > LONGEST_NUMBER) return length;
  const word = wordAt(args, place);
  if ((letter === 'n' && COUNT.test(word)) || WORDS[letter]?.has(word)) return `"${word}"`;
  return NUMBER.test(args.text(place)) ? -length : length;
}

/**
 * @param {Syntax} syntax @param {Arguments} args @param {number} start the place of the first one
 * @returns {(place: number, isKey: boolean) => string | number}
 */
function createShaper({ first, options, rest, again }, args, start) {
  let due = first;
  let inRest = -1;

  return (place, isKey) => {
    if (due[0] === '~') {
      due = due.slice(1);
      const mark = wordAt(args, place);
      if (mark === '~' || mark === '=') return `"${mark}"`;
    }
    if (due !== '' && due !== '!') {
      const letter = due[0];
      due = due.slice(1);
      return ofLetter(letter === 's' ? letterOfEnd(args, start) : letter, args, place);
    }
    // Keys between options have no letter.
    if (isKey) return '';
    if (inRest === -1 && due === '') {
      const word = wordAt(args, place);
      const letters = options.get(word);
      if (letters !== undefined) {
        due = letters;
        return `"${word}"`;
      }
    }
    inRest++;
    if (inRest === rest.length) inRest -= again;
    return ofLetter(rest[inRest], args, place);
  };
}

/** @param {Arguments} args @param {number} start @returns {string} the letter that `s` stands for */
function letterOfEnd(args, start) {
  for (let place = start; place < Math.min(args.count, MOST_ARGUMENTS + 1); place++) {
    if (/^BY(?:SCORE|LEX)$/.test(wordAt(args, place))) return 'r';
  }
  return 'n';
}

/** @type {Record<string, {arity: number, flags: string[], subcommands?: Record<string, {arity: number, flags: string[]}>}>} */
const COMMANDS = createRequire(import.meta.url)('@ioredis/commands/built/commands.json');

/** More words do not move the places of the first MOST_ARGUMENTS: at most half of them are no keys. */
const MOST_WORDS = 4 * MOST_ARGUMENTS;

/** A bound on memory, upper and lower case included. More are looked up each time. */
const MOST_SPELLINGS = 2000;

/** @typedef {ReturnType<typeof known>} KnownCommand `words`: of its name; `arity`: in all, negative: at least as many */

const LONGEST_NAME = 24;

export function createCommandTable() {
  /** @type {Map<string, KnownCommand | Map<string, KnownCommand>>} */
  const spellings = new Map();

  /** @param {Arguments} args */
  return function find(args) {
    const spelling = args.lengths[0] > LONGEST_NAME ? '' : args.text(0);
    let found = spellings.get(spelling);
    if (found === undefined) {
      found = describe(spelling.toLowerCase());
      if (spellings.size < MOST_SPELLINGS) spellings.set(spelling, found);
    }
    if (!(found instanceof Map)) return found;
    const word = args.count > 1 && args.lengths[1] <= LONGEST_NAME ? args.text(1).toUpperCase() : '';
    return found.get(word) ?? mustGet(found, '');
  };
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
    role: row.role,
    keysOf: name === OTHER ? () => [] : keyFinder(id, words, flags.includes('movablekeys')),
  };
}

/**
 * @param {string} id @param {number} words of the name
 * @param {boolean} isMoving whether key places depend on the words, not only on their number
 */
function keyFinder(id, words, isMoving) {
  /** @type {(number[] | undefined)[]} */
  const byCount = [];
  const needed = isMoving ? MOST_ARGUMENTS : words - 1;
  return (/** @type {Arguments} */ args) => {
    const count = Math.min(args.count, MOST_WORDS);
    const known = isMoving ? undefined : byCount[count];
    if (known !== undefined) return known;
    const texts = new Array(count - 1).fill('');
    // A longer one is neither a word nor a number.
    for (let index = 0; index < Math.min(count - 1, needed); index++)
      if (args.lengths[index + 1] <= LONGEST_NAME) texts[index] = args.text(index + 1);
    byCount[count] = keyPlaces(id, texts);
    return byCount[count];
  };
}

/** @type {(id: string, texts: string[]) => number[]} */
function keyPlaces(id, texts) {
  // getKeyIndexes() would loop over any claimed number of keys.
  const bounded = texts.map((text) => (Number(text) > MOST_ARGUMENTS ? `${MOST_ARGUMENTS}` : text));
  return tryOr(() => getKeyIndexes(id, bounded), [])
    .map((index) => Number(index) + 1)
    .filter((place) => place > 0 && place <= Math.min(texts.length, MOST_ARGUMENTS))
    .sort((a, b) => a - b);
}
