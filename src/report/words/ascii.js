/** @type {Record<string, string>} */
const INSTEAD = {
  '─': '-',
  '–': '-',
  '×': 'x',
  '·': '|',
  µ: 'u',
  '…': '~',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
};

/**
 * For terminals that show only ASCII. Only ± becomes longer; it takes one of two blanks before it.
 *
 * @param {string} text
 * @returns {string} the same in ASCII, with `?` for each character that has no equivalent
 */
export const toAscii = (text) =>
  text
    .replace(/ (?= ±)/g, '')
    .replaceAll('±', '+-')
    .replace(/\P{ASCII}/gu, (character) => INSTEAD[character] ?? '?');
