import Table from 'cli-table3';
import { csvLine, inMarkdown } from '../words/escaped.js';
import { wrap } from '../words/wrap.js';

/** @import { Pen } from '../charts/plot.js' */
/** @import { Value } from '../words/escaped.js' */
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

/**
 * A table for terminals. Columns that do not fit are left out from the right, and named below.
 * @param {Grid} grid
 * @param {{width?: number, headingWidth?: number, colors?: Pen['colors']}} [pen] `headingWidth`: where only headings may be too long
 * @returns {string[]} lines
 */
export function gridLines(
  { title, names, columns, rows, whole },
  { width = Infinity, headingWidth = width, colors } = {},
) {
  const { ends, needed, indent } = extentOf({ names, columns, rows });
  const fitting = columns.filter((_, index) => ends[index] <= width);
  if (whole && needed > width)
    return wrap(`The table of ${title} needs ${needed} columns, and there are ${width}.`, width);
  const missing = columns.slice(fitting.length).map((column) => column.title);
  const [head, rule, ...lines] = ruled(
    [names?.title ?? '', ...fitting.map((column) => column.title)],
    [names?.align ?? 'left', ...fitting.map(({ align }) => align ?? 'right')],
    rows.map(({ name, texts, state = [] }) =>
      [`${indent}${name}`, ...texts.slice(0, fitting.length)].map((text, index) =>
        painter(Array.isArray(state) ? state[index - 1] : state, colors)(text),
      ),
    ),
  );
  const bold = (/** @type {string} */ text) =>
    text.split('\n').flatMap((line) => wrap(line, headingWidth).map(colors?.bold ?? String));
  return [
    head,
    rule,
    ...lines.flatMap((line, index) => [...bold(rows[index].heading ?? ''), line]),
    ...(missing.length === 0 ? [] : wrap(`in wider terminals also: ${missing.join(', ')}`, width)),
  ];
}

/** @param {GridRow[]} rows @returns {GridRow[]} with their names above them, for narrow terminals */
export const namesAbove = (rows) =>
  rows.map((row) => ({ ...row, name: '', heading: [row.heading, row.name].filter(Boolean).join('\n') }));

/**
 * @param {Pick<Grid, 'names' | 'columns' | 'rows'>} grid
 * @returns {{ends: number[], needed: number, indent: string}} where each column ends, where all do, and what stands before names
 */
export function extentOf({ names, columns, rows }) {
  const indent = rows.some(({ heading }) => heading) ? ' ' : '';
  const nameWidth = Math.max(
    names?.title?.length ?? 0,
    ...rows.map(({ name }) => indent.length + name.length),
  );
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map(({ texts }) => texts[index].length)),
  );
  return {
    indent,
    ends: widths.map((_, index) => sumOf([nameWidth, ...widths.slice(0, index + 1)])),
    needed: sumOf([nameWidth, ...widths]),
  };
}

/** @param {number[]} widths of columns, with two blanks next to each */
const sumOf = (widths) => widths.reduce((sum, width) => sum + width + 2, 0);

const NO_BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid right right-mid middle mid-mid';
const CHARS = { ...Object.fromEntries(NO_BORDERS.split(' ').map((name) => [name, ''])), mid: '─' };

/** @param {string[]} head @param {('left' | 'right')[]} colAligns @param {string[][]} rows @returns {string[]} lines */
function ruled(head, colAligns, rows) {
  const style = { head: [], border: [], 'padding-left': 1, 'padding-right': 1, compact: true };
  const table = new Table({ head, colAligns, chars: CHARS, style });
  table.push(...rows);
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
