import { ALL_VALUES, WORDS } from './argument-syntax.js';
import { MOST_ARGUMENTS } from './format.js';

/**
 * @import { Syntax } from './argument-syntax.js'
 * @import { Arguments } from './arguments.js'
 * @import { KnownCommand } from './commands-known.js'
 * @import { KeyNumbers } from './key-numbers.js'
 */

/** Longer than any word, and than any number. */
const LONGEST_WORD = 13;
const LONGEST_NUMBER = 64;
/** What may be written as it is: a duration of months in milliseconds has 10 digits. */
const COUNT = /^-?\d{1,10}$/;
const NUMBER = /^[([]?[-+]?\d[\d.e+-]*$/i;

/**
 * The arguments of a command as shapes, in JSON: the text of an Argument[] of types.d.ts.
 *
 * @param {KnownCommand} command
 * @param {Arguments} args
 * @param {KeyNumbers} keys
 * @returns {string}
 */
export function shapeArguments(command, args, keys) {
  const { hasPrivateArguments, words, arity, keysOf } = command;
  if (hasPrivateArguments || args.count === words) return '[]';
  const end = Math.min(args.count, MOST_ARGUMENTS + 1);
  const keyPlaces = keysOf(args);
  let nextKey = 0;
  // Of a command that no server takes, nothing is known.
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

/** @param {Arguments} args @param {number} place @returns {string} in capitals; empty where it is too long for a word */
const wordAt = (args, place) => (args.lengths[place] > LONGEST_WORD ? '' : args.text(place).toUpperCase());

/**
 * @param {string} letter of the syntax
 * @param {Arguments} args
 * @param {number} place
 * @returns {string | number}
 */
function ofLetter(letter, args, place) {
  const length = args.lengths[place];
  if (letter === 'v' || letter === 'k' || length > LONGEST_NUMBER) return length;
  const word = wordAt(args, place);
  if ((letter === 'n' && COUNT.test(word)) || WORDS[letter]?.has(word)) return `"${word}"`;
  return NUMBER.test(args.text(place)) ? -length : length;
}

/**
 * Goes through the arguments in their order: the first ones, options, and the rest.
 *
 * @param {Syntax} syntax
 * @param {Arguments} args
 * @param {number} start the place of the first one
 * @returns {(place: number, isKey: boolean) => string | number}
 */
function createShaper({ first, options, rest, again }, args, start) {
  /** The letters of what comes next, whatever it is. */
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
    // Keys stand between options without a letter of their own.
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

/** @param {Arguments} args @param {number} start @returns {string} of an end of a range: an index unless it says otherwise */
function letterOfEnd(args, start) {
  for (let place = start; place < Math.min(args.count, MOST_ARGUMENTS + 1); place++) {
    if (/^BY(?:SCORE|LEX)$/.test(wordAt(args, place))) return 'r';
  }
  return 'n';
}
