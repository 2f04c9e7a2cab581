import { sum } from 'simple-statistics';
import { metricNamed } from '../../../metrics/metric-values.js';
import { barOf, INTERVAL_MARKS } from '../../charts/bars.js';
import { gridLines, namesAbove } from '../../tables/grid.js';
import { metricColumn } from '../../tables/group-grids.js';
import { rowColumn, runsInLine } from '../../tables/result-rows.js';
import { duration } from '../../words/figures.js';

/** @import { Pen } from '../../charts/plot.js' */
/** @import { ColumnOf, GridColumn, Row } from '../../tables/types.js' */

/** Below this the columns would leave no room for names. */
const NARROW = 60;

/** @typedef {{heading: string, rows: Row[]}} RowGroup an empty heading is left out */

/** @param {RowGroup[]} groups @param {Pen} pen @returns {{lines: string[], signs: string[]}} `signs`: what columns mean */
export function overview(groups, pen) {
  const { columns, isNarrow } = fittingColumns(groups, pen.width);
  const heads = groups.flatMap(({ heading, rows }) =>
    rows.map(({ name, state }, index) => ({ name, state, heading: index === 0 ? heading : '' })),
  );
  const rows = heads.map((head, row) => ({ ...head, texts: columns.map(({ texts }) => texts[row]) }));
  const { width, colors } = pen;
  return {
    lines: isNarrow
      ? gridLines({ columns, rows: namesAbove(rows) }, { width, colors })
      : gridLines({ columns, rows }, { colors, headingWidth: width }),
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
 * The columns that must be there, and of the others, in the order of what they say, those that fit.
 * @param {RowGroup[]} groups @param {number} width @param {boolean} [isNarrow] whether names stand above
 * @returns {{columns: Column[], isNarrow: boolean}}
 */
function fittingColumns(groups, width, isNarrow = width < NARROW) {
  const rows = groups.flatMap((group) => group.rows);
  const figures = FIGURES.map(({ text, ...column }) => ({ ...column, texts: rows.map(text) })).filter(
    isFilled,
  );
  const [everyRun, three, ends] = runsColumns(rows);
  const indent = isNarrow || groups.length > 1 ? 1 : 0;
  const names = isNarrow ? [] : rows.map(({ name }) => name);
  const chosen = new Set(figures.filter(({ rank }) => rank === 0));
  let free = width - widthOf(names) - indent - sum([...chosen].map(columnWidth));
  const hasRuns = free >= runsWidth(ends);
  if (!hasRuns && !isNarrow) return fittingColumns(groups, width, true);
  if (hasRuns) free -= runsWidth(ends);
  const take = (/** @type {number} */ rank) => {
    const column = figures.find((each) => each.rank === rank);
    if (column === undefined || columnWidth(column) > free) return;
    free -= columnWidth(column);
    chosen.add(column);
  };
  take(1);
  const hasBar = free >= LEAST_BAR + BETWEEN && rows.some(({ cell }) => cell.summary !== null);
  if (hasBar) free -= LEAST_BAR + BETWEEN;
  for (let rank = 2; rank < FIGURES.length; rank++) take(rank);
  const longer = (/** @type {Column} */ column) => runsWidth(column) - runsWidth(ends);
  const runs = [everyRun, three].find((column) => longer(column) <= free) ?? ends;
  free -= longer(runs);
  const bar = hasBar ? [bars(groups, Math.min(MOST_BAR, LEAST_BAR + free))] : [];
  const room = runsWidth(runs) - BETWEEN + (hasBar ? Math.max(0, free - (MOST_BAR - LEAST_BAR)) : free);
  const title = RUNS_TITLES.find((text) => text.length <= room) ?? '';
  const align = /** @type {const} */ ('left');
  const columns = [
    ...bar,
    ...figures.filter((column) => chosen.has(column)),
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

const BETWEEN = 2;

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

/** Those of rank 0 must be there; what fits of the others is taken by rank, a bar after 1. @type {(ColumnOf<Row> & {rank: number})[]} */
const FIGURES = [
  { rank: 0, ...rowColumn('ops/s') },
  { rank: 1, ...rowColumn('±') },
  { rank: 0, ...rowColumn('slower') },
  { rank: 6, ...rowColumn('of raw') },
  { rank: 2, ...metricColumn(metricNamed('cacheHitRate'), 'cache hits') },
  { rank: 3, ...metricColumn(metricNamed('replicaReadShare'), 'by replicas') },
  {
    rank: 5,
    title: metricNamed('p99Us').title,
    text: ({ cell: { summary } }) => (summary?.latency ? duration(summary.latency.p99Us) : ''),
  },
];
