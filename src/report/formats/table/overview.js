import { metricNamed } from '../../../metrics/metric-values.js';
import { barOf, intervalMarks } from '../../charts/bars.js';
import { ruledTable } from '../../tables/ruled-table.js';
import { runsInLine } from '../../tables/runs-in-line.js';
import { duration, micro } from '../../words/figures.js';
import { wrap } from '../../words/wrap.js';
import { painter } from './painter.js';

/**
 * @import { Summary } from '../../../analysis/types.js'
 * @import { Pen } from '../../charts/plot.js'
 * @import { Row } from '../../tables/result-rows.js'
 */

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {string[]} texts one for each row
 * @property {string} [sign] what is not plain from its title
 */

/** A shorter bar shows nothing, a longer one no more. */
const [LEAST_BAR, MOST_BAR] = [6, 30];
/** Below this the columns would leave no room for names. */
const NARROW = 60;

const RUNS_TITLES = ['average (spread) of each run, ms', 'runs: average (spread), ms', 'runs, ms'];

/**
 * The cells of a group, a line each, however many runs there are.
 *
 * @param {Row[]} rows
 * @param {Pen} pen
 * @returns {string}
 */
export function overview(rows, pen) {
  const columns = pen.width < NARROW ? null : fittingColumns(rows, pen);
  if (columns === null) return stacked(rows, pen);
  return ruledTable(
    ['', ...columns.map(({ title }) => title)],
    ['left', ...columns.map(({ title }) => (isLeft(title) ? 'left' : 'right'))],
    rows.map(({ name, state }, index) => {
      const paint = painter(state, pen.colors);
      return [paint(name), ...columns.map(({ texts }) => paint(texts[index]))];
    }),
  );
}

/**
 * @param {Row[]} rows
 * @param {Pen} pen
 * @returns {string[]} what the columns of the overview mean, where that is not plain
 */
export function signsOf(rows, pen) {
  const columns = pen.width < NARROW ? null : fittingColumns(rows, pen);
  return (columns ?? []).flatMap(({ sign = [] }) => sign);
}

/** @param {string} title */
const isLeft = (title) => title === BAR_TITLE || RUNS_TITLES.includes(title);
const BAR_TITLE = '';

/**
 * The columns that must be there, and of the others, in the order of what they say, those that fit.
 *
 * @param {Row[]} rows
 * @param {Pen} pen
 * @returns {Column[] | null} null where not even the necessary ones fit
 */
function fittingColumns(rows, { width, unicode }) {
  const figures = figuresOf(rows);
  const [everyRun, three, ends] = runsColumns(rows);
  const left = width - widthOf(rows.map(({ name }) => name)) - widthOf(ends.texts);
  const needed = [figures.opsPerSecond, figures.slower].filter(isFilled);
  let free = left - sum(needed);
  if (free < 0) return null;
  const chosen = new Set(needed);
  const take = (/** @type {Column} */ column) => {
    const own = widthOf([column.title, ...column.texts]);
    if (!isFilled(column) || own > free) return;
    free -= own;
    chosen.add(column);
  };
  take(figures.reach);
  const hasBar = free >= LEAST_BAR + BESIDE && rows.some(({ cell }) => cell.summary !== null);
  if (hasBar) free -= LEAST_BAR + BESIDE;
  for (const column of [figures.p99, figures.cpu, figures.ofCeiling]) take(column);
  const longer = (/** @type {Column} */ column) => widthOf(column.texts) - widthOf(ends.texts);
  const runs = [everyRun, three].find((column) => longer(column) <= free) ?? ends;
  free -= longer(runs);
  const bar = hasBar ? [bars(rows, Math.min(MOST_BAR, LEAST_BAR + free), unicode)] : [];
  const room = widthOf(runs.texts) - BESIDE + (hasBar ? Math.max(0, free - (MOST_BAR - LEAST_BAR)) : free);
  const title = RUNS_TITLES.find((text) => text.length <= room) ?? 'ms';
  return [
    ...bar,
    ...Object.values(figures).filter((column) => chosen.has(column)),
    ...(isFilled(runs) ? [{ ...runs, title, sign: runsSign(rows) }] : []),
  ];
}

/** @param {Row[]} rows */
function runsSign(rows) {
  const lengths = rows.map(({ columns }) => columns.iterations).filter((text) => text !== '');
  return `runs: average (spread)${new Set(lengths).size > 1 ? ', iterations differ' : ''}`;
}

/** @param {Column} column */
const isFilled = ({ texts }) => texts.some((text) => text !== '');

/** Blanks beside the text of a column. */
const BESIDE = 2;

/** @param {string[]} texts */
const widthOf = (texts) => Math.max(0, ...texts.map((text) => text.length)) + BESIDE;

/** @param {Column[]} columns */
const sum = (columns) => columns.reduce((all, { title, texts }) => all + widthOf([title, ...texts]), 0);

/** @param {Row[]} rows @returns {Column[]} the longest first */
const runsColumns = (rows) =>
  [0, 1, 2].map((form) => ({
    title: '',
    texts: rows.map(({ cell }) => (cell.skipped === null ? runsInLine(cell.runs)[form] : '')),
  }));

/** @param {Row[]} rows @param {number} columns @param {boolean} unicode @returns {Column} */
function bars(rows, columns, unicode) {
  const figures = rows.map(({ cell: { summary } }) =>
    summary === null || summary.tooShort
      ? null
      : { value: summary.opsPerSecond, interval: summary.intervals.opsPerSecond },
  );
  const most = Math.max(
    ...figures.map((each) => (each ? Math.max(each.value, each.interval?.high ?? 0) : 0)),
  );
  return {
    title: BAR_TITLE,
    texts: figures.map((each) => (each ? barOf(each, most, columns, unicode) : '')),
    sign: `bars: ops/s (${intervalMarks(unicode)} within ±)`,
  };
}

/** @param {Row[]} rows in the order in which they are printed */
function figuresOf(rows) {
  const column = (/** @type {string} */ title, /** @type {(row: Row) => string} */ textOf) => ({
    title,
    texts: rows.map(textOf),
  });
  const measured =
    (/** @type {(summary: Summary) => string} */ textOf) =>
    (/** @type {Row} */ { cell }) =>
      cell.summary === null ? '' : textOf(cell.summary);
  return {
    opsPerSecond: column('ops/s', ({ columns }) => columns['ops/s']),
    reach: column('±', ({ columns }) => columns['±']),
    slower: column('slower', ({ columns }) => columns.slower),
    ofCeiling: column('of raw', ({ columns }) => columns['of raw']),
    p99: column(metricNamed('p99Us').title, measured(p99Text)),
    cpu: {
      ...column('CPU µs', measured(cpuText)),
      sign: 'CPU: client/op + server/cmd',
    },
  };
}

/** @param {Summary} summary */
const p99Text = ({ latency }) => (latency === null ? '' : duration(latency.p99Us));

/** @param {Summary} summary @returns {string} `7.6+2.9`: an operation of the client, a command of the server */
function cpuText({ client, server }) {
  const figures = [client.cpuUsPerOp, server.cpuUsPerCommand].map((us) =>
    us === null ? '?' : micro(us).replace(' µs', ''),
  );
  return figures.every((text) => text === '?') ? '' : figures.join('+');
}

const RUNS = 'runs, ms: ';

/**
 * For narrow terminals: two or more short lines a cell.
 *
 * @param {Row[]} rows
 * @param {Pen} pen
 */
function stacked(rows, { width, colors }) {
  return rows
    .flatMap(({ name, cell, columns, state }) => {
      const runs = cell.skipped === null ? runsInLine(cell.runs) : [];
      const shown = runs.find((text) => text.length <= width - RUNS.length - 2) ?? runs.at(-1);
      const facts = [
        columns['ops/s'] && `${columns['ops/s']} ops/s ${columns['±'] && `± ${columns['±']}`}`.trim(),
        columns.slower,
        columns['of raw'] && `${columns['of raw']} of raw`,
        cell.summary && p99Text(cell.summary) && `p99 ${p99Text(cell.summary)}`,
      ].filter(Boolean);
      return [
        ...wrap(name, width).map(painter(state, colors)),
        ...[facts.join(', '), shown ? `${RUNS}${shown}` : '']
          .filter((text) => text !== '')
          .flatMap((text) => wrap(text, width - 2).map((line) => `  ${line}`)),
      ];
    })
    .join('\n');
}
