import { isCounted, isWord } from './argument-syntax.js';
import { MOST_ARGUMENTS } from './format.js';

/**
 * @import { Arguments } from './arguments.js'
 * @import { KnownCommand } from './commands-known.js'
 * @import { KeyNumbers } from './key-numbers.js'
 */

/** Longer than any word, and than any number. */
const LONGEST_WORD = 13;
const LONGEST_NUMBER = 64;
/** What may be written as it is: a duration of months in milliseconds has 10 digits; a score seldom has 6. */
const COUNT = /^-?\d{1,10}$/;
const SHORT = /^-?\d{1,6}$/;
const NUMBER = /^[([]?[-+]?\d[\d.e+-]*$/i;

/**
 * The arguments of a command as shapes, in JSON: the text of an Argument[] of types.d.ts.
 *
 * @param {KnownCommand} command
 * @param {Arguments} args
 * @param {KeyNumbers} keys
 * @returns {string}
 */
export function shapeArguments({ hasPrivateArguments, first, rest, words, keysOf }, args, keys) {
  if (hasPrivateArguments || args.count === words) return '[]';
  const end = Math.min(args.count, MOST_ARGUMENTS + 1);
  const keyPlaces = keysOf(args);
  let nextKey = 0;
  const tail = createTail(rest);
  let text = '[';
  for (let place = words; place < end; place++) {
    if (place > words) text += ',';
    if (keyPlaces[nextKey] === place) {
      nextKey++;
      const length = args.lengths[place];
      text += `[${keys.numberOf(args.source(place), args.offsets[place], length)},${length}]`;
      tail.skip();
    } else {
      const letter = first[place - words];
      text += letter === undefined ? tail.next(args, place) : ofLetter(letter, args, place);
    }
  }
  return `${text}]`;
}

/**
 * @param {string} letter of the syntax
 * @param {Arguments} args
 * @param {number} place
 * @returns {string | number}
 */
function ofLetter(letter, args, place) {
  const length = args.lengths[place];
  if (letter === 'v' || letter === 'k' || length > LONGEST_NUMBER) return length;
  const text = args.text(place);
  if (letter === 'a') return NUMBER.test(text) ? -length : length;
  if (length <= LONGEST_WORD) {
    if ((letter === 'n' && COUNT.test(text)) || (letter === 'r' && SHORT.test(text))) return `"${text}"`;
    const word = text.toUpperCase();
    if (letter !== 'n' && isWord(word)) return `"${word}"`;
  }
  return NUMBER.test(text) ? -length : length;
}

/**
 * The arguments after the first ones, in which one decides what the next one is.
 *
 * @param {string} rest of the syntax
 */
function createTail(rest) {
  let counts = 0;
  let place = -1;
  const group = { p: 'av', g: 'aav', x: 'rv' }[rest];

  /** @param {Arguments} args @param {number} at @returns {string | number} */
  function option(args, at) {
    if (args.lengths[at] > LONGEST_WORD) return ofLetter('a', args, at);
    const text = args.text(at);
    if (counts > 0 && COUNT.test(text)) {
      counts--;
      return `"${text}"`;
    }
    const word = text.toUpperCase();
    if (!isWord(word)) return ofLetter('a', args, at);
    counts = isCounted(word) ? 2 : 0;
    return `"${word}"`;
  }

  return {
    skip() {
      counts = 0;
    },

    /** @param {Arguments} args @param {number} at @returns {string | number} */
    next(args, at) {
      if (rest === 'o') return option(args, at);
      if (group === undefined) return ofLetter(rest, args, at);
      if (place === -1) {
        const text = args.lengths[at] <= LONGEST_WORD ? args.text(at).toUpperCase() : '';
        const isId = rest === 'x' && text === '*';
        if (!isId && (isWord(text) || (counts > 0 && COUNT.test(text)))) return option(args, at);
      }
      place++;
      if (rest === 'x') return ofLetter(place === 0 ? 'r' : 'v', args, at);
      return ofLetter(group[place % group.length], args, at);
    },
  };
}
