import { createKeyOrder } from './key-order.js';

/**
 * @import { Items } from '../plugins/types.js'
 * @import { Job, Part } from './types.js'
 */

/** Values that differ from key to key show a reply that went to the wrong command; beyond this they take too much memory. */
const MOST_DISTINCT_BYTES = 64e6;

/**
 * The keys and values that a cell works on, and the order in which it takes them: a pure function of
 * the job, so that every cell of a group writes, expects and does the same.
 *
 * @param {Pick<Job, 'keyPrefix' | 'keySize' | 'valueSize' | 'shortestValue' |
 *   'value' | 'keys' | 'keyDistribution' | 'oneSlot' | 'seed'> & {part?: Part}} job
 * @returns {Items}
 */
export function createItems(job) {
  const { keys, keyDistribution, seed, part = { index: 0, count: 1 } } = job;
  const valueAt = createValues(job);
  const hash = `${job.keyPrefix}h`;
  const items = Array.from({ length: keys }, (_, index) =>
    Object.freeze({ key: keyAt(index, job), hash, value: valueAt(index) }),
  );
  const [only] = items;
  const order = keys === 1 ? null : createKeyOrder(keyDistribution, keys, seed, part);
  const nextIndex = order?.next;
  return {
    next: nextIndex === undefined ? () => only : () => items[nextIndex()],
    restart: () => order?.restart(),
    all: () => items,
    /** Every key that the cell may have written. */
    keys: () => [hash, ...items.map(({ key }) => key)],
  };
}

/**
 * @param {number} index
 * @param {Pick<Job, 'keyPrefix' | 'keySize' | 'oneSlot'>} job
 */
const keyAt = (index, { keyPrefix, keySize, oneSlot }) =>
  // What stands in braces decides the slot.
  fill(`${keyPrefix}${oneSlot ? '{s}' : ''}${index}`, keySize);

/**
 * @param {Pick<Job, 'keys' | 'valueSize' | 'shortestValue' | 'value'>} job
 * @returns {(index: number) => string}
 */
function createValues({ keys, valueSize, shortestValue, value }) {
  const make = value === 'json' ? jsonValue : fill;
  const distinct = keys > 1 && keys * valueSize <= MOST_DISTINCT_BYTES;
  /** @type {Map<string, string>} */
  const made = new Map();
  return (index) => {
    const size = shortestValue + spread(index, valueSize - shortestValue + 1);
    const start = distinct && String(index).length <= size ? String(index) : '';
    const name = `${size}/${start}`;
    const known = made.get(name) ?? make(start, size);
    if (!distinct) made.set(name, known);
    return known;
  };
}

/** Its multiples fill the unit interval evenly, however many there are: 1/φ, as in Knuth's hashing (TAOCP 3, 6.4). */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** @param {number} index @param {number} count @returns {number} from 0 to count - 1, evenly over the indices */
const spread = (index, count) => Math.floor(((index * GOLDEN) % 1) * count);

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * @param {string} start
 * @param {number} length in characters
 * @returns {string} `start` continued to that length; only ASCII, so characters are bytes
 */
function fill(start, length) {
  const rest = LETTERS.repeat(Math.ceil(length / LETTERS.length)).slice(0, length - start.length);
  return flat(start + rest);
}

/**
 * V8 keeps a concatenation as a tree of its parts, and comparing a reply with that takes a slow way
 * out of compiled code: 0.1 µs an operation, measured. Decoded from bytes, a string is in one piece.
 *
 * @param {string} text
 */
const flat = (text) => Buffer.from(text).toString('latin1');

/**
 * @param {string} start of what it holds, where there is room
 * @param {number} length in characters, at least 2
 * @returns {string} a JSON document of exactly that length
 */
function jsonValue(start, length) {
  const frame = JSON.stringify({ data: '' });
  const held = (/** @type {number} */ room) => fill(start.length > room ? '' : start, room);
  return flat(
    length < frame.length
      ? JSON.stringify(held(length - 2))
      : JSON.stringify({ data: held(length - frame.length) }),
  );
}
