/** @import { OpenContext } from '../core/plugins/types.js' */

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A slice refers to the whole text, and a client copies that of a short one each time. */
const SHORT = 1024;

/** Two places of a command get different content of the same size. @returns {(bytes: number, place?: number) => string} */
export function createContent() {
  let text = LETTERS;
  /** @type {Map<string, string>} */
  const made = new Map();
  return (bytes, place = 0) => {
    const offset = place % LETTERS.length;
    const key = `${bytes}@${offset}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    if (text.length < offset + bytes)
      text = LETTERS.repeat(Math.ceil((2 * (offset + bytes)) / LETTERS.length));
    const cut = text.slice(offset, offset + bytes);
    const content = bytes < SHORT ? Buffer.from(cut).toString('latin1') : cut;
    made.set(key, content);
    return content;
  };
}

/** Larger amounts would overflow 64 bits after a few thousand additions. */
const MOST_DIGITS = 12;

/** @param {number} characters @param {boolean} isLarge whether its digits are nines @returns {string} a whole number */
export function numberOf(characters, isLarge) {
  const digits = Math.max(1, Math.min(characters, isLarge ? MOST_DIGITS + 1 : MOST_DIGITS));
  return isLarge ? '9'.repeat(digits) : `1${'0'.repeat(digits - 1)}`;
}

const DIGITS = 36;
export const SHORTEST_KEY_BYTES = 12;
/** A hostile profile may have keys of megabytes. */
const LONGEST = 4096;

/**
 * The keys of a replay: as long as the recorded ones, or longer where they would not be unique.
 * @param {{prefix: string, slots: OpenContext['slots']}} names
 */
export function createReplayKeys({ prefix, slots }) {
  /** @type {Map<string, string>} */
  const keys = new Map();
  return {
    /**
     * @param {number} number of the key in the recording @param {number} bytes
     * @param {string} use a recorded key has one key for each use @param {string} [group] its keys share a slot
     */
    keyOf(number, bytes, use, group) {
      const isTagged = slots === 'spread' && group !== undefined;
      const id = `${number} ${use}${isTagged ? ` ${group}` : ''}`;
      const known = keys.get(id);
      if (known !== undefined) return known;
      const tag = slots === 'one' ? '{s}' : isTagged ? `{${group}}` : '';
      const key = `${prefix}${tag}${keys.size.toString(DIGITS)}.`.padEnd(Math.min(LONGEST, bytes), 'k');
      keys.set(id, key);
      return key;
    },

    /** @returns {string[]} */
    all: () => [...keys.values()],
  };
}
