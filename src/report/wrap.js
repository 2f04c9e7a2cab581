import stringWidth from 'string-width';

/**
 * @param {string} text @param {number} width
 * @returns {string[]} lines, never broken between a number and its unit; none of an empty text
 */
export const wrap = (text, width) => filled(wordsOf(text), width);

/** @param {string} text @param {number} width @returns {string[]} the same, with longer words broken, behind a comma or a number if there is one */
export const fitLines = (text, width) =>
  filled(
    wordsOf(text).flatMap((word) => broken(word, width)),
    width,
  );

/** @param {string[]} words @param {number} width @returns {string[]} lines */
function filled(words, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOf(last) + 1 + columnsOf(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** @param {string} word @param {number} width @returns {string[]} */
function broken(word, width) {
  if (columnsOf(word) <= width) return [word];
  const most = cut(word, width).length || [...word][0].length;
  const end = Math.max(word.lastIndexOf(',', most - 1), word.lastIndexOf(' ', most - 1)) + 1 || most;
  const rest = word.slice(end);
  return [word.slice(0, end).trimEnd(), ...(rest === '' ? [] : broken(rest, width))];
}

const ASCII = /^[ -~]*$/;

/** Counts as cli-table3 does. @param {string} text printable @returns {number} columns of a terminal */
export const columnsOf = (text) => (ASCII.test(text) ? text.length : stringWidth(text));

/** @param {string} text printable @param {number} columns @returns {string} as much of its start as fits */
export function cut(text, columns) {
  if (ASCII.test(text)) return text.slice(0, columns);
  let end = 0;
  for (const character of text) {
    if (columnsOf(text.slice(0, end + character.length)) > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Where a line does not end: between a number and its unit, and before the sign between two facts. */
const NO_BREAK = /(?<=(?:^|[ ("±])[\d.,]*\dx?) (?=[a-zµ%])|(?<=(?:^| )[±<>=]) | (?=·)/gi;

/** @param {string} text @returns {string} the same, with blanks at which no line breaks: `± 28 %`, `120 µs`, `8 tasks` */
export const unbroken = (text) => text.replace(NO_BREAK, NO_BREAK_BLANK);
export const NO_BREAK_BLANK = '\u00a0';

/** @param {string} text @returns {string[]} words, and numbers together with their units */
const wordsOf = (text) =>
  text === ''
    ? []
    : unbroken(text)
        .split(' ')
        .map((word) => word.replaceAll(NO_BREAK_BLANK, ' '));
