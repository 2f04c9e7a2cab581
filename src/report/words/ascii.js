/** @type {Record<string, string>} */
const INSTEAD = {
  ...{ '─': '-', '–': '-', '×': 'x', '·': '|', µ: 'u', '…': '~' },
  ...{ '“': '"', '”': '"', '‘': "'", '’': "'" },
};

/**
 * For terminals that show no more. Only ± becomes longer, by the blank before it where there are two.
 *
 * @param {string} text
 * @returns {string} the same in ASCII, a `?` for each character that has no likeness there
 */
export const toAscii = (text) =>
  text
    .replace(/ (?= ±)/g, '')
    .replaceAll('±', '+-')
    .replace(/\P{ASCII}/gu, (character) => INSTEAD[character] ?? '?');
