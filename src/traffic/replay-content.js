const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A slice of a long text refers to all of it, and a client copies that of a short one each time. */
const SHORT = 1024;

/**
 * Content of any size, cut out of one long text. Two places of a command get different contents of the same size.
 * @returns {(bytes: number, place?: number) => string}
 */
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

/** An amount of more digits is added up beyond 64 bits after a few thousand times. */
const MOST_DIGITS = 12;

/** @param {number} characters @returns {string} a longitude or a latitude */
export const coordinateOf = (characters) =>
  characters < 3 ? '1' : '1.'.padEnd(Math.min(MOST_DIGITS, characters), '0');

/**
 * @param {number} characters @param {boolean} isLarge whether its digits are nines
 * @returns {string} a whole number that Redis reads
 */
export function numberOf(characters, isLarge) {
  const digits = Math.max(1, Math.min(characters, isLarge ? MOST_DIGITS + 1 : MOST_DIGITS));
  return isLarge ? '9'.repeat(digits) : `1${'0'.repeat(digits - 1)}`;
}

const DIGITS = 36;
export const SHORTEST_KEY_BYTES = 12;
/** A key of a hostile profile may be of megabytes. */
const LONGEST = 4096;

/**
 * The keys of a replay: this tool's own, as long as the recorded ones where that is long enough to tell them apart.
 * @param {object} names @param {string} names.prefix of every key
 * @param {'none' | 'one' | 'spread'} names.slots of a cluster: all keys in one slot, or spread over all
 */
export function createReplayKeys({ prefix, slots }) {
  /** @type {Map<string, string>} */
  const keys = new Map();

  /** @param {number} bytes @param {string} tag */
  function nameOf(bytes, tag) {
    const name = `${prefix}${tag}${keys.size.toString(DIGITS)}.`;
    return name.padEnd(Math.min(LONGEST, bytes), 'k');
  }

  return {
    /**
     * @param {number} number of the key in the recording @param {number} bytes
     * @param {string} use what it is used for: the same key of another use is another one
     * @param {string} [group] keys of a command that has several: they share a slot
     */
    keyOf(number, bytes, use, group) {
      const isTagged = slots === 'spread' && group !== undefined;
      const id = `${number} ${use}${isTagged ? ` ${group}` : ''}`;
      const known = keys.get(id);
      if (known !== undefined) return known;
      const key = nameOf(bytes, slots === 'one' ? '{s}' : isTagged ? `{${group}}` : '');
      keys.set(id, key);
      return key;
    },

    /** @returns {string[]} */
    all: () => [...keys.values()],
  };
}
