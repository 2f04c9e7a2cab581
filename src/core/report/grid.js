import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { sum } from 'simple-statistics';
import { csvLine, inMarkdown } from './escaped.js';
import { fitLines } from './wrap.js';

/** @import { Pen } from '../../benchmark/report/charts/plot.js' */
/** @import { Value } from './escaped.js' */
/** @import { ColumnOf, Grid, GridColumn, GridRow, State } from './types.js' */

/** @param {string[]} titles @param {GridColumn['align']} [align] @returns {GridColumn[]} columns of figures, or of words at the left */
export const titled = (titles, align) => titles.map((title) => ({ title, align }));

/**
 * @template Row @template [Text=string]
 * @param {Row[]} rows @param {(row: Row) => Omit<GridRow, 'texts'>} headOf its name, and how it looks
 * @param {ColumnOf<NoInfer<Row>, Text>[]} columns @returns {Grid<Text>}
 */
export const gridOf = (rows, headOf, columns) => ({
  columns,
  rows: rows.map((row) => ({ ...headOf(row), texts: columns.map(({ text }) => text(row)) })),
});

/** @template Row @param {Row[]} rows @param {ColumnOf<Row>[]} columns @returns {ColumnOf<Row>[]} those that any row fills */
export const filledColumns = (rows, columns) =>
  columns.filter(({ text, none }) => rows.some((row) => !['', none].includes(text(row))));

/** @type {Partial<Record<State, 'green' | 'cyan' | 'red' | 'dim' | 'yellow'>>} */
const COLOURS = {
  fastest: 'green',
  floor: 'cyan',
  failed: 'red',
  'too short': 'red',
  'not warm': 'red',
  skipped: 'dim',
  'not run': 'dim',
  unsure: 'yellow',
};

/** @param {State | undefined} state @param {Pen['colors']} [colors] @returns {(text: string) => string} */
function painter(state, colors) {
  const colour = state && COLOURS[state];
  return (text) =>
    colour === undefined || colors === undefined || text === '' ? text : colors[colour](text);
}

/** A longer title stands in several lines. */
const MOST_TITLE = 32;
/** Where there is no more room texts stand in up to three lines or so, but no narrower. */
const [TEXT_LINES, LEAST_TEXT] = [3, 10];
const BETWEEN = 2;

/**
 * A table for terminals: columns that do not fit stand in further tables below, and names that take more than half of the width
 * on lines of their own. Nothing is left out.
 * @param {Grid} grid @param {{width?: number, colors?: Pen['colors']}} [pen] @returns {string[]} lines
 */
export function gridLines(grid, { width = Number.POSITIVE_INFINITY, colors } = {}) {
  const shown = narrowed(grid, width);
  const title = shown === grid ? [] : fitLines(grid.names?.title ?? '', width);
  const extent = extentOf(shown);
  const tables = tablesOf(shown, extent, width).map((columns) =>
    tableLines(shown, columns, extent, { width, colors }),
  );
  return [...title, ...tables.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))];
}

/** @param {Grid} grid @param {number} width @returns {Grid} with names above their rows where it is too wide because of them */
export function narrowed(grid, width) {
  const { first, needed } = extentOf(grid);
  return needed > width && first > width / 2 ? { ...grid, names: {}, rows: namesAbove(grid.rows) } : grid;
}

/** @param {GridRow[]} rows @returns {GridRow[]} with their names above them, for narrow terminals */
export const namesAbove = (rows) =>
  rows.map((row) => ({ ...row, name: '', heading: [row.heading, row.name].filter(Boolean).join('\n') }));

/** @typedef {ReturnType<typeof extentOf>} Extent */

/**
 * @param {Pick<Grid, 'names' | 'columns' | 'rows'>} grid
 * @returns {{first: number, widths: number[], needed: number, indent: string}} `first`: of the names; `needed`: of all, with the
 *   blanks between them; `indent`: what stands before names
 */
export function extentOf({ names, columns, rows }) {
  const indent = rows.some(({ heading }) => heading) ? ' ' : '';
  const first = Math.max(names?.title?.length ?? 0, ...rows.map(({ name }) => indent.length + name.length));
  const widths = columns.map(({ title }, index) => {
    const texts = Math.max(0, ...rows.map((row) => lengthOf(row.texts[index])));
    return Math.max(texts, ...titleLines(title, texts).map(lengthOf));
  });
  return { first, widths, needed: sum([first, ...widths].map((width) => width + BETWEEN)), indent };
}

/** @param {string} text that may be coloured */
const lengthOf = (text) => stripVTControlCharacters(text).length;

/** @param {string} title @param {number} width of the texts below it */
const titleLines = (title, width) => fitLines(title, Math.max(MOST_TITLE, width));

/** @typedef {GridColumn & {index: number, width: number}} Column where its texts are in a row, and how wide it may be */

/** @param {Grid} grid @param {Extent} extent @param {number} width @returns {Column[][]} those of each table */
function tablesOf(grid, { first, widths }, width) {
  const room = Math.max(BETWEEN + 1, width - first - BETWEEN);
  /** @type {Column[][]} */
  const tables = [[]];
  let free = room;
  for (const [index, column] of grid.columns.entries()) {
    const needed = widths[index];
    const isText = column.align === 'left';
    const least = isText ? Math.min(needed, Math.max(LEAST_TEXT, Math.ceil(needed / TEXT_LINES))) : needed;
    if (least + tiedTo(grid.columns, widths, index) + BETWEEN > free && free < room) {
      tables.push([]);
      free = room;
    }
    const taken = Math.min(needed, free - BETWEEN);
    tables[tables.length - 1].push({ ...column, index, width: taken });
    free -= taken + BETWEEN;
  }
  return tables;
}

/** @param {GridColumn[]} columns @param {number[]} widths @param {number} index @returns {number} the width of those that stay with it */
function tiedTo(columns, widths, index) {
  const next = index + 1;
  return columns[next]?.tied ? widths[next] + BETWEEN + tiedTo(columns, widths, next) : 0;
}

/**
 * @param {Grid} grid @param {Column[]} columns of it @param {Extent} extent @param {{width: number, colors?: Pen['colors']}} pen
 * @returns {string[]} lines
 */
function tableLines({ names, rows }, columns, { first, indent }, { width, colors }) {
  const shape = [{ ...names, width: first }, ...columns];
  const bold = (/** @type {string} */ text) =>
    text.split('\n').flatMap((line) => fitLines(line, width).map(colors?.bold ?? String));
  const titles = [[names?.title ?? ''], ...columns.map((column) => fitLines(column.title, column.width))];
  const cells = rows.map(({ name, texts }) => [
    [`${indent}${name}`],
    ...columns.map((column) => textLines(texts[column.index], column.width)),
  ]);
  const painted = cells.map((each, row) => {
    const { state = [] } = rows[row];
    return each.map((lines, place) => {
      const own = Array.isArray(state) ? state[columns[place - 1]?.index ?? -1] : state;
      return lines.map(painter(own, colors));
    });
  });
  const drawn = drawnLines(titles, painted, shape);
  return [
    ...drawn.splice(0, heightOf(titles) + 1),
    ...rows.flatMap(({ heading = '' }, row) => [...bold(heading), ...drawn.splice(0, heightOf(cells[row]))]),
  ];
}

/** @param {string} text @param {number} width */
const textLines = (text, width) => (lengthOf(text) <= width ? [text] : fitLines(text, width));

/** @param {string[][]} texts lines of each column */
const heightOf = (texts) => Math.max(...texts.map(({ length }) => length));

const NO_BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid right right-mid middle mid-mid';
const CHARS = { ...Object.fromEntries(NO_BORDERS.split(' ').map((name) => [name, ''])), mid: '─' };
const STYLE = { head: [], border: [], 'padding-left': 1, 'padding-right': 1, compact: true };

/**
 * @param {string[][]} titles lines of each column @param {string[][][]} rows the same of each row
 * @param {(Partial<GridColumn> & {width: number})[]} shape
 * @returns {string[]} of the titles, a rule, and the rows
 */
function drawnLines(titles, rows, shape) {
  const joined = (/** @type {string[][]} */ texts) => texts.map((lines) => lines.join('\n'));
  const table = new Table({
    head: joined(titles),
    colAligns: shape.map(({ align }, place) => align ?? (place === 0 ? 'left' : 'right')),
    colWidths: shape.map(({ width }) => width + BETWEEN),
    chars: CHARS,
    style: STYLE,
  });
  table.push(...rows.map(joined));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** @param {Grid} grid @returns {string} a table of Markdown */
export function gridMarkdown({ names, columns, rows }) {
  const line = (/** @type {string[]} */ texts) => `| ${texts.join(' | ')} |`;
  return [
    line([names?.title ?? '', ...columns.map(({ title }) => inMarkdown(title))]),
    line(['---', ...columns.map(({ align }) => (align === 'left' ? '---' : '---:'))]),
    ...rows.map(({ name, texts, state }) => {
      const shown = inMarkdown(name);
      return line([state === 'fastest' ? `**${shown}**` : shown, ...texts.map(inMarkdown)]);
    }),
  ].join('\n');
}

/** @param {Grid<Value>} grid @returns {string} lines of RFC 4180 */
export const gridCsv = ({ names, columns, rows }) =>
  [
    [names?.title ?? '', ...columns.map(({ title }) => title)],
    ...rows.map(({ name, texts }) => [name, ...texts]),
  ]
    .map(csvLine)
    .join('');
