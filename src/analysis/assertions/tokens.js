import { UsageError } from '../../errors.js';

/**
 * @typedef {object} Token
 * @property {'number' | 'figure' | 'operator' | 'end'} kind
 * @property {string} text as it was written
 * @property {number} at where it begins
 * @property {number} [value] of a number; `80%` is 0.8
 * @property {string} [cell] of a figure: the parts of the cell's name
 * @property {string} [metric]
 */

/** Longer than any assertion that a person writes, and short enough for a recursive parser. */
export const LONGEST = 1000;

/**
 * The parts of a cell's name begin with a letter and hold hyphens, colons and slashes: `redis:tuned/pool`.
 * A figure always ends with its metric, so that none of these can be an operator. A dot before a digit
 * belongs to a version: `redis@4.7.1`.
 */
const NAME = String.raw`[A-Za-z][\w:@#/-]*(?:\.\d[\w:@#/-]*)*`;
const QUOTED = `"[^"]*"|'[^']*'`;
const PARTS = new RegExp(
  [
    String.raw`(?<blank>\s+)`,
    String.raw`(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?<percent>\s?%)?`,
    String.raw`(?<cell>${QUOTED}|${NAME})\.(?<metric>[A-Za-z]\w*)`,
    String.raw`(?<operator><=|>=|==|!=|[<>=+*/()-]|(?:and|or)(?![\w-]))`,
  ].join('|'),
  'y',
);

/**
 * @param {string} text
 * @returns {Token[]} the last one is the end
 * @throws {UsageError} that shows the place of what cannot be read
 */
export function tokenize(text) {
  if (text.length > LONGEST)
    throw new UsageError(`expected at most ${LONGEST} characters, got ${text.length}`);
  /** @type {Token[]} */
  const tokens = [];
  for (let at = 0; at < text.length; ) {
    PARTS.lastIndex = at;
    const match = PARTS.exec(text);
    if (match === null) throw unknownWord(text, at);
    const { blank, number, percent, cell, metric } = match.groups ?? {};
    const token = { text: match[0], at };
    if (number !== undefined) {
      tokens.push({ ...token, kind: 'number', value: Number(number) / (percent ? 100 : 1) });
    } else if (cell !== undefined) {
      tokens.push({ ...token, kind: 'figure', cell: cell.replace(/^["']|["']$/g, ''), metric });
    } else if (blank === undefined) tokens.push({ ...token, kind: 'operator' });
    at = PARTS.lastIndex;
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}

/** @param {string} text @param {number} at */
function unknownWord(text, at) {
  const [word] = /^(?:"[^"]*"?|'[^']*'?|[\w:@#/.-]+|.)/.exec(text.slice(at)) ?? [''];
  const why = /^[A-Za-z"']/.test(word)
    ? `expected a cell and its metric, such as pool.opsPerSecond, got '${word}'`
    : `'${word}' means nothing here`;
  return errorAt(text, at, why);
}

/** @param {string} text @param {number} at @param {string} why @returns {UsageError} with the place below the text */
export const errorAt = (text, at, why) =>
  new UsageError(`${why}\n  ${text.replace(/\s/g, ' ')}\n  ${' '.repeat(at)}^`);
