import { exists, getKeyIndexes } from '@ioredis/commands';

/** A worker keeps them all, to remove them at the end. */
const MOST_KEYS = 1_000_000;
const OPTIONS = { nameCaseInsensitive: true };

/**
 * The keys that code of the user's works on: it may make any from those it is given, and none of anybody else's.
 *
 * @param {string} prefix of every key of this tool
 */
export function createOwnKeys(prefix) {
  /** @type {Set<string>} */
  const keys = new Set();

  /**
   * @param {string} key
   * @param {string} command
   * @throws {Error} where it is not this tool's
   */
  function add(key, command) {
    if (keys.has(key)) return;
    if (!key.startsWith(prefix)) {
      throw new Error(
        `${command.toUpperCase()} of the key '${key}', which is not this tool's: expected one that starts with the ` +
          `item's, such as \`\${item.key}:cart\``,
      );
    }
    if (keys.size === MOST_KEYS) {
      throw new Error(`it made more than ${MOST_KEYS} different keys, which could not all be removed again`);
    }
    keys.add(key);
  }

  return {
    add,

    /** @param {string[]} command */
    addAll([name, ...args]) {
      if (!exists(name, { caseInsensitive: true })) return;
      for (const index of getKeyIndexes(name, args, OPTIONS)) add(`${args[index]}`, name);
    },

    /** @returns {string[]} */
    all: () => [...keys],
  };
}
