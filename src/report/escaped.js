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

/**
 * What moves the cursor, colours, hides, breaks a line, changes the direction of writing or shows nothing; halves of
 * characters; and marks that pile up on one letter: no script needs more than four.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?<=\p{M}{4})\p{M}/gu;
/** Most texts match this, which is ten times as fast as looking for what is hidden. */
const PLAIN = /^[ -~]*$/;
/** @type {Record<string, string>} */
const BREAKS = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from outside, safe for a terminal and on one line: what is hidden is shown by its number.
 * @param {string} text
 */
export const printable = (text) => (PLAIN.test(text) ? text : text.replace(HIDDEN, shown));

/** @param {string} character */
function shown(character) {
  const code = Number(character.codePointAt(0)).toString(16);
  if (character in BREAKS) return BREAKS[character];
  if (code.length > 4) return `\\u{${code}}`;
  return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
}

/** @param {string} own pattern of what stays as it is @returns {(text: string) => string} */
export function printableBeside(own) {
  const foreign = new RegExp(`(?!${own})(?:${HIDDEN.source})`, 'gu');
  return (text) => text.replace(foreign, shown);
}

/** @param {unknown} data @returns {string} JSON that keeps all texts true, and is as safe for a terminal */
export function inJson(data) {
  const text = JSON.stringify(data, null, 2);
  return `${text.replaceAll(HIDDEN, (character) => (character === '\n' ? character : unitsOf(character)))}\n`;
}

/** @param {string} character @returns {string} as JSON escapes it */
const unitsOf = (character) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * With printable texts and names. Reports can be large, so what is printable stays itself.
 * @template T @param {T} data plain JSON @returns {T}
 */
export const printableDeep = (data) => safe(data);

/** @param {any} data @returns {any} */
function safe(data) {
  if (typeof data === 'string') return printable(data);
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const all = data.map(safe);
    return all.every((each, index) => each === data[index]) ? data : all;
  }
  const entries = Object.entries(data).map(([name, value]) => [safe(name), safe(value)]);
  return entries.every(([name, value]) => data[name] === value) ? data : Object.fromEntries(entries);
}
