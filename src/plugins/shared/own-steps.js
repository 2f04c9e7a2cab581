import { byteSize } from './byte-size.js';
import { checkCommand, KEY, MISSING, waitMsOf } from './command-keys.js';
import { createExpected } from './expected-replies.js';

/** @import { Command, CycleContext, Finds, Item, Step } from '../types.js' */

/** What stands for a key, for one that stays empty, for the value, or for one of so many characters: `{value@100kb}`. */
const FILLED_IN = /(\{key\}|\{missing\}|\{value(?:@[\d.]+[a-zA-Z]*)?\})/;
const VALUE = '{value';

/** They take away what they find, and say so by 0, nil or nothing once it is gone. */
const USE_UP = new Set(
  (
    'del unlink getdel hdel hgetdel srem smove spop lrem lpop rpop lmove lmpop rpoplpush zrem zpopmin zpopmax zmpop ' +
    'zremrangebylex zremrangebyrank zremrangebyscore xdel xdelex xtrim xack xackdel ' +
    'expire pexpire expireat pexpireat persist renamenx'
  ).split(' '),
);

/** @param {string[]} command */
export const usesUp = ([name = '']) => USE_UP.has(name.toLowerCase());

/** @param {string[]} words */
const placesIn = (words) => words.flatMap((word) => word.split(FILLED_IN).filter((_, at) => at % 2 === 1));

/** @param {string[]} words */
export const hasValues = (words) => placesIn(words).some((place) => place.startsWith(VALUE));

/** @param {string[]} words @returns {number[]} characters of the values that have a length of their own @throws {Error} */
export const sizesIn = (words) => placesIn(words).flatMap((place) => sizeOf(place) ?? []);

const LARGEST = 512e6;

/** @param {string} place @returns {number | null} null where it has none of its own @throws {Error} */
function sizeOf(place) {
  const [, text] = place.split(/[@}]/);
  if (!place.includes('@')) return null;
  const bytes = byteSize(text);
  if (bytes !== null && bytes <= LARGEST) return bytes;
  throw new Error(`expected a length of up to 512mb, such as {value@100kb}, got '${place}'`);
}

/**
 * @typedef {Pick<Item, 'index' | 'key' | 'value'>} Filling
 * @typedef {object} Others @property {string} missing a key that stays empty
 * @property {(size: number) => Pick<Item, 'value'>[]} itemsOf with values of a length of their own
 */

/**
 * Splits each word once, as commands are made while the clock runs.
 * @param {string[]} words @param {Others} others @returns {(item: Filling) => Command}
 */
export function fillerOf(words, others) {
  const makers = words.map((word) => makerOf(word, others));
  return (item) =>
    /** @type {Command} */ (makers.map((make) => (typeof make === 'string' ? make : make(item))));
}

/** @param {string} word @param {Others} others @returns {string | ((item: Filling) => string)} itself where nothing is filled in */
function makerOf(word, { missing, itemsOf }) {
  const makers = word.split(FILLED_IN).map((part, at) => {
    if (at % 2 === 0) return part;
    if (part === KEY) return (/** @type {Filling} */ { key }) => key;
    if (part === MISSING) return missing;
    const size = sizeOf(part);
    if (size === null) return (/** @type {Filling} */ { value }) => value;
    const items = itemsOf(size);
    return (/** @type {Filling} */ { index }) => items[index % items.length].value;
  });
  const [first = '', ...rest] = makers.filter((make) => make !== '');
  if (rest.length === 0) return first;
  return (item) => [first, ...rest].map((make) => (typeof make === 'string' ? make : make(item))).join('');
}

/** The key stays empty, and WAIT replies with numbers. @type {Step['accept']} */
const isNothingOrNumber = (reply) => reply === null || typeof reply === 'number' || Array.isArray(reply);

/**
 * @param {string[]} args
 * @param {Pick<CycleContext, 'keyPrefix' | 'itemsOf'> & {prepare?: string[] | null, finds?: Finds, mayWait?: boolean}} how
 *   `prepare`: the command of the user's that stored its data; `mayWait`: whether it may be one that waits @returns {Step}
 */
export function createOwnStep(
  args,
  { prepare = null, finds = 'anything', mayWait = false, keyPrefix = '', itemsOf },
) {
  // They may come from another machine.
  checkCommand(args, { mayWait });
  const commandFor = fillerOf(args, { missing: `${keyPrefix}:missing`, itemsOf });
  /** @type {Pick<Step, 'command' | 'send'>} */
  const step = {
    command: args[0].toLowerCase(),
    send: (commands, item) => commands.command(commandFor(item)),
  };
  if (waitMsOf(args) !== null) return { ...step, waits: true, accept: isNothingOrNumber };
  const { accept, ...learning } = createExpected({ zeroIsEmpty: prepare === null, usesUp: usesUp(args) });
  const preparedBy = prepare?.[0].toUpperCase() ?? null;
  return { ...step, accept, learning: { args, finds, preparedBy, ...learning } };
}
