import { UsageError } from '../../core/errors.js';
import { METRICS } from '../../core/store/fields.js';
import { findMetric } from '../../core/store/metrics.js';

/**
 * @typedef {object} Part of an assertion
 * @property {string} text as it was written
 * @property {number} [value] of a number; `80%` is 0.8
 * @property {string} [cell] of a figure: the parts of the cell's name
 * @property {string} [metric] of a figure
 *
 * @typedef {Part & {at: number}} Token `at`: where it begins; the last token is the end, an empty text
 *
 * @typedef {Part & {isTruth: boolean, operator?: string, operands?: Node[]}} Node a truth is true or false, anything
 *   else is a number; an operator has two operands
 *
 * @typedef {{text: string, tokens: Token[], next: number}} Reading `next`: the index of the first unread token
 */

/** Each row binds more tightly than the one before. */
const OPERATORS = [['or'], ['and'], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/']];
/** This row and those before it make a truth; only those before it take truths. */
const COMPARISON = 2;

/**
 * Reads an assertion: comparisons of arithmetic on numbers and figures, joined by `and` and `or`. A figure is
 * a cell and its metric.
 *
 *     shared-connection.opsPerSecond >= 1.5 * connection-per-task.opsPerSecond
 *     redis:tuned/pool.p99Us < 500 and pool.cpuUsPerOp <= 110% * shared-connection.cpuUsPerOp
 *
 * @param {string} text @returns {Node} @throws {UsageError} that shows the place
 */
export function parseAssertion(text) {
  const reading = { text, tokens: tokenize(text), next: 0 };
  const whole = expression(reading, 0);
  const rest = reading.tokens[reading.next];
  if (rest.text !== '') throw errorAt(text, rest.at, `expected an operator or the end${got(rest)}`);
  if (!whole.isTruth) throw errorAt(text, text.length, "expected a comparison, such as 'pool.p99Us < 500'");
  return whole;
}

/** Precedence climbing. @param {Reading} reading @param {number} least operators of this row or later @returns {Node} */
function expression(reading, least) {
  let left = operand(reading);
  for (;;) {
    const token = reading.tokens[reading.next];
    const row = rowOf(token, reading.text);
    if (row < least) return left;
    reading.next++;
    const right = expression(reading, row + 1);
    const ofTruths = row < COMPARISON;
    for (const [side, node] of Object.entries({ left, right })) {
      if (node.isTruth === ofTruths) continue;
      const expected = ofTruths ? 'a comparison' : 'a number or a figure';
      throw errorAt(
        reading.text,
        token.at,
        `expected ${expected} ${side} of '${token.text}', got '${node.text}'`,
      );
    }
    left = {
      operator: token.text,
      operands: [left, right],
      isTruth: row <= COMPARISON,
      text: `${left.text} ${token.text} ${right.text}`,
    };
  }
}

/** @param {Token} token @param {string} text of the assertion @returns {number} -1 for what is no operator */
function rowOf(token, text) {
  if (['=', '==', '!='].includes(token.text)) {
    throw errorAt(text, token.at, `measured figures are never equal; expected >= or <=, got '${token.text}'`);
  }
  return OPERATORS.findIndex((row) => row.includes(token.text));
}

/** @param {Reading} reading @returns {Node} */
function operand(reading) {
  const { text, tokens } = reading;
  const token = tokens[reading.next++];
  if (token.value !== undefined) return { ...token, isTruth: false };
  if (token.metric !== undefined) return { ...token, metric: metricIn(token, text), isTruth: false };
  if (token.text === '-') {
    const { text: of, value } = operand(reading);
    if (value === undefined) throw errorAt(text, token.at, 'only a number can be negative');
    return { isTruth: false, text: `-${of}`, value: -value };
  }
  if (token.text === '(') {
    const inside = expression(reading, 0);
    const end = tokens[reading.next++];
    if (end.text !== ')') throw errorAt(text, end.at, `expected ')'${got(end)}`);
    return { ...inside, text: `(${inside.text})` };
  }
  throw errorAt(text, token.at, `expected a number, a figure such as pool.opsPerSecond, or '('${got(token)}`);
}

/** @param {Token} figure @param {string} text of the assertion @returns {string} its id */
function metricIn({ text: written, at, metric = '' }, text) {
  const known = findMetric(metric);
  if (known !== undefined) return known.id;
  const names = METRICS.map(({ id }) => id).join(', ');
  throw errorAt(text, at + written.length - metric.length, `unknown metric '${metric}'; there are ${names}`);
}

/** @param {Token} token */
const got = ({ text }) => (text === '' ? ', but the text ends here' : `, got '${text}'`);

/** @param {Node} node @returns {Node[]} the figures in it */
export const figuresOf = (node) =>
  node.metric === undefined ? (node.operands ?? []).flatMap(figuresOf) : [node];

/** Longer than any assertion that a person writes, and short enough for a recursive parser. */
const LONGEST = 1000;

/**
 * The parts of a cell's name begin with a letter and hold hyphens, colons and slashes: `redis:tuned/pool`. A figure
 * ends with its metric, so none of these can be an operator. A dot before a digit belongs to a version: `redis@4.7.1`.
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

/** @param {string} text @returns {Token[]} @throws {UsageError} that shows the place of what cannot be read */
function tokenize(text) {
  if (text.length > LONGEST)
    throw new UsageError(`expected at most ${LONGEST} characters, got ${text.length}`);
  /** @type {Token[]} */
  const tokens = [];
  for (let at = 0; at < text.length; at = PARTS.lastIndex) {
    PARTS.lastIndex = at;
    const match = PARTS.exec(text);
    if (match === null) throw unknownWord(text, at);
    const { blank, number, percent, cell, metric } = match.groups ?? {};
    if (blank !== undefined) continue;
    tokens.push({
      text: match[0],
      at,
      ...(number !== undefined && { value: Number(number) / (percent ? 100 : 1) }),
      ...(cell !== undefined && { cell: cell.replace(/^["']|["']$/g, ''), metric }),
    });
  }
  return [...tokens, { text: '', at: text.length }];
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
const errorAt = (text, at, why) =>
  new UsageError(`${why}\n  ${text.replace(/\s/g, ' ')}\n  ${' '.repeat(at)}^`);
