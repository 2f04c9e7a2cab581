/** All controls but the line feed, and what turns the direction of writing. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Makes text from outside (a server's error, a client's name, a title in a file) safe for a terminal:
 * what would move the cursor, colour, or hide text is shown as its number instead.
 *
 * @param {string} text
 * @returns {string}
 */
export const printable = (text) =>
  text.replace(CONTROLS, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0)).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });

/**
 * @template T
 * @param {T} data plain JSON
 * @returns {T} the same with every text in it made printable, names of fields included; itself where
 *   there is nothing to do, because reports can be large
 */
export function printableDeep(data) {
  if (typeof data === 'string') return /** @type {any} */ (printable(data));
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data).map(([name, value]) => [printable(name), printableDeep(value)]);
  const names = Object.keys(data);
  const values = /** @type {any} */ (data);
  if (entries.every(([name, value], index) => name === names[index] && value === values[name])) return data;
  return /** @type {any} */ (
    Array.isArray(data) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
  );
}
