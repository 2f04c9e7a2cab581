/** What a number counts, which stands in its line. */
const UNIT = /^(?:%|[µm]?s|min|kB|[MG]B|tasks?|keys?|cells?|runs?|points?|columns|characters)(?!\w)/;

/** @param {string} text @param {number} width @returns {string[]} lines broken between words, never before a unit */
export function wrap(text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of wordsOf(text)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** @param {string} text @returns {string[]} words, and numbers together with their units: `± 28 %`, `120 µs` */
function wordsOf(text) {
  /** @type {string[]} */
  const words = [];
  for (const word of text.split(' ')) {
    const last = words.at(-1) ?? '';
    if (last === '±' || (UNIT.test(word) && /\d$/.test(last))) words[words.length - 1] = `${last} ${word}`;
    else words.push(word);
  }
  return words;
}

/**
 * @param {string} text @param {number} width
 * @returns {string[]} lines broken between words; of a word longer than a line only as much as fits
 */
export const fitLines = (text, width) =>
  wrap(text, width).map((line) => (line.length <= width ? line : `${line.slice(0, width - 1)}…`));

/** @param {string} text @param {number} width @returns {string[]} lines of an item of a list */
export const bullets = (text, width) =>
  wrap(text, width - 2).map((line, index) => `${index === 0 ? '-' : ' '} ${line}`);
