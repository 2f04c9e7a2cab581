import { clientName } from '../../../../axes/cell-names.js';
import { percent, perSecond, whole } from '../../../../report/figures.js';
import { filledColumns, gridOf } from '../../../../report/grid.js';
import { NO_BREAK_BLANK } from '../../../../report/wrap.js';
import { asIs, figureOfCell, latencyText, metricNamed } from '../../../../store/metrics.js';
import { headOf, metricColumn } from './rows.js';

/** @import { Bar, ColumnOf, Grid } from '../../../../report/types.js' */
/** @import { Run, Summary } from '../../../../store/types.js' */
/** @import { Column, HeadedGroup } from './rows.js' */

/** So many always stay on a first screen; of more so many at least, and the best of each client and scenario. */
const [MOST_ROWS, LEAST_ROWS] = [16, 8];
/** Memory is on the first screen from here on: 134 saved results without long pipelines or scans stayed below 273 MB. */
const MUCH_MEMORY = 300e6;

/** @param {HeadedGroup[]} groups in a closed loop @returns {Grid} */
export function mainGrid(groups) {
  const rows = groups.flatMap(({ rows: cells }) => {
    const most = Math.max(...cells.map(({ cell: { summary } }) => (summary ? rangeOf(summary).high : 0)));
    const seen = new Set();
    return cells.map((row, place) => {
      const its = [clientName(row.cell), row.cell.scenario];
      const isFirst = its.some((each) => !seen.has(each));
      for (const each of its) seen.add(each);
      return { ...row, most, isFirst, rank: isFirst ? place : cells.length + place };
    });
  });
  const firsts = rows.filter(({ isFirst }) => isFirst).length;
  const isShort = rows.every(({ cell }) => asIs(cell.runs).length <= MOST_IN_LINE);
  const memory = metricNamed('peakRssBytes');
  const isLarge = rows.some(
    ({ cell: { summary } }) => summary && Number(figureOfCell(memory, summary)) > MUCH_MEMORY,
  );
  const figures = filledColumns(rows, [
    ...FIGURES,
    ...(isLarge ? [{ ...metricColumn(memory), rank: 1 }] : []),
    runsColumn(isShort),
  ]);
  /** @type {ColumnOf<typeof rows[number], string | Bar>} */
  const bar = {
    title: '',
    align: 'left',
    text: ({ cell: { summary }, most }) =>
      summary === null || summary.tooShort ? '' : { value: summary.opsPerSecond, ...rangeOf(summary), most },
  };
  return {
    ...gridOf(rows, (row) => ({ ...headOf(row), rank: row.rank }), [bar, ...figures]),
    most: rows.length <= MOST_ROWS ? MOST_ROWS : Math.min(MOST_ROWS, Math.max(LEAST_ROWS, firsts)),
  };
}

/** A figure that is estimated from all starts may lie beyond those of its own runs. @param {Summary} summary */
const rangeOf = ({ opsPerSecond, opsPerSecondLow, opsPerSecondHigh }) => ({
  low: Math.min(opsPerSecond, opsPerSecondLow),
  high: Math.max(opsPerSecond, opsPerSecondHigh),
});

/** @param {boolean} isShort whether there is room for each run, not only for the one in the middle @returns {Column} */
const runsColumn = (isShort) => ({
  title: `${isShort ? 'runs, ' : ''}ms (spread)`,
  align: 'left',
  rank: 1,
  // They stay in one line.
  text: ({ cell: { skipped, runs } }) =>
    skipped === null
      ? (isShort ? runTexts(asIs(runs)).join(' ') : runsInShort(runs)).replaceAll(' ', NO_BREAK_BLANK)
      : '',
});

/** @type {Column[]} */
const FIGURES = [
  { title: 'ops/s', text: ({ cell }) => perSecond(cell.summary?.opsPerSecond) },
  { title: 'behind', text: ({ behind }) => behind },
  { title: 'kept awake', text: ({ awake }) => awake },
  {
    title: 'of raw',
    rank: 2,
    text: ({ ranked }) => (ranked?.ofCeiling == null ? '' : percent(ranked.ofCeiling)),
  },
  { ...metricColumn(metricNamed('cacheHitRate')), title: 'cache hits', rank: 2 },
  ...['hitRate', 'doubled'].map((id) => ({ ...metricColumn(metricNamed(id)), none: '0', rank: 2 })),
  { ...metricColumn(metricNamed('replicaReadShare')), title: 'by replicas', rank: 2 },
  {
    title: metricNamed('p99Us').title,
    rank: 2,
    text: ({ cell: { summary } }) => latencyText('p99Us', summary?.latency ?? null),
  },
];

const RUNS_SHOWN = 1000;

/** @param {Run[]} runs @returns {string[]} `330 (2)` for each: average elapsed time of its tasks in ms, and the spread */
export function runTexts(runs) {
  const shown = runs.slice(0, RUNS_SHOWN).map(({ failed, averageMs, spreadMs }) => {
    if (failed !== null || averageMs === null || spreadMs === null) return 'failed';
    const digits = digitsOf(averageMs);
    return `${averageMs.toFixed(digits)} (${spreadMs.toFixed(digits)})`;
  });
  return runs.length > RUNS_SHOWN ? [...shown, `+ ${whole(runs.length - RUNS_SHOWN)}`] : shown;
}

/** Whole milliseconds; a decimal if rounding would hide a tenth of the figure. @param {number} averageMs */
const digitsOf = (averageMs) => (averageMs < 10 ? 1 : 0);

/** With more runs of any cell, those of all are summed up. */
const MOST_IN_LINE = 3;

/** @param {Run[]} runs @returns {string} the one in the middle, by its average, and how many failed */
function runsInShort(runs) {
  const counted = asIs(runs);
  const good = counted.filter(({ failed }) => failed === null);
  if (good.length === 0) return counted.length === 0 ? '' : `${counted.length} failed`;
  const sorted = good.toSorted((a, b) => Number(a.averageMs) - Number(b.averageMs));
  const failed = counted.length - good.length;
  return `${runTexts([sorted[(sorted.length - 1) >> 1]])}${failed === 0 ? '' : `, ${failed} failed`}`;
}
