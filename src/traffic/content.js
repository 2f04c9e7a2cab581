const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A slice of a long text refers to all of it, and a client copies that of a short one each time. */
const SHORT = 1024;

/**
 * Content of any size, cut out of one long text. Two places of a command get different contents of the same size.
 *
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
 * @param {number} characters
 * @param {boolean} isLarge whether its digits are nines
 * @returns {string} a whole number that Redis reads
 */
export function numberOf(characters, isLarge) {
  const digits = Math.max(1, Math.min(characters, isLarge ? MOST_DIGITS + 1 : MOST_DIGITS));
  return isLarge ? '9'.repeat(digits) : `1${'0'.repeat(digits - 1)}`;
}
