import { whole } from '../../core/report/figures.js';
import { figureOfCell, metricNamed } from '../../core/store/metrics.js';
import { figuresOf, parseAssertion } from './parse.js';
import { findCell } from './references.js';

/** @import { CellResult } from '../../core/store/types.js' */
/** @import { Verdict } from '../../core/report/types.js' */
/** @import { Node } from './parse.js' */

/**
 * @typedef {{low: number, high: number}} Range in which a figure lies: both are the same for a number
 *
 * @typedef {object} Question
 * @property {CellResult[]} cells
 * @property {boolean} strict
 * @property {string[]} figures that decide it, for the message
 * @property {string[]} unknown why it cannot be decided
 */

/**
 * Decides by the medians, or, if strict, for every value within the intervals, so that it rather fails.
 * @param {string} text @param {CellResult[]} cells @param {boolean} strict @returns {Verdict}
 */
export function evaluateAssertion(text, cells, strict) {
  /** @type {Question} */
  const question = { cells, strict, figures: [], unknown: [] };
  const held = holds(parseAssertion(text), question);
  const { figures, unknown } = question;
  return { text, strict, holds: held, figures: unknown.length > 0 ? unknown : figures };
}

/** @param {Node} node @param {Question} question @returns {boolean} */
function holds({ operator, operands = [] }, question) {
  const [left, right] = operands;
  // The message shows the figures of both.
  if (operator === 'and' || operator === 'or') {
    const [a, b] = [holds(left, question), holds(right, question)];
    return operator === 'and' ? a && b : a || b;
  }
  const work = workOf([...figuresOf(left), ...figuresOf(right)], question.cells);
  const [a, b] = [range(left, work, question), range(right, work, question)];
  question.figures.push(...described(left, a), ...described(right, b));
  if (work !== null) question.figures.push(`both of ${work.iterations} iterations, as ${work.id} did`);
  return COMPARISONS[/** @type {keyof typeof COMPARISONS} */ (operator)](a, b);
}

/**
 * `work`: all are scaled to its iterations.
 * @param {Node} node @param {CellResult | null} work @param {Question} question @returns {Range}
 */
function range(node, work, question) {
  if (node.value !== undefined) return exactly(node.value);
  if (node.metric !== undefined) return figureRange(node, work, question);
  const [left, right] = /** @type {Node[]} */ (node.operands).map((operand) =>
    range(operand, work, question),
  );
  return ARITHMETIC[/** @type {keyof typeof ARITHMETIC} */ (node.operator)](left, right);
}

/** @param {Node} node @param {CellResult | null} work @param {Question} question @returns {Range} */
function figureRange({ text: name, cell = '', metric: id = '' }, work, { cells, strict, unknown }) {
  const metric = metricNamed(id);
  const found = findCell(cell, cells);
  const { summary } = found;
  const median = summary && figureOfCell(metric, summary);
  if (summary == null || median == null) {
    unknown.push(`${name} was not measured`);
    return exactly(Number.NaN);
  }
  const factor =
    metric.growsWithIterations && work !== null ? Number(work.iterations) / Number(found.iterations) : 1;
  if (summary.tooShort) {
    unknown.push(`${name} cannot be decided: its runs were too short`);
    return exactly(Number.NaN);
  }
  if (!strict) return exactly(median * factor);
  const interval = summary.intervals[id];
  if (interval == null) unknown.push(`${name} has no interval: it needs more --runs`);
  return interval ? { low: interval.low * factor, high: interval.high * factor } : exactly(Number.NaN);
}

/**
 * Times grow with the iterations. If cells had different numbers of them, all are scaled to the first one named.
 * @param {Node[]} figures of one comparison @param {CellResult[]} cells @returns {CellResult | null} null if nothing needs scaling
 */
function workOf(figures, cells) {
  const growing = figures
    .filter(({ metric = '' }) => metricNamed(metric).growsWithIterations)
    .map(({ cell = '' }) => findCell(cell, cells));
  const counts = new Set(growing.map(({ iterations }) => iterations));
  return counts.size > 1 && !counts.has(null) ? growing[0] : null;
}

/** @param {number} value @returns {Range} */
const exactly = (value) => ({ low: value, high: value });

/** @type {Record<'+' | '-' | '*' | '/', (a: Range, b: Range) => Range>} */
const ARITHMETIC = {
  '+': (a, b) => ({ low: a.low + b.low, high: a.high + b.high }),
  '-': (a, b) => ({ low: a.low - b.high, high: a.high - b.low }),
  '*': (a, b) => spanning([a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]),
  '/': (a, b) =>
    b.low <= 0 && b.high >= 0
      ? { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
      : spanning([a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high]),
};

/** Whether it holds for all values of both ranges. @type {Record<'<' | '<=' | '>' | '>=', (a: Range, b: Range) => boolean>} */
const COMPARISONS = {
  '<': (a, b) => a.high < b.low,
  '<=': (a, b) => a.high <= b.low,
  '>': (a, b) => a.low > b.high,
  '>=': (a, b) => a.low >= b.high,
};

/** @param {number[]} values @returns {Range} */
const spanning = (values) => ({ low: Math.min(...values), high: Math.max(...values) });

/** @param {Node} node @param {Range} range @returns {string[]} its value; nothing for a plain number */
function described({ value, text }, { low, high }) {
  if (value !== undefined) return [];
  return [`${text} is ${low === high ? number(low) : `${number(low)} to ${number(high)}`}`];
}

/** @param {number} value */
const number = (value) => (Math.abs(value) >= 1000 ? whole(value) : String(Number(value.toPrecision(4))));
