import { NOTICE_WORDS } from './notice-words.js';
import { PLACEMENT_WORDS, SKIP_WORDS } from './skip-words.js';
import { RUN_WARNING_WORDS } from './warning-words.js';

/** @import { Fact } from '../../../core/store/types.js' */

/**
 * @template {{kind: string}} Any
 * @typedef {{[Kind in Any['kind']]: (fact: Extract<Any, {kind: Kind}>) => string}} WordsOf a text for each kind
 */

/** The words of all that is stored as a fact, by its kind. @type {Record<string, (fact: any) => string>} */
const WORDS = { ...SKIP_WORDS, ...PLACEMENT_WORDS, ...RUN_WARNING_WORDS, ...NOTICE_WORDS };

/**
 * @param {Fact | string} fact a text is a plugin's own note, or that of an error
 * @returns {string} the same for the same fact, so that repeats can be merged
 */
export function factText(fact) {
  if (typeof fact === 'string') return fact;
  // A later release may know more kinds.
  return Object.hasOwn(WORDS, fact.kind) ? WORDS[fact.kind](fact) : fact.kind;
}
