import { sum } from 'simple-statistics';
import { barOf, INTERVAL_MARKS } from '../../benchmark/report/charts/bars.js';
import { plotGroup } from '../../benchmark/report/charts/plot.js';
import { costGrid, gridsOf, metricColumn } from '../../benchmark/report/tables/group-grids.js';
import { coldGrid } from '../../benchmark/report/tables/main-grid.js';
import { ratedGrid, ratedNotes } from '../../benchmark/report/tables/rated-grid.js';
import {
  byRank,
  groupsOf,
  isClosed,
  isOpen,
  rowColumn,
  runsInLine,
  runTexts,
} from '../../benchmark/report/tables/result-rows.js';
import { sharedTitles } from '../../benchmark/report/words/legend.js';
import { remarksOf, wordsOf } from '../../benchmark/report/words/remarks.js';
import { haveFault } from '../../break/fault-ranking.js';
import { faultStrips, STRIPS_LEGEND } from '../../break/fault-strips.js';
import { startedCold } from '../../cold/first-replies.js';
import { duration } from '../../core/report/figures.js';
import { extentOf, gridLines, namesAbove, narrowed, titled } from '../../core/report/grid.js';
import { wrap } from '../../core/report/wrap.js';
import { metricNamed } from '../../core/store/metrics/metric-values.js';

/** @import { Comparison } from '../../benchmark/judge/types.js' */
/** @import { Report } from '../../core/store/types.js' */
/** @import { Pen } from '../../benchmark/report/charts/plot.js' */
/** @import { Group as TableGroup } from '../../benchmark/report/tables/result-rows.js' */
/** @import { Grid, Row, ColumnOf, GridColumn } from '../../core/report/types.js' */

/** @typedef {TableGroup & {heading: string}} Group `heading`: what distinguishes it; empty where it is alone */

/** @param {Report} report @param {Comparison[]} [comparisons] @returns {{common: string, groups: Group[]}} `common`: what titles share */
export function headedGroups(report, comparisons) {
  const groups = groupsOf(report, comparisons);
  const cells = groups.map((group) => group.cells);
  const { common, titles } = sharedTitles(cells, report);
  return { common, groups: groups.map((group, index) => ({ ...group, heading: titles[index] })) };
}

/** One table for all groups of a kind. @param {Group[]} groups @param {Pen} pen @returns {{lines: string[], signs: string[]}} */
export function overviews(groups, pen) {
  const cold = groups.filter(({ cells }) => startedCold(cells));
  const closed = groups.filter(isClosed);
  const open = groups.filter(({ cells }) => isOpen(cells));
  const { lines, signs } = closed.length > 0 ? overview(closed, pen) : { lines: [], signs: [] };
  return {
    lines: [
      ...(cold.length > 0 ? gridLines(coldGrid(cold, true), pen) : []),
      ...lines,
      ...(open.length > 0 ? openLoops(open, pen) : []),
    ],
    signs,
  };
}

/** With fewer columns nothing would be seen of time. */
const LEAST_STRIP = 12;

/** @param {Group[]} groups that ran at a rate @param {Pen} pen @returns {string[]} lines */
function openLoops(groups, pen) {
  const grid = ratedGrid(groups, true);
  // The rates of a search stand below the name of their cell.
  const rows = grid.rows.map((row, index) => ({
    ...row,
    name: row.heading === undefined && row.name === grid.rows[index - 1]?.name ? '' : row.name,
  }));
  return withStrips({ ...grid, rows }, groups, pen);
}

/**
 * @param {Grid} grid @param {Group[]} groups its rows @param {Pen} pen
 * @returns {string[]} lines, with what happened over time where it fits
 */
function withStrips(grid, groups, pen) {
  const shown = narrowed(grid, pen.width - LEAST_STRIP);
  const { needed, indent } = extentOf(shown);
  // Titles of groups indent names.
  const at = needed + (indent === '' ? 1 : 0);
  const strips = groups.flatMap(({ cells, comparison }) => {
    const each = faultStrips(cells, comparison, pen, pen.width - at - 2);
    return byRank(cells, comparison.ranking).map(({ id }) => ({ ...each, strip: each.strips.get(id) ?? '' }));
  });
  if (strips.every(({ strip }) => strip === '')) return gridLines(grid, pen);
  const rows = shown.rows.map((row, index) => {
    const { strip, mark } = strips[index];
    const texts = [...row.texts, strip];
    if (grid.rows[index].heading === undefined) return { ...row, texts };
    // Behind a longer heading the marks would stand at the wrong time.
    const [last = '', ...above] = `${row.heading}`.split('\n').toReversed();
    const marked =
      last.length > at ? `${last}\n${' '.repeat(at + 1)}${mark}` : `${last.padEnd(at + 1)}${mark}`;
    return { ...row, heading: [...above.toReversed(), marked.trimEnd()].join('\n'), texts };
  });
  const columns = [...grid.columns, ...titled(['over time'], 'left')];
  const lines = gridLines({ ...shown, columns, rows }, pen);
  return [...lines, ...wrap(STRIPS_LEGEND, pen.width).map(pen.colors.dim)];
}

/**
 * Tables that the first screen has where they fit.
 * @param {Group} group @param {Pen} pen @returns {string[][]} lines of each
 */
export function extrasOf({ comparison, cells, heading }, pen) {
  return gridsOf('table', cells, comparison, true)
    .map((grid) => gridLines(grid, pen))
    .map((lines) => [...wrap(heading, pen.width).map(pen.colors.bold), ...lines]);
}

/** @param {Group} group @param {Pen} pen @returns {string[]} lines */
export const plotOf = ({ cells, rows, heading }, pen) =>
  isOpen(cells) ? [] : [...wrap(heading, pen.width).map(pen.colors.bold), ...plotGroup(rows, pen)];

/**
 * @param {Group} group @param {Pick<Report, 'settings'>} report @param {Pen} pen
 * @param {string[][]} extras that did not fit the first screen
 */
export function groupDetails(group, { settings }, pen, extras) {
  const { cells, comparison, title, rows } = group;
  const hasCosts = !isOpen(cells) && !settings.smoke;
  const costs = hasCosts && (startedCold(cells) ? coldGrid([{ rows }]) : costGrid(rows));
  const grids = [...(costs ? [costs] : []), ...gridsOf('table', cells, comparison, false)];
  return [
    ...wrap(title, pen.width).map(pen.colors.bold),
    ...(isOpen(cells) ? ratedDetails(group, pen) : allRuns(rows, pen)),
    ...wordsOf(comparison, settings.smoke, pen.width),
    ...spaced([...extras, ...grids.map((grid) => gridLines(grid, pen))]),
    ...remarksOf(cells).flatMap(({ text, who }) => wrap(`${who}: ${text}`, pen.width)),
  ];
}

/** @param {Group} group that ran at a rate @param {Pen} pen @returns {string[]} lines */
function ratedDetails(group, pen) {
  const { cells, comparison } = group;
  const grid = ratedGrid([{ cells, comparison }]);
  const rows = grid.rows.map((row) => ({ ...row, texts: [] }));
  return [
    ...gridLines(grid, pen),
    ...(haveFault(cells) ? ['', ...withStrips({ columns: [], rows }, [group], pen), ''] : []),
    ...ratedNotes(cells).flatMap((note) => wrap(note, pen.width)),
  ];
}

/** @param {string[][]} some @returns {string[]} with a blank line before, between and behind them */
const spaced = (some) => {
  const filled = some.filter((lines) => lines.length > 0);
  return filled.length > 0 ? ['', ...filled.flatMap((lines) => [...lines, ''])] : [];
};

const RUNS_TITLE = 'average (spread) of each run, ms';
/** With fewer columns than this for the runs, names stand above them. */
const LEAST = 24;

/** @param {Row[]} all @param {Pen} pen @returns {string[]} lines; none where nothing was run */
function allRuns(all, { width, colors }) {
  const run = all.filter(({ cell }) => cell.skipped === null && cell.runs.length > 0);
  if (run.length === 0) return [];
  const runs = run.map(({ cell }) =>
    runTexts(cell.runs).map((text, index) => (cell.runs[index]?.awake ? `${text} awake` : text)),
  );
  const runWidth = Math.max(...runs.flat().map((text) => text.length));
  // Runs of a given time have no number of iterations.
  const columns = titled(run.some((row) => row.columns.iterations !== '') ? ['iterations'] : []);
  const rows = run.map(({ name, state, columns: { iterations } }) => ({
    name,
    state,
    texts: columns.map(() => iterations),
  }));
  const head = narrowed({ columns, rows }, width - 2 - Math.max(LEAST, runWidth)).rows;
  const left = width - extentOf({ columns, rows: head }).needed - 2;
  const title = left < RUNS_TITLE.length ? 'runs, ms' : RUNS_TITLE;
  const blank = { name: '', texts: columns.map(() => '') };
  const grid = {
    columns: [...columns, ...titled([title], 'left')],
    // A row for each line: a cell of many lines takes this table seconds.
    rows: head.flatMap((row, index) =>
      inColumns(runs[index], runWidth, left).map((line, place) => {
        const { texts, ...rest } = place === 0 ? row : { ...blank, state: row.state };
        return { ...rest, texts: [...texts, line] };
      }),
    ),
  };
  return gridLines(grid, { colors, width });
}

/** @param {string[]} runs @param {number} runWidth @param {number} width @returns {string[]} lines of as many as fit */
function inColumns(runs, runWidth, width) {
  const inLine = Math.max(1, Math.floor((width + 2) / (runWidth + 2)));
  return Array.from({ length: Math.ceil(runs.length / inLine) }, (_, line) =>
    runs
      .slice(line * inLine, (line + 1) * inLine)
      .map((run) => run.padEnd(runWidth))
      .join('  ')
      .trimEnd(),
  );
}

/** @typedef {{heading: string, rows: Row[]}} RowGroup an empty heading is left out */

/** @param {RowGroup[]} groups @param {Pen} pen @returns {{lines: string[], signs: string[]}} `signs`: what columns mean */
function overview(groups, pen) {
  const heads = groups.flatMap(({ heading, rows }) =>
    rows.map(({ name, state }, index) => ({ name, state, heading: index === 0 ? heading : '' })),
  );
  const { columns, isNarrow } = fittingColumns(
    groups,
    extentOf({ columns: [], rows: heads.map((head) => ({ ...head, texts: [] })) }).needed,
    pen.width,
  );
  const rows = heads.map((head, row) => ({ ...head, texts: columns.map(({ texts }) => texts[row]) }));
  return {
    lines: gridLines({ columns, rows: isNarrow ? namesAbove(rows) : rows }, pen),
    signs: columns.flatMap(({ sign = [] }) => sign),
  };
}

/** @typedef {GridColumn & {texts: string[], sign?: string}} Column a text for each row, and what is not plain from its title */

/** A shorter bar shows nothing, a longer one no more. */
const [LEAST_BAR, MOST_BAR] = [6, 30];
/** The longest that fits. */
const RUNS_TITLES = [
  'elapsed of each run, ms: average (slowest - fastest task)',
  'runs: average elapsed (spread), ms',
  'run, ms (spread)',
];

/**
 * All figures, the longest form of the runs that fits, and a bar where there is room.
 * @param {RowGroup[]} groups @param {number} forNames @param {number} width
 * @returns {{columns: Column[], isNarrow: boolean}} `isNarrow`: names stand above
 */
function fittingColumns(groups, forNames, width) {
  const rows = groups.flatMap((group) => group.rows);
  const figures = FIGURES.map(({ text, ...column }) => ({ ...column, texts: rows.map(text) })).filter(
    isFilled,
  );
  const [everyRun, three, ends] = runsColumns(rows);
  const hasRuns = isFilled(everyRun);
  const needed = sum(figures.map(columnWidth)) + (hasRuns ? runsWidth(ends) : 0);
  const isNarrow = forNames + needed > width;
  let free = width - (isNarrow ? INDENT + BETWEEN : forNames) - needed;
  const hasBar = free >= LEAST_BAR + BETWEEN && rows.some(({ cell }) => cell.summary !== null);
  if (hasBar) free -= LEAST_BAR + BETWEEN;
  const longer = (/** @type {Column} */ column) => runsWidth(column) - runsWidth(ends);
  const runs = [everyRun, three].find((column) => longer(column) <= free) ?? ends;
  free -= longer(runs);
  const bar = hasBar ? [bars(groups, Math.min(MOST_BAR, LEAST_BAR + free))] : [];
  const room = runsWidth(runs) - BETWEEN + (hasBar ? Math.max(0, free - (MOST_BAR - LEAST_BAR)) : free);
  const title = RUNS_TITLES.find((text) => text.length <= room) ?? RUNS_TITLES[RUNS_TITLES.length - 1];
  const align = /** @type {const} */ ('left');
  const columns = [...bar, ...figures, ...(hasRuns ? [{ ...runs, title, sign: runsSign(rows), align }] : [])];
  return { columns, isNarrow };
}

/** @param {Row[]} rows @returns {string | undefined} what makes averages of rows incomparable */
function runsSign(rows) {
  const lengths = rows.map(({ columns }) => columns.iterations).filter((text) => text !== '');
  return new Set(lengths).size > 1 ? 'runs: iterations differ' : undefined;
}

/** @param {Column} column */
const isFilled = ({ texts }) => texts.some((text) => text !== '');

const [BETWEEN, INDENT] = [2, 1];

/** @param {string[]} texts */
const widthOf = (texts) => Math.max(0, ...texts.map((text) => text.length)) + BETWEEN;

/** @param {Column} column */
const columnWidth = ({ title, texts }) => widthOf([title, ...texts]);

/** @param {Column} runs under the shortest of their titles */
const runsWidth = ({ texts }) => widthOf([RUNS_TITLES[RUNS_TITLES.length - 1], ...texts]);

/** @param {Row[]} rows @returns {Column[]} the longest first */
const runsColumns = (rows) =>
  [0, 1, 2].map((form) => ({
    title: '',
    texts: rows.map(({ cell }) => (cell.skipped === null ? runsInLine(cell.runs)[form] : '')),
  }));

/** @param {RowGroup[]} groups the longest bar of each is as long @param {number} columns @returns {Column} */
const bars = (groups, columns) => ({
  title: '',
  align: 'left',
  texts: groups.flatMap(({ rows }) => {
    const figures = rows.map(({ cell: { summary } }) =>
      summary === null || summary.tooShort
        ? null
        : { value: summary.opsPerSecond, interval: summary.intervals.opsPerSecond },
    );
    const most = Math.max(...figures.map((each) => Math.max(each?.value ?? 0, each?.interval?.high ?? 0)));
    return figures.map((each) => (each ? barOf(each, most, columns) : ''));
  }),
  sign: `bars: ops/s (${INTERVAL_MARKS} within ±)`,
});

/** @type {ColumnOf<Row>[]} */
const FIGURES = [
  ...[rowColumn('ops/s'), rowColumn('±'), rowColumn('slower'), rowColumn('of raw')],
  metricColumn(metricNamed('cacheHitRate'), 'cache hits'),
  metricColumn(metricNamed('replicaReadShare'), 'by replicas'),
  {
    title: metricNamed('p99Us').title,
    text: ({ cell: { summary } }) => (summary?.latency ? duration(summary.latency.p99Us) : ''),
  },
];
