import { UsageError } from '../../errors.js';
import { METRICS } from '../../metrics/all-metrics.js';
import { findMetric } from '../../metrics/metric-values.js';

/**
 * @typedef {object} Node a part of an assertion; whether it is a number or true or false is known beforehand
 * @property {'number' | 'figure' | 'operation'} kind
 * @property {boolean} isTruth
 * @property {string} text as it was written
 * @property {number} [value]
 * @property {string} [cell]
 * @property {string} [metric]
 * @property {string} [operator]
 * @property {Node[]} [operands] two
 */

/** Operators that bind more tightly have a higher power. */
const OPERATORS = [
  { texts: ['or'], power: 1, ofTruths: true, isTruth: true },
  { texts: ['and'], power: 2, ofTruths: true, isTruth: true },
  { texts: ['<', '<=', '>', '>='], power: 3, ofTruths: false, isTruth: true },
  { texts: ['+', '-'], power: 4, ofTruths: false, isTruth: false },
  { texts: ['*', '/'], power: 5, ofTruths: false, isTruth: false },
];

/**
 * @typedef {object} Reading
 * @property {string} text
 * @property {Token[]} tokens
 * @property {number} next the index of the first token that has not been read
 */

/**
 * Reads an assertion: comparisons of arithmetic on numbers and figures, joined by `and` and `or`. A figure is
 * a cell and its metric.
 *
 *     shared-connection.opsPerSecond >= 1.5 * connection-per-task.opsPerSecond
 *     redis:tuned/pool.p99Us < 500 and pool.cpuUsPerOp <= 110% * shared-connection.cpuUsPerOp
 *
 * Operator precedence, as Pratt's parsers do it.
 * @param {string} text @returns {Node} @throws {UsageError} that shows the place
 */
export function parseAssertion(text) {
  const reading = { text, tokens: tokenize(text), next: 0 };
  const whole = expression(reading, 0);
  const rest = reading.tokens[reading.next];
  if (rest.kind !== 'end') throw errorAt(text, rest.at, `expected an operator or the end${got(rest)}`);
  if (!whole.isTruth) throw errorAt(text, text.length, "expected a comparison, such as 'pool.p99Us < 500'");
  return whole;
}

/** @param {Reading} reading @param {number} power only operators that bind more tightly are taken @returns {Node} */
function expression(reading, power) {
  let left = operand(reading);
  for (;;) {
    const token = reading.tokens[reading.next];
    const operator = operatorOf(token, reading.text);
    if (operator === undefined || operator.power <= power) return left;
    reading.next++;
    const right = expression(reading, operator.power);
    for (const [side, node] of Object.entries({ left, right })) {
      if (node.isTruth === operator.ofTruths) continue;
      const expected = operator.ofTruths ? 'a comparison' : 'a number or a figure';
      throw errorAt(
        reading.text,
        token.at,
        `expected ${expected} ${side} of '${token.text}', got '${node.text}'`,
      );
    }
    left = {
      kind: 'operation',
      operator: token.text,
      operands: [left, right],
      isTruth: operator.isTruth,
      text: `${left.text} ${token.text} ${right.text}`,
    };
  }
}

/** @param {Token} token @param {string} text of the assertion */
function operatorOf(token, text) {
  if (['=', '==', '!='].includes(token.text)) {
    throw errorAt(text, token.at, `measured figures are never equal; expected >= or <=, got '${token.text}'`);
  }
  return OPERATORS.find(({ texts }) => texts.includes(token.text));
}

/** @param {Reading} reading @returns {Node} */
function operand(reading) {
  const { text, tokens } = reading;
  const token = tokens[reading.next++];
  if (token.kind === 'number')
    return { kind: 'number', isTruth: false, text: token.text, value: token.value };
  if (token.kind === 'figure') return figure(token, text);
  if (token.text === '-') {
    const { text: of, value } = operand(reading);
    if (value === undefined) throw errorAt(text, token.at, 'only a number can be negative');
    return { kind: 'number', isTruth: false, text: `-${of}`, value: -value };
  }
  if (token.text === '(') {
    const inside = expression(reading, 0);
    const end = tokens[reading.next++];
    if (end.text !== ')') throw errorAt(text, end.at, `expected ')'${got(end)}`);
    return { ...inside, text: `(${inside.text})` };
  }
  throw errorAt(text, token.at, `expected a number, a figure such as pool.opsPerSecond, or '('${got(token)}`);
}

/** @param {Token} token @param {string} text of the assertion @returns {Node} */
function figure({ text: written, at, cell, metric = '' }, text) {
  const known = findMetric(metric);
  if (known === undefined) {
    throw errorAt(
      text,
      at + written.length - metric.length,
      `unknown metric '${metric}'; there are ${METRICS.map(({ id }) => id).join(', ')}`,
    );
  }
  return { kind: 'figure', isTruth: false, text: written, cell, metric: known.id };
}

/** @param {Token} token */
const got = ({ kind, text }) => (kind === 'end' ? ', but the text ends here' : `, got '${text}'`);

/** @param {Node} node @returns {Node[]} the figures in it */
export const figuresOf = (node) =>
  node.kind === 'figure' ? [node] : (node.operands ?? []).flatMap(figuresOf);

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
const LONGEST = 1000;

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
 * @param {string} text @returns {Token[]} the last one is the end
 * @throws {UsageError} that shows the place of what cannot be read
 */
function tokenize(text) {
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
const errorAt = (text, at, why) =>
  new UsageError(`${why}\n  ${text.replace(/\s/g, ' ')}\n  ${' '.repeat(at)}^`);
