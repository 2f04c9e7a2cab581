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
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** @param {string} word @param {number} width @returns {string[]} */
function broken(word, width) {
  if (word.length <= width) return [word];
  const end = Math.max(word.lastIndexOf(',', width - 1), word.lastIndexOf(' ', width - 1)) + 1 || width;
  return [word.slice(0, end).trimEnd(), ...broken(word.slice(end), width)];
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
