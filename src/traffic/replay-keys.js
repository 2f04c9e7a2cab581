const DIGITS = 36;
/** The prefix and a number. */
export const SHORTEST_KEY_BYTES = 12;
/** A key of a hostile profile may be of megabytes. */
const LONGEST = 4096;

/**
 * The keys of a replay: this tool's own, as long as the recorded ones where that is long enough to tell them apart.
 *
 * @param {object} names
 * @param {string} names.prefix of every key
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
     * @param {number} number of the key in the recording
     * @param {number} bytes
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

    count: () => keys.size,
  };
}
