import Table from 'cli-table3';
import { sum } from '../descriptive-statistics.js';
import { csvLine, inMarkdown, printableDeep } from './escaped.js';
import { columnsOf, fitLines, NO_BREAK_BLANK } from './wrap.js';

/** @import { Colors } from './colors.js' */
/** @import { Value } from './escaped.js' */
/** @import { Bar, Column, ColumnOf, Grid, GridRow, State } from './types.js' */

/** @typedef {{width: number, colors: Colors}} Pen `width` in columns */

/**
 * The rows of least rank, in their order; the heading of one that is left out goes to the next.
 * @param {Grid} grid @param {number} wanted rows, but `most` of the grid at least @returns {Grid}
 */
export function withFewer(grid, wanted) {
  const { rows, most = rows.length } = grid;
  const kept = new Set(
    rows.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).slice(0, Math.max(most, wanted)),
  );
  let heading = '';
  const shown = rows.flatMap((row) => {
    heading = row.heading || heading;
    if (!kept.has(row)) return [];
    const own = { ...row, heading };
    heading = '';
    return own;
  });
  return { ...grid, rows: shown };
}

/** @param {string[]} titles @param {Column['align']} [align] @returns {Column[]} columns of figures, or of words at the left */
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

/** A longer title stands in several lines; a shorter one too, where a column would otherwise be a table of its own. */
const [MOST_TITLE, LEAST_TITLE] = [32, 8];
/** Where there is no more room texts stand in up to three lines or so, but no narrower. */
const [TEXT_LINES, LEAST_TEXT] = [3, 10];
/** A shorter bar shows nothing, a fair one a range too, a longer one no more. */
const [LEAST_BAR, FAIR_BAR, MOST_BAR] = [6, 12, 30];
const BETWEEN = 2;
/** A part of the free columns that hardly any other text would miss. */
const LITTLE = 3;

/**
 * A table for terminals: columns that do not fit stand in further tables below, and names that take more than half of the width
 * on lines of their own. Only bars are left out, as their figures stand beside them, and what
 * is shown again.
 * @param {Grid} grid @param {Partial<Pen>} [pen] @returns {string[]} lines
 */
export function gridLines(grid, pen) {
  const { title, tables } = tablesIn(grid, pen);
  return [...title, ...tables.flatMap(({ lines }, index) => (index === 0 ? lines : ['', ...lines]))];
}

/**
 * The first of those tables alone.
 * @param {Grid} grid @param {Partial<Pen>} [pen] @returns {{lines: string[], moved: string[]}} `moved`: titles of the other columns
 */
export function firstTable(grid, pen) {
  const { title, tables } = tablesIn(grid, pen);
  const [first, ...others] = tables;
  return { lines: [...title, ...first.lines], moved: others.flatMap(({ titles }) => titles) };
}

/** Texts may come from outside: each is one line, and controls nothing. @param {Grid} unsafe @param {Partial<Pen>} [pen] */
function tablesIn(unsafe, { width = Number.POSITIVE_INFINITY, colors } = {}) {
  const grid = printableDeep(unsafe);
  const shown = narrowed(grid, width);
  const title = shown === grid ? [] : fitLines(grid.names?.title ?? '', width);
  const indent = shown.rows.some(({ heading }) => heading) ? ' ' : '';
  const first = Math.max(
    columnsOf(shown.names?.title ?? ''),
    ...shown.rows.map(({ name }) => indent.length + columnsOf(name)),
  );
  const tables = tablesOf(shown, first, width).map((columns) => ({
    titles: columns.map((column) => column.title),
    lines: [
      ...tableLines(shown, columns, { first, indent, width, colors }),
      ...legendsOf(columns).flatMap((text) => fitLines(text, width)),
    ],
  }));
  return { title, tables };
}

/** @param {Column[]} columns @returns {string[]} */
export const legendsOf = (columns) => columns.flatMap(({ legend }) => legend ?? []);

/** @param {Grid} grid @param {number} width @returns {Grid} with names above their rows where it is too wide because of them */
function narrowed(grid, width) {
  if (widthNeeded(grid) <= width || namesWidth(grid) <= width / 2) return grid;
  const rows = grid.rows.map((row) => ({
    ...row,
    name: '',
    heading: [row.heading, row.name].filter(Boolean).join('\n'),
  }));
  return { ...grid, names: {}, rows };
}

/** @param {Grid} grid */
const namesWidth = ({ names, rows }) =>
  Math.max(columnsOf(names?.title ?? ''), ...rows.map(({ name }) => columnsOf(name)));

/** @param {Grid} grid @returns {number} columns of a terminal in which it is one table */
export const widthNeeded = (grid) =>
  sum(
    [namesWidth(grid), ...grid.columns.map((_, index) => widthOf(grid, index))].map(
      (width) => width + BETWEEN,
    ),
  );

/** @param {Grid} grid @param {number} index */
const isBar = ({ rows }, index) => rows.some(({ texts }) => typeof texts[index] === 'object');

/** @param {Grid} grid @param {number} index of a column @param {number} [mostTitle] @returns {number} 0 for bars */
function widthOf(grid, index, mostTitle = MOST_TITLE) {
  if (isBar(grid, index)) return 0;
  const texts = Math.max(0, ...grid.rows.map((row) => columnsOf(String(row.texts[index]))));
  const { title, narrow } = grid.columns[index];
  const longestWord = Math.max(...title.split(' ').map(columnsOf));
  const titles = fitLines(title, Math.max(narrow ? LEAST_TITLE : mostTitle, longestWord, texts));
  return Math.max(texts, ...titles.map(columnsOf));
}

/** @typedef {Column & {index: number, width: number}} Placed where its texts are in a row, and how wide it may be */

/** @param {Grid} grid @param {number} first columns of the names @param {number} width @returns {Placed[][]} those of each table */
function tablesOf(grid, first, width) {
  const tables = tablesWith(grid, first, width);
  const isNarrow = (/** @type {Placed[][]} */ [columns]) => barWidth(grid, columns) < FAIR_BAR;
  // Titles of several lines make room.
  const lacksBar = grid.columns.some((_, index) => isBar(grid, index)) && isNarrow(tables);
  if (!lacksBar && (tables.length === 1 || Number(tables.at(-1)?.length) > 1)) return tables;
  const narrow = tablesWith(grid, first, width, LEAST_TITLE);
  return narrow.length < tables.length || (lacksBar && !isNarrow(narrow)) ? narrow : tables;
}

/** @param {Grid} grid @param {Placed[]} columns */
const barWidth = (grid, columns) => columns.find(({ index }) => isBar(grid, index))?.width ?? 0;

/** @param {Grid} grid @param {number} first @param {number} width @param {number} [mostTitle] @returns {Placed[][]} */
function tablesWith(grid, first, width, mostTitle) {
  const room = Math.max(BETWEEN + 1, width - first - BETWEEN);
  const all = grid.columns.map((column, index) => {
    const needed = widthOf(grid, index, mostTitle);
    const words = grid.rows.flatMap(({ texts }) => String(texts[index]).split(' '));
    const longest = Math.max(0, ...words.map(columnsOf));
    const least = Math.min(needed, Math.max(LEAST_TEXT, Math.ceil(needed / TEXT_LINES), longest));
    const width = Math.min(column.align === 'left' ? least : needed, room - BETWEEN);
    return { ...column, index, width, needed };
  });
  let left = all.filter(({ index }) => !isBar(grid, index));
  const tables = [];
  do {
    let free = room;
    /** @type {typeof all} */
    const own = [];
    for (const column of left.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))) {
      if (own.length > 0 && column.width + BETWEEN > free) continue;
      own.push(column);
      free -= column.width + BETWEEN;
    }
    left = left.filter((column) => !own.includes(column) && !column.spare);
    // What is left is shared by what is lacking, so that no text makes many lines; a column that lacks little gets it all.
    const lacking = own.filter(({ needed, width }) => needed > width);
    lacking.sort((a, b) => a.needed - a.width - (b.needed - b.width));
    let lack = sum(lacking.map(({ needed, width }) => needed - width));
    for (const column of lacking) {
      const wanted = column.needed - column.width;
      const share = wanted <= free / LITTLE ? wanted : Math.min(wanted, Math.floor((free * wanted) / lack));
      column.width += share;
      free -= share;
      lack -= wanted;
    }
    if (tables.length === 0) own.push(...barsIn(grid, all, free - BETWEEN));
    tables.push(own.sort((a, b) => a.index - b.index));
  } while (left.length > 0);
  return tables;
}

/** @template {Placed} T @param {Grid} grid @param {T[]} columns @param {number} free @returns {T[]} those with bars, if there is room */
const barsIn = (grid, columns, free) =>
  columns
    .filter(({ index }) => free >= LEAST_BAR && isBar(grid, index))
    .map((column) => ({ ...column, align: 'left', width: Math.min(MOST_BAR, free) }));

/**
 * @param {Grid} grid @param {Placed[]} columns of it
 * @param {{first: number, indent: string, width: number, colors: Pen['colors'] | undefined}} look @returns {string[]} lines
 */
function tableLines({ names, rows }, columns, { first, indent, width, colors }) {
  const shape = [{ align: names?.align ?? 'left', width: first }, ...columns];
  const titles = [[names?.title ?? ''], ...columns.map((column) => fitLines(column.title, column.width))];
  const cells = rows.map(({ name, texts, state }) => [
    [`${indent}${name}`].map(painter(Array.isArray(state) ? undefined : state, colors)),
    ...columns.map((column) =>
      textLines(texts[column.index], column.width).map(painter(stateAt(state, column.index), colors)),
    ),
  ]);
  const drawn = drawnLines(titles, cells, shape);
  return [
    ...drawn.splice(0, heightOf(titles) + 1),
    ...rows.flatMap(({ heading = '' }, row) => [
      ...heading.split('\n').flatMap((text) => fitLines(text, width).map(colors?.bold ?? String)),
      ...drawn.splice(0, heightOf(cells[row])),
    ]),
  ];
}

/** @param {string[][]} texts lines of each column */
const heightOf = (texts) => Math.max(...texts.map(({ length }) => length));

const NO_BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid right right-mid middle mid-mid';
const CHARS = { ...Object.fromEntries(NO_BORDERS.split(' ').map((name) => [name, ''])), mid: '─' };
const STYLE = { head: [], border: [], 'padding-left': 1, 'padding-right': 1, compact: true };

/**
 * @param {string[][]} titles lines of each column @param {string[][][]} rows the same of each row
 * @param {Pick<Placed, 'align' | 'width'>[]} shape @returns {string[]} of the titles, a rule, and the rows
 */
function drawnLines(titles, rows, shape) {
  // A row for each line: cli-table3 takes minutes for a text of hundreds of lines.
  const linesOf = (/** @type {string[][]} */ texts) =>
    Array.from({ length: heightOf(texts) }, (_, line) => texts.map((lines) => lines[line] ?? ''));
  const table = new Table({
    head: titles.map((lines) => lines.join('\n')),
    colAligns: shape.map(({ align = 'right' }) => align),
    colWidths: shape.map(({ width }) => width + BETWEEN),
    chars: CHARS,
    style: STYLE,
  });
  table.push(...rows.flatMap(linesOf));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd().replaceAll(NO_BREAK_BLANK, ' '));
}

/** @param {GridRow['state']} state @param {number} index of a text */
const stateAt = (state, index) => (Array.isArray(state) ? state[index] : state);

/** @param {State | undefined} state @param {Pen['colors'] | undefined} colors @returns {(text: string) => string} */
function painter(state, colors) {
  const colour = state && COLOURS[state];
  return colour === undefined || colors === undefined ? String : colors[colour];
}

/** @param {string | Bar} text @param {number} width */
function textLines(text, width) {
  if (typeof text === 'object') return [barOf(text, width)];
  return columnsOf(text) <= width ? [text] : fitLines(text, width);
}

/** @param {Grid} grid @returns {Grid<string>} without what only a drawing could show */
export function withoutBars(grid) {
  const shown = grid.columns.map((_, index) => !isBar(grid, index));
  const kept = (/** @type {any[]} */ all) => all.filter((_, index) => shown[index]);
  const rows = grid.rows.map((row) => {
    const state = Array.isArray(row.state) ? kept(row.state) : row.state;
    return { ...row, texts: kept(row.texts), state };
  });
  return { ...grid, columns: kept(grid.columns), rows };
}

/** @param {Grid} grid @returns {string} a table of Markdown */
export function gridMarkdown(grid) {
  const { names, columns, rows } = withoutBars(grid);
  const line = (/** @type {string[]} */ texts) => `| ${texts.join(' | ')} |`;
  return [
    line([inMarkdown(names?.title ?? ''), ...columns.map(({ title }) => inMarkdown(title))]),
    line(['---', ...columns.map(({ align }) => (align === 'left' ? '---' : '---:'))]),
    ...rows.flatMap(({ name, texts, state, heading }) => {
      const shown = inMarkdown(name);
      const above = heading ? [line([`*${inMarkdown(heading)}*`, ...columns.map(() => '')])] : [];
      return [...above, line([state === 'fastest' ? `**${shown}**` : shown, ...texts.map(inMarkdown)])];
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

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const [FULL, LINE, MARK] = '█─┼';
const ENDS = '├┤';

/**
 * Full to the low end of its range, then the range itself, where that is longer than two columns: `█████├─┼──┤`.
 * @param {Bar} bar @param {number} columns
 */
function barOf({ value, low, high, most, parts }, columns) {
  const placeOf = (/** @type {number} */ figure) =>
    Math.min(columns - 1, Math.floor((figure / most) * columns));
  if (parts) return shadedBar(parts.map((part) => (part / most) * columns));
  const [start, mark, end] = [low, value, high].map(placeOf);
  if (end - start < 2) return plainBar((value / most) * columns);
  const range = Array.from({ length: end - start + 1 }, (_, place) => (start + place === mark ? MARK : LINE));
  if (start !== mark) range[0] = ENDS[0];
  if (end !== mark) range[range.length - 1] = ENDS[1];
  return FULL.repeat(start) + range.join('');
}

const SHADES = '█▓▒░';

/** @param {number[]} lengths in columns; what is rounded away goes to the next */
function shadedBar(lengths) {
  let [end, drawn] = [0, ''];
  for (const [index, length] of lengths.entries()) {
    end += length;
    drawn += SHADES[index].repeat(Math.max(0, Math.round(end) - drawn.length));
  }
  return drawn;
}

/** @param {number} length in columns; at least an eighth of one is drawn */
function plainBar(length) {
  const eighths = Math.max(1, Math.round(length * 8));
  return FULL.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
