import { axesOf } from '../../axes/all-axes.js';
import { UsageError, withErrorPrefix } from '../../errors.js';
import { count, percent, whole } from '../../report/figures.js';
import {
  figureOfCell,
  findMetric,
  hasInterval,
  isOfEnough,
  isOfTime,
  METRICS,
  metricNamed,
} from '../../store/metrics.js';
import { isDisturbed } from '../../store/slices.js';

/** @import { Cell } from '../../run/plan/types.js' */
/** @import { Contrast } from '../../statistics/contrasts.js' */
/** @import { CellResult, Metric } from '../../store/types.js' */
/** @import { Outcome, Verdict } from '../../report/types.js' */

/** @typedef {{low: number, high: number}} Range in which a figure lies: both are the same for a number */

/** Whether it holds for all values of both sides. @type {Record<string, (a: Range, b: Range) => boolean>} */
const COMPARISONS = {
  '<': (a, b) => a.high < b.low,
  '<=': (a, b) => a.high <= b.low,
  '>': (a, b) => a.low > b.high,
  '>=': (a, b) => a.low >= b.high,
};

/** What holds where a comparison does not. @type {Record<string, string>} */
const OPPOSITE = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

const LONGEST = 1000;

/**
 * The parts of a cell's name begin with a letter and hold hyphens, colons and slashes: `redis:tuned/pool`. A dot before a
 * digit belongs to a version: `redis@4.7.1`.
 */
const NAME = String.raw`[A-Za-z][\w:@#/-]*(?:\.\d[\w:@#/-]*)*`;
const FIGURE = String.raw`(?<figure>(?<cell>"[^"]*"|'[^']*'|${NAME})\.(?<metric>[A-Za-z]\w*(?:\.[A-Za-z]\w*)*))`;
const NUMBER = String.raw`(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?<percent>\s?%)?`;
const SIDE = new RegExp(String.raw`(?:${NUMBER}\s*\*\s*)?${FIGURE}`, 'y');
const PLAIN = new RegExp(NUMBER, 'y');
const OPERATOR = /(?<operator>[<>]=?)/y;
const AND = /and(?![\w-])/y;
const BLANK = /\s*/y;
const INSTEAD = "; 'or', sums and parentheses are gone: write a < 2 * b, with an --assert for each";

/** Only their syntax: the cells are not known yet. @param {{assert: string[], breakdown?: string}} settings @throws {UsageError} */
export function checkSyntax({ assert, breakdown }) {
  for (const text of assert)
    withErrorPrefix('--assert', () => {
      const unknown = figuresOf(parseAssertion(text)).find(({ metric }) => metricNamed(metric).ofPass);
      if (unknown && breakdown !== 'all')
        throw new UsageError(`'${unknown.metric}' is measured with --breakdown only`);
    });
}

/**
 * Reads an assertion: comparisons of figures and numbers, joined by `and`. A figure is a cell and its metric, and may have
 * a factor.
 *
 *     shared-connection.opsPerSecond >= 1.5 * connection-per-task.opsPerSecond
 *     redis:tuned/pool.p99Us < 500 and pool.cpuUsPerOp <= 110% * shared-connection.cpuUsPerOp
 *
 * @param {string} text @throws {UsageError} that shows the place
 */
export function parseAssertion(text) {
  if (text.length > LONGEST)
    throw new UsageError(`expected at most ${LONGEST} characters, got ${text.length}`);
  let at = 0;
  /** @type {(pattern: RegExp) => Record<string, string> | null} */
  function take(pattern) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return null;
    BLANK.lastIndex = pattern.lastIndex;
    BLANK.exec(text);
    at = BLANK.lastIndex;
    return { ...match.groups, text: match[0] };
  }
  /** @type {(why: string) => never} */
  function refuse(why) {
    const rest = text.slice(at).split(/\s/)[0];
    const got = rest === '' ? ', but the text ends here' : `, got '${rest}'`;
    throw errorAt(text, at, `${why}${got}${/^(?:or$|[-+/(])/.test(rest) ? INSTEAD : ''}`);
  }
  function side() {
    const from = at;
    const found = take(SIDE) ?? take(PLAIN) ?? refuse('expected a number, or a figure such as pool.p99Us');
    const { number = '1', percent, figure, cell = '', metric = '' } = found;
    const factor = Number(number) / (percent ? 100 : 1);
    if (figure === undefined) return { text: found.text, factor, figure: null };
    const known = findMetric(metric);
    if (known === undefined) {
      const names = METRICS.map(({ id }) => id).join(', ');
      const start = from + found.text.length - metric.length;
      throw errorAt(text, start, `unknown metric '${metric}'; there are ${names}`);
    }
    const named = { text: figure, cell: cell.replace(/^["']|["']$/g, ''), metric: known.id };
    return { text: found.text, factor, figure: named };
  }
  const comparisons = [];
  take(BLANK);
  do {
    const left = side();
    const { operator } = take(OPERATOR) ?? refuse('expected <, <=, > or >=');
    comparisons.push({ operator, left, right: side() });
  } while (take(AND) !== null);
  if (at < text.length) refuse("expected 'and' or the end");
  return comparisons;
}

/** @typedef {ReturnType<typeof parseAssertion>[number]} Comparison */
/** @typedef {Comparison['left']} Side */

/** @type {(text: string, at: number, why: string) => UsageError} */
const errorAt = (text, at, why) => new UsageError(`${why}, at character ${at + 1} of '${text}'`);

/** @param {Comparison[]} comparisons */
const figuresOf = (comparisons) =>
  comparisons.flatMap(({ left, right }) => [left.figure ?? [], right.figure ?? []].flat());

/**
 * Decides by the whole interval of each comparison: it holds for all of its values, for none, or is not decided. If strict, it
 * fails unless it holds. Two cells of one group are compared by their ratio within the same starts, all else by its own interval.
 * @param {string} text @param {CellResult[]} cells @param {boolean} strict
 * @param {(metric: Metric, a: CellResult, b: CellResult) => Contrast | null | undefined} [between] undefined where the cells
 *   share no starts; null where they were not compared
 * @returns {Verdict}
 */
export function evaluateAssertion(text, cells, strict, between = () => undefined) {
  const found = parseAssertion(text).map((comparison) => {
    const { operator, left, right } = comparison;
    const work = workOf(comparison, cells);
    const sides = [left, right].map((side) => sideOf(side, work, cells));
    const doubts = sides.flatMap(({ doubt }) => doubt ?? []);
    if (doubts.length > 0) {
      const isMissing = doubts.some(({ isMeasured }) => !isMeasured);
      return { outcome: isMissing ? FAILED : UNDECIDED, figures: doubts.map((each) => each.text) };
    }
    const paired = pairedRatio(sides, between);
    const figures = sides.flatMap(({ words }) => words(paired === undefined) ?? []);
    if (work !== null)
      figures.push(`both of ${count(Number(work.iterations), 'iteration')}, as ${work.id} did`);
    if (paired === null) {
      const names = [left, right].map(({ figure }) => figure?.text).join(' and ');
      return { outcome: UNDECIDED, figures: [`${names} were not compared: use --starts 4`] };
    }
    if (paired !== undefined) figures.push(paired.text);
    const [a, b] = paired?.ranges ?? sides.map(({ range }) => range);
    if (COMPARISONS[operator](a, b)) return { outcome: HOLDS, figures };
    const isFailed = strict || COMPARISONS[OPPOSITE[operator]](a, b);
    return { outcome: isFailed ? FAILED : UNDECIDED, figures };
  });
  const outcome = [FAILED, UNDECIDED].find((each) => found.some((one) => one.outcome === each)) ?? HOLDS;
  // What is missing says more than the figures of the rest.
  const telling = found.filter((each) => each.outcome === outcome);
  return { text, strict, outcome, figures: telling.flatMap(({ figures }) => figures) };
}

/** @type {Record<string, Outcome>} */
const { HOLDS, FAILED, UNDECIDED } = { HOLDS: 'holds', FAILED: 'failed', UNDECIDED: 'not decided' };

/** @typedef {ReturnType<typeof sideOf>} SideFigure */

/**
 * @param {Side} side @param {CellResult | null} work whose iterations times are scaled to @param {CellResult[]} cells
 * @returns its range, in words with its interval or without, or the doubt that leaves it open
 */
function sideOf({ text, factor, figure }, work, cells) {
  const plain = { range: { low: factor, high: factor }, words: () => null };
  if (figure === null) return { ...plain, factor, doubt: null, of: null };
  const metric = metricNamed(figure.metric);
  const cell = findCell(figure.cell, cells);
  const { summary, iterations } = cell;
  const value = summary && figureOfCell(metric, summary);
  const interval = hasInterval(metric) ? summary?.intervals[figure.metric] : { low: value, high: value };
  const doubt = doubtOf(figure, { metric, summary, value, interval });
  if (doubt !== null) return { ...plain, factor, doubt, of: null };
  const scale = metric.growsWithIterations && work ? Number(work.iterations) / Number(iterations) : 1;
  const scaled = (/** @type {unknown} */ each) => Number(each) * scale * factor;
  // A percentile of all runs may lie outside of what single runs had.
  const low = scaled(Math.min(Number(value), Number(interval?.low)));
  const high = scaled(Math.max(Number(value), Number(interval?.high)));
  const together = metric.fromRuns === 'histogram' ? ' of all runs together' : '';
  const spread = number(low) === number(high) ? '' : ` (${number(low)} to ${number(high)})`;
  return {
    range: { low, high },
    words: (/** @type {boolean} */ withInterval) =>
      `${text} is ${number(scaled(value))}${together}${withInterval ? spread : ''}`,
    factor: factor * scale,
    doubt: null,
    of: { figure, metric, cell, value: Number(value) },
  };
}

/**
 * @param {NonNullable<Side['figure']>} figure
 * @param {{metric: Metric, summary: CellResult['summary'], value: unknown, interval: unknown}} known
 * @returns {{text: string, isMeasured: boolean} | null} why it cannot be decided
 */
function doubtOf({ text }, { metric, summary, value, interval }) {
  if (summary == null || value == null) return { text: `${text} was not measured`, isMeasured: false };
  const why = summary.tooShort
    ? 'its runs were too short'
    : !isOfEnough(metric, summary)
      ? 'too few operations'
      : isOfTime(metric) && summary.waits !== null && isDisturbed(summary.waits)
        ? `it waited for CPU ${percent(summary.waits.waitedShare)} of the time`
        : interval == null
          ? 'it needs more --runs'
          : null;
  return why === null ? null : { text: `${text} cannot be decided: ${why}`, isMeasured: true };
}

/**
 * The first cell over the second, and what the assertion compares it with. The interval also holds the quotient of the figures,
 * which for medians and percentiles is not what the test estimates.
 * @param {SideFigure[]} sides @param {NonNullable<Parameters<typeof evaluateAssertion>[3]>} between
 * @returns {{ranges: Range[], text: string} | null | undefined} undefined where sides have no ratio; null where they were not compared
 */
function pairedRatio([left, right], between) {
  const [a, b] = [left.of, right.of];
  if (a === null || b === null || a.metric !== b.metric || !hasInterval(a.metric)) return undefined;
  const contrast = between(a.metric, a.cell, b.cell);
  if (contrast == null) return contrast;
  const quotient = a.value / b.value;
  const low = Math.min(quotient, contrast.low);
  const high = Math.max(quotient, contrast.high);
  const limit = right.factor / left.factor;
  return {
    ranges: [
      { low, high },
      { low: limit, high: limit },
    ],
    text: `${a.figure.text} / ${b.figure.text} is ${number(quotient)} (${number(low)} to ${number(high)})`,
  };
}

/**
 * Times grow with the iterations. If cells had different numbers of them, both are scaled to the first one named.
 * @param {Comparison} comparison @param {CellResult[]} cells @returns {CellResult | null} null if nothing needs scaling
 */
function workOf(comparison, cells) {
  const growing = figuresOf([comparison]).filter(({ metric }) => metricNamed(metric).growsWithIterations);
  const found = growing.map(({ cell }) => findCell(cell, cells));
  const counts = new Set(found.map(({ iterations }) => iterations));
  return counts.size > 1 && !counts.has(null) ? found[0] : null;
}

/** @param {number} value */
const number = (value) => (Math.abs(value) >= 999.95 ? whole(value) : String(Number(value.toPrecision(4))));

/**
 * @template {Cell & {reason?: string}} Found @param {string} name such as `pool`, `redis:tuned/pool` or `redis, shared connection`
 * @param {Found[]} cells @returns {Found} @throws {UsageError} if there is none, or more than one
 */
export function findCell(name, cells) {
  const found = cellsNamed(name, cells);
  const running = found.filter((cell) => cell.skipped === null);
  if (running.length === 1) return running[0];
  const reason = found[0]?.reason;
  throw new UsageError(
    running.length > 1
      ? `'${name}' is the name of ${running.length} cells; name more of their parts: ${listed(running)}`
      : found.length > 0
        ? `the cell '${name}' is skipped${reason === undefined ? '' : `: ${reason}`}`
        : `no cell has the name '${name}'; there are ${listed(cells)}`,
  );
}

/** @template {Cell} Found @param {string} name @param {Found[]} cells @returns {Found[]} those with all the parts named */
export function cellsNamed(name, cells) {
  const wanted = name.split(/[/,]/).map(asWritten);
  return cells.filter((cell) => {
    const parts = partsOf(cell);
    return wanted.every((part) => parts.includes(part));
  });
}

/** The parts of its id (`mix` too for `mix:get=1`), and its axes as rows and titles name them. @param {Cell} cell */
function partsOf(cell) {
  const [client, ...others] = cell.id.split('/');
  const axes = axesOf([cell]);
  const names = axes.flatMap((axis) => {
    if (axis.aliases) return axis.aliases(cell);
    // What follows the name of another axis, such as the 3 of a pool, is no name by itself.
    return axis.rowGlue === undefined ? axis.row(cell) : [];
  });
  return [client, ...others.flatMap(beginnings), ...names.map(asWritten)];
}

/** @param {string} part @returns {string[]} with all, and with fewer of its words */
function beginnings(part) {
  const words = asWritten(part).split(':');
  return words.map((_, index) => words.slice(0, index + 1).join(':'));
}

/** Blanks may be written as in a table or as in an id. @param {string} text */
const asWritten = (text) => text.trim().replaceAll(/\s+/g, '-');

const LISTED = 12;

/** @param {Cell[]} cells */
function listed(cells) {
  const ids = cells.slice(0, LISTED).map(({ id }) => id);
  return [...ids, ...(cells.length > LISTED ? [`${cells.length - LISTED} more`] : [])].join(', ');
}

/**
 * Checks before a benchmark that its assertions can be decided.
 * @param {string[]} assertions @param {boolean} strict @param {Cell[]} cells of the plan
 * @throws {UsageError}
 */
export function checkReferences(assertions, strict, cells) {
  for (const text of assertions) {
    withErrorPrefix('--assert', () => {
      const figures = figuresOf(parseAssertion(text));
      for (const { cell } of figures) findCell(cell, cells);
      const without = figures.find(({ metric }) => !hasInterval(metricNamed(metric)));
      if (!strict || without === undefined) return;
      const names = METRICS.filter(hasInterval).map(({ id }) => id);
      throw new UsageError(
        `--assert-strict needs intervals, which '${without.metric}' has not; use one of ${names.join(', ')}`,
      );
    });
  }
}
