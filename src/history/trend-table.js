import { conditionText, olderText, placeText } from '../benchmark/report/words/series-words.js';
import { pText, times } from '../core/report/figures.js';
import { gridOf } from '../core/report/grid.js';
import { metricNamed } from '../core/store/metrics/metric-values.js';
import { textOf } from '../core/store/metrics/text.js';
import { stepText } from './trend-words.js';

/** @import { ChangedCell, Series, SeriesChange, SeriesPoint } from './types.js' */
/** @import { TrendWithWords } from './trend-words.js' */
/** @import { ColumnOf, Grid, Report, Section } from '../core/report/types.js' */

/**
 * @param {Pick<TrendWithWords, 'changes' | 'names' | 'order'>} trend
 * @returns {Grid[]} one with each changed cell; none where nothing changed
 */
export function changeGrids({ changes, names, order }) {
  const rows = changes.flatMap((change) => change.cells.map((cell) => ({ change, cell })));
  /** @type {ColumnOf<{change: SeriesChange, cell: ChangedCell}>[]} */
  const columns = [
    { title: 'since', text: ({ change }) => stepText(change, order) },
    { title: 'metric', text: ({ change: { metric } }) => metricNamed(metric).title },
    { title: 'before', text: ({ change, cell }) => figureText(change, cell.before) },
    { title: 'after', text: ({ change, cell }) => figureText(change, cell.after) },
    { title: 'ratio', text: ({ cell: { ratio } }) => times(ratio) },
    { title: 'p', text: ({ cell: { pAdjusted } }) => pText(pAdjusted) },
  ];
  const nameOf = (/** @type {typeof rows[number]} */ { cell: { cell: id } }) => ({ name: names[id] ?? id });
  return rows.length === 0 ? [] : [gridOf(rows, nameOf, columns)];
}

/** @param {SeriesChange} change @param {number} value with a digit more than elsewhere, for small changes */
const figureText = ({ metric }, value) => textOf(metricNamed(metric), value, 3);

/** Longer pages and tables are not read; JSON has all. */
const [MOST_ROWS, MOST_CELLS, MOST_POINTS] = [100, 12, 100];

/** @param {TrendWithWords} trend @returns {Report} what changed over many results */
export function trendReport(trend) {
  const { changes, series, notes } = trend;
  const [title, ...sentences] = trend.sentences;
  const keyOf = (/** @type {{conditions: number | string, cell: string}} */ { conditions, cell }) =>
    `${conditions} ${cell}`;
  const changed = changes.flatMap(({ conditions, cells }) =>
    cells.map(({ cell }) => keyOf({ conditions, cell })),
  );
  const all = [...new Set(changed)].map((key) => series.filter((each) => keyOf(each) === key));
  return {
    title,
    facts: [],
    sections: [
      { place: 'first', notes: sentences },
      ...changeGrids(trend).map((grid) => ({
        place: /** @type {const} */ ('first'),
        grid: { ...grid, most: MOST_ROWS },
      })),
      { place: 'first', notes },
      ...all.slice(0, MOST_CELLS).map((own) => cellSection(own, trend)),
    ],
    remarks: [],
    verdicts: [],
  };
}

/** @param {Series[]} own of a cell under one set of conditions @param {TrendWithWords} trend @returns {Section} */
function cellSection(own, { names, conditions, order }) {
  // Each metric may lack some.
  const [{ points }] = own.toSorted((a, b) => b.points.length - a.points.length);
  const shown = points.slice(-MOST_POINTS);
  const [{ cell, conditions: at }] = own;
  return {
    place: 'details',
    heading: names[cell],
    grid: {
      note: `${olderText(shown.length, points.length)} · ${conditionText(conditions[at])}`,
      names: { title: order },
      ...gridOf(shown, (point) => ({ name: placeText(point, order) }), columnsOf(own)),
    },
  };
}

/** @param {Series[]} own @returns {ColumnOf<SeriesPoint>[]} each metric, and raw for the first of them */
function columnsOf(own) {
  const timed = own.find(({ points }) => points.some(({ floor }) => floor));
  return [
    ...own.map((series) => figureColumn(series, ({ value }) => value)),
    ...(timed
      ? [{ ...figureColumn(timed, ({ floor }) => floor), title: `${metricNamed(timed.metric).title} of raw` }]
      : []),
    { title: 'measured', text: ({ at }) => at.slice(0, 10) },
    { title: 'saved result', align: 'left', text: ({ file }) => file },
  ];
}

/** @param {Series} series @param {(point: SeriesPoint) => number | undefined} figureOf @returns {ColumnOf<SeriesPoint>} */
function figureColumn({ metric: id, points }, figureOf) {
  const metric = metricNamed(id);
  return {
    title: metric.title,
    text({ file, release }) {
      const point = points.find((each) => each.file === file && each.release === release);
      return textOf(metric, point && figureOf(point), 3);
    },
  };
}
