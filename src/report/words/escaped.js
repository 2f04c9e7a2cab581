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
