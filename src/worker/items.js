/**
 * The keys and values that a cell works on: a pure function of the job, so that any cell of a group
 * writes and expects the same ones.
 *
 * @param {Pick<import('../types.js').Job, 'keyPrefix' | 'keySize' | 'valueSize' | 'value'>} job
 */
export function createItems({ keyPrefix, keySize, valueSize, value }) {
  const item = Object.freeze({
    key: fill(`${keyPrefix}0`, keySize),
    value: value === 'json' ? jsonValue(valueSize) : fill('', valueSize),
  });
  return {
    /** The item of the next operation. */
    next: () => item,
    /** Every item there is. */
    all: () => [item],
  };
}

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
 * @param {number} length in characters, at least 2
 * @returns {string} a JSON document of exactly that length
 */
function jsonValue(length) {
  const frame = JSON.stringify({ data: '' });
  return flat(
    length < frame.length
      ? JSON.stringify(fill('', length - 2))
      : JSON.stringify({ data: fill('', length - frame.length) }),
  );
}
