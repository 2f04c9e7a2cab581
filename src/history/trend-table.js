import { pText, times } from '../core/report/figures.js';
import { gridOf } from '../core/report/grid.js';
import { metricNamed, textOf } from '../core/store/metrics.js';
import { conditionText, olderText, placeText } from './series-words.js';

/** @import { ChangedCell, Series, SeriesChange, SeriesPoint, SeriesTrend } from './types.js' */
/** @import { TrendWithWords } from './trend-words.js' */
/** @import { ColumnOf, Grid, Report, Section } from '../core/report/types.js' */

/** Of a change, in logarithms: where raw changed by more of it, the machine may be why. */
const MUCH_OF_CHANGE = 0.25;

/** @param {ChangedCell} cell */
const isDoubtful = ({ ratio, floorRatio }) => Math.log(floorRatio) / Math.log(ratio) >= MUCH_OF_CHANGE;
const RAW_NOTE =
  "raw: how much this tool's floor changed in the same results; that much may be the machine's doing.";

/** @param {Pick<TrendWithWords, 'changes' | 'names' | 'order'>} trend @returns {Grid} each changed cell */
function changeGrid({ changes, names, order }) {
  const rows = changes.flatMap((change) => change.cells.map((cell) => ({ change, cell })));
  /** @type {ColumnOf<{change: SeriesChange, cell: ChangedCell}>[]} */
  const columns = [
    { title: 'since', text: ({ change }) => stepText(change, order) },
    { title: 'metric', text: ({ change: { metric } }) => metricNamed(metric).title },
    { title: 'before', text: ({ change, cell }) => figureText(change, cell.before) },
    { title: 'after', text: ({ change, cell }) => figureText(change, cell.after) },
    { title: 'change', text: ({ change, cell: { ratio } }) => `${times(ratio)}${verdictOf(change)}` },
    { title: 'p', text: ({ cell: { pAdjusted } }) => pText(pAdjusted) },
    ...(rows.some(({ cell }) => isDoubtful(cell))
      ? [
          {
            title: 'raw',
            text: (/** @type {typeof rows[number]} */ { cell }) =>
              isDoubtful(cell) ? times(cell.floorRatio) : '',
          },
        ]
      : []),
  ];
  const nameOf = (/** @type {typeof rows[number]} */ { cell: { cell: id } }) => ({ name: names[id] ?? id });
  return { ...gridOf(rows, nameOf, columns), most: MOST_ROWS };
}

/** @param {SeriesChange} change */
function verdictOf({ metric, ratio }) {
  const { better } = metricNamed(metric);
  if (better === null) return '';
  return ratio > 1 === (better === 'more') ? ' (better)' : ' (worse)';
}

/**
 * `5.12.1 → 6.0.1`; by time the file, which may be one of several of a day, and a release that came with it.
 * @param {SeriesChange} change @param {SeriesTrend['order']} order
 */
function stepText({ since, before, mayBe }, order) {
  const [from, to] = [before, since].map((point) => placeText(point, order));
  const release = since.release === before.release ? '' : ` (${before.release} → ${since.release})`;
  const text = order === 'time' ? `${to} ${since.file}${release}` : `${from} → ${to}`;
  return `${mayBe.length > 1 ? 'about ' : ''}${text}`;
}

/** @param {SeriesChange} change @param {number} value with a digit more than elsewhere, for small changes */
const figureText = ({ metric }, value) => textOf(metricNamed(metric), value, 3);

/** Longer pages and tables are not read; JSON has all. */
const [MOST_ROWS, MOST_CELLS, MOST_POINTS] = [100, 12, 100];

/** @param {TrendWithWords} trend @returns {Report} what changed over many results */
export function trendReport(trend) {
  const { title, changes, series, notes } = trend;
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
      ...(changes.length > 0 ? [{ place: /** @type {const} */ ('first'), grid: changeGrid(trend) }] : []),
      {
        place: 'first',
        notes: changes.some(({ cells }) => cells.some(isDoubtful)) ? [...notes, RAW_NOTE] : notes,
      },
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
