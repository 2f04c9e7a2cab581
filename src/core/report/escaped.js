/** @param {string} text @returns {string} without line breaks, which would start a line of another meaning */
export const inOneLine = (text) => text.replaceAll(/\s+/g, ' ');

/** @param {string} text @returns {string} on one line, escaped for Markdown, HTML, and addresses, mentions and issues on a site */
export const inMarkdown = (text) =>
  inOneLine(text)
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[@#](?=\w)|\b(?:https?|ftp):(?=\/\/)|\bwww(?=\.)/gi, '$&<!-- -->');

/** @param {string} text @returns {string} for a table with | between its columns that is read as plain text */
export const inColumn = (text) => inOneLine(text).replaceAll(/[\\|]/g, String.raw`\$&`);

/** @typedef {string | number | boolean | null | undefined} Value */

/** @param {Value[]} values @returns {string} a line of RFC 4180 */
export const csvLine = (values) => `${csvFields(values)}\r\n`;

/** @param {Value[]} values @returns {string} without the end of the line */
export const csvFields = (values) => values.map(csvField).join(',');

/**
 * @param {Value} value
 * @returns {string} quoted if needed. Text that a spreadsheet would take for a formula, which can start
 *   programs, gets an apostrophe in front: https://owasp.org/www-community/attacks/CSV_Injection
 */
function csvField(value) {
  if (value == null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Control characters but the line feed, and those that change the direction of writing. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Text from outside, safe for a terminal: characters that would move the cursor, colour or hide text are shown by their numbers.
 * @param {string} text
 */
export const printable = (text) =>
  text.replace(CONTROLS, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0)).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });

/** Most texts match this, which is ten times as fast as looking for control characters. */
const PLAIN = /^[\n -~]*$/;

/**
 * With printable texts and names. Reports can be large, so what is printable stays itself.
 * @template T @param {T} data plain JSON @returns {T}
 */
export const printableDeep = (data) => safe(data);

/** @param {any} data @returns {any} */
function safe(data) {
  if (typeof data === 'string') return PLAIN.test(data) ? data : printable(data);
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const all = data.map(safe);
    return all.every((each, index) => each === data[index]) ? data : all;
  }
  const entries = Object.entries(data).map(([name, value]) => [safe(name), safe(value)]);
  return entries.every(([name, value]) => data[name] === value) ? data : Object.fromEntries(entries);
}
