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

/** Two columns each: what East Asian scripts write in a square, and emoji. */
const WIDE =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Yiii}\p{Emoji_Presentation}\u3000-\u303e\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6]/u;
/** Of those scripts, but half as wide. */
const HALF_WIDE = /[\uff61-\uffdc]/;
/** They stand on the letter before them. */
const MARK = /\p{M}/u;
const ASCII = /^[ -~]*$/;

/** @param {string} text printable @returns {number} columns of a terminal */
export const columnsOf = (text) =>
  ASCII.test(text)
    ? text.length
    : Array.from(text).reduce((sum, character) => sum + columnsOfOne(character), 0);

/** @param {string} character */
function columnsOfOne(character) {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) && !HALF_WIDE.test(character) ? 2 : 1;
}

/** @param {string} text printable @param {number} columns @returns {string} as much of its start as fits */
export function cut(text, columns) {
  if (ASCII.test(text)) return text.slice(0, columns);
  let left = columns;
  let end = 0;
  for (const character of text) {
    left -= columnsOfOne(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** @param {string} text printable @param {number} columns @param {'left' | 'right'} [align] @returns {string} with blanks to that width */
export function padded(text, columns, align = 'left') {
  const blanks = ' '.repeat(Math.max(0, columns - columnsOf(text)));
  return align === 'left' ? `${text}${blanks}` : `${blanks}${text}`;
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
