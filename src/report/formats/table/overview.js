import { sum } from 'simple-statistics';
import { metricNamed } from '../../../metrics/metric-values.js';
import { barOf, INTERVAL_MARKS } from '../../charts/bars.js';
import { extentOf, gridLines, namesAbove } from '../../tables/grid.js';
import { metricColumn } from '../../tables/group-grids.js';
import { rowColumn, runsInLine } from '../../tables/result-rows.js';
import { duration } from '../../words/figures.js';

/** @import { Pen } from '../../charts/plot.js' */
/** @import { ColumnOf, GridColumn, Row } from '../../tables/types.js' */

/** @typedef {{heading: string, rows: Row[]}} RowGroup an empty heading is left out */

/** @param {RowGroup[]} groups @param {Pen} pen @returns {{lines: string[], signs: string[]}} `signs`: what columns mean */
export function overview(groups, pen) {
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
