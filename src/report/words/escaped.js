/** @param {string} text @returns {string} without line breaks, which would start a line of another meaning */
export const inOneLine = (text) => text.replaceAll(/\s+/g, ' ');

/**
 * @param {string} text
 * @returns {string} on one line, escaped for Markdown, HTML, and what a site makes of addresses, mentions and issues
 */
export const inMarkdown = (text) =>
  inOneLine(text)
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[@#](?=\w)|\b(?:https?|ftp):(?=\/\/)|\bwww(?=\.)/gi, '$&<!-- -->');

/** @param {string} text @returns {string} for a table with | between its columns that is read as text, where nothing else is escaped */
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

/** All control characters but the line feed, and those that change the direction of writing. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Makes text from outside (a server's error, a client's name, a title in a file) safe for a terminal:
 * characters that would move the cursor, colour or hide text are shown by their numbers.
 * @param {string} text @returns {string}
 */
export const printable = (text) =>
  text.replace(CONTROLS, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0)).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });

/**
 * @template T @param {T} data plain JSON
 * @returns {T} the same with all texts and names of fields made printable; the object itself if nothing
 *   changes, because reports can be large
 */
export function printableDeep(data) {
  if (isPrintable(data, new Set())) return data;
  if (typeof data === 'string') return /** @type {any} */ (printable(data));
  if (Array.isArray(data)) return /** @type {any} */ (data.map(printableDeep));
  const entries = Object.entries(/** @type {object} */ (data));
  return /** @type {any} */ (
    Object.fromEntries(entries.map(([name, value]) => [printable(name), printableDeep(value)]))
  );
}

/** Most texts match this, which is ten times as fast as looking for control characters. */
const PLAIN = /^[\n -~]*$/;

/** @param {string} text */
const isPlain = (text) => PLAIN.test(text) || printable(text) === text;

/**
 * @param {unknown} data
 * @param {Set<string>} seen names of fields known to be printable: 100,000 runs have the same ones @returns {boolean}
 */
function isPrintable(data, seen) {
  if (typeof data === 'string') return isPlain(data);
  if (typeof data !== 'object' || data === null) return true;
  if (Array.isArray(data)) return data.every((each) => isPrintable(each, seen));
  for (const name of Object.keys(data)) {
    if (!seen.has(name) && !isPlain(name)) return false;
    seen.add(name);
    if (!isPrintable(/** @type {any} */ (data)[name], seen)) return false;
  }
  return true;
}

/** The signs that a character of ASCII stands for. */
const SIGNS = {
  '-': '─–░',
  '|': '·│┤├',
  '+': '▄└┴',
  '#': '█▉▊▋▌▍▎▏◆',
  '=': '▒',
  '.': '∙',
  o: '●',
  x: '×',
  u: 'µ',
  V: '▼',
  v: '▽',
  '~': '…',
  '"': '“”',
  "'": '‘’',
};
const INSTEAD = new Map(
  Object.entries(SIGNS).flatMap(([ascii, signs]) => [...signs].map((sign) => [sign, ascii])),
);

/**
 * For terminals that show only ASCII. Only ± becomes longer; it takes one of two blanks before it.
 * @param {string} text @returns {string} the same in ASCII, with `?` for each character that has no equivalent
 */
export const toAscii = (text) =>
  text
    .replace(/ (?= ±)/g, '')
    .replaceAll('±', '+-')
    .replace(/\P{ASCII}/gu, (character) => INSTEAD.get(character) ?? '?');
