import { metricNamed } from '../../../metrics/metric-values.js';
import { barOf, INTERVAL_MARKS } from '../../charts/bars.js';
import { gridLines, namesAbove } from '../../tables/grid.js';
import { metricColumn } from '../../tables/group-grids.js';
import { runsInLine } from '../../tables/result-rows.js';
import { duration } from '../../words/figures.js';

/** @import { Summary } from '../../../analysis/types.js' */
/** @import { Pen } from '../../charts/plot.js' */
/** @import { ColumnOf, GridColumn, Row } from '../../tables/types.js' */

/** Below this the columns would leave no room for names. */
const NARROW = 60;

/** @typedef {{heading: string, rows: Row[]}} RowGroup rows under a heading; an empty one is left out */

/** The cells of all groups in one table, a line each. @param {RowGroup[]} groups @param {Pen} pen @returns {string[]} lines */
export function overview(groups, pen) {
  const { columns, isNarrow } = fittingColumns(groups, pen);
  const all = groups.flatMap(({ heading, rows }) =>
    rows.map((row, index) => ({ ...row, heading: index === 0 ? heading : '' })),
  );
  const rows = all.map(({ name, state, heading }, row) => ({
    name,
    state,
    heading,
    texts: columns.map(({ texts }) => texts[row]),
  }));
  const { width, colors } = pen;
  if (isNarrow) return gridLines({ columns, rows: namesAbove(rows) }, { width, colors });
  return gridLines({ columns, rows }, { colors, headingWidth: width });
}

/** @param {RowGroup[]} groups @param {Pen} pen @returns {string[]} what the columns of the overview mean, where that is not plain */
export const signsOf = (groups, pen) => fittingColumns(groups, pen).columns.flatMap(({ sign = [] }) => sign);

/** @typedef {GridColumn & {texts: string[], sign?: string}} Column a text for each row; what is not plain from its title */

/** A shorter bar shows nothing, a longer one no more. */
const [LEAST_BAR, MOST_BAR] = [6, 30];
/** The longest that fits. */
const RUNS_TITLES = [
  'elapsed of each run, ms: average (slowest - fastest task)',
  'runs: average elapsed (spread), ms',
  'run, ms (spread)',
];

/**
 * The columns that must be there, and of the others, in the order of what they say, those that fit.
 * @param {RowGroup[]} groups of one table @param {Pen} pen @param {boolean} [isNarrow] whether names stand above
 * @returns {{columns: Column[], isNarrow: boolean}}
 */
function fittingColumns(groups, pen, isNarrow = pen.width < NARROW) {
  const { width } = pen;
  const rows = groups.flatMap((group) => group.rows);
  const figures = figuresOf(rows);
  const [everyRun, three, ends] = runsColumns(rows);
  const indent = isNarrow || groups.length > 1 ? 1 : 0;
  const names = isNarrow ? [] : rows.map(({ name }) => name);
  const needed = [figures.opsPerSecond, figures.timesSlower].filter(isFilled);
  let free = width - widthOf(names) - indent - sum(needed);
  const hasRuns = free >= runsWidth(ends);
  if (!hasRuns && !isNarrow) return fittingColumns(groups, pen, true);
  if (hasRuns) free -= runsWidth(ends);
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
  const { cache, replicas, stale, p99, ofCeiling } = figures;
  for (const column of [cache, replicas, stale, p99, ofCeiling]) take(column);
  const longer = (/** @type {Column} */ column) => runsWidth(column) - runsWidth(ends);
  const runs = [everyRun, three].find((column) => longer(column) <= free) ?? ends;
  free -= longer(runs);
  const bar = hasBar ? [bars(groups, Math.min(MOST_BAR, LEAST_BAR + free))] : [];
  const room = runsWidth(runs) - BESIDE + (hasBar ? Math.max(0, free - (MOST_BAR - LEAST_BAR)) : free);
  const title = RUNS_TITLES.find((text) => text.length <= room) ?? '';
  const align = /** @type {const} */ ('left');
  const columns = [
    ...bar,
    ...Object.values(figures).filter((column) => chosen.has(column)),
    ...(hasRuns && isFilled(runs) ? [{ ...runs, title, sign: runsSign(rows), align }] : []),
  ];
  return { columns, isNarrow };
}

/** @param {Row[]} rows @returns {string | undefined} what makes averages of rows incomparable */
function runsSign(rows) {
  const lengths = rows.map(({ columns }) => columns.iterations).filter((text) => text !== '');
  return new Set(lengths).size > 1 ? 'runs: iterations differ' : undefined;
}

/** @param {Column} column */
const isFilled = ({ texts }) => texts.some((text) => text !== '');

const BESIDE = 2;

/** @param {string[]} texts */
const widthOf = (texts) => Math.max(0, ...texts.map((text) => text.length)) + BESIDE;

/** @param {Column[]} columns */
const sum = (columns) => columns.reduce((all, { title, texts }) => all + widthOf([title, ...texts]), 0);

/** @param {Column} runs under the shortest of their titles */
const runsWidth = ({ texts }) => widthOf([RUNS_TITLES[RUNS_TITLES.length - 1], ...texts]);

/** @param {Row[]} rows @returns {Column[]} the longest first */
const runsColumns = (rows) =>
  [0, 1, 2].map((form) => ({
    title: '',
    texts: rows.map(({ cell }) => (cell.skipped === null ? runsInLine(cell.runs)[form] : '')),
  }));

/** @param {RowGroup[]} groups the longest bar of each is as long @param {number} columns @returns {Column} */
function bars(groups, columns) {
  return {
    title: '',
    align: 'left',
    texts: groups.flatMap(({ rows }) => {
      const figures = rows.map(({ cell: { summary } }) =>
        summary === null || summary.tooShort
          ? null
          : { value: summary.opsPerSecond, interval: summary.intervals.opsPerSecond },
      );
      const most = Math.max(
        ...figures.map((each) => (each ? Math.max(each.value, each.interval?.high ?? 0) : 0)),
      );
      return figures.map((each) => (each ? barOf(each, most, columns) : ''));
    }),
    sign: `bars: ops/s (${INTERVAL_MARKS} within ±)`,
  };
}

/** In the order in which they are printed. @satisfies {Record<string, ColumnOf<Row>>} */
const FIGURES = {
  opsPerSecond: { title: 'ops/s', text: ({ columns }) => columns['ops/s'] },
  reach: { title: '±', text: ({ columns }) => columns['±'] },
  timesSlower: { title: 'slower', text: ({ columns }) => columns.slower },
  ofCeiling: { title: 'of raw', text: ({ columns }) => columns['of raw'] },
  cache: metricColumn(metricNamed('cacheHitRate'), 'cache hits'),
  replicas: metricColumn(metricNamed('replicaReadShare'), 'by replicas'),
  stale: metricColumn(metricNamed('staleShare'), 'stale'),
  p99: { title: metricNamed('p99Us').title, text: ({ cell }) => (cell.summary ? p99Text(cell.summary) : '') },
};

/** @param {Row[]} rows @returns {Record<keyof typeof FIGURES, Column>} */
function figuresOf(rows) {
  const columns = Object.entries(FIGURES).map(([id, { title, text }]) => [
    id,
    { title, texts: rows.map(text) },
  ]);
  return Object.fromEntries(columns);
}

/** @param {Summary} summary */
const p99Text = ({ latency }) => (latency === null ? '' : duration(latency.p99Us));
