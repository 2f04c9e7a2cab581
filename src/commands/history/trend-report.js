import { nameCells } from '../../axes/cell-names.js';
import { groupBy } from '../../collections.js';
import { count, pEquals, said, spanOf, times } from '../../report/figures.js';
import { gridOf } from '../../report/grid.js';
import { metricNamed, textOf } from '../../store/metrics.js';
import { differenceText } from '../benchmark/differences.js';

/** @import { ColumnOf, Grid, Report, Section } from '../../report/types.js' */
/** @import { LeftOutOfSeries, Series, SeriesBreak, SeriesChange, SeriesOrder, SeriesPoint, SeriesTrend } from './trend.js' */

/** @typedef {Record<string, string>} Names of cells by id */

const [MOST_ROWS, MOST_CELLS, MOST_POINTS] = [100, 12, 100];

/** @param {SeriesTrend} trend @returns {Report} what changed over many results */
export function trendReport(trend) {
  const { changes, series, order } = trend;
  const examples = [...new Map(series.map(({ example }) => [example.id, example])).values()];
  const shared = new Set(examples.map(({ scenario }) => scenario)).size === 1 ? ['scenario'] : [];
  const names = Object.fromEntries(nameCells(examples, order === 'time' ? shared : ['release', ...shared]));
  const keyOf = (/** @type {Series | SeriesChange} */ { conditions, cell }) => `${conditions} ${cell}`;
  const changed = [...new Set(changes.map(keyOf))];
  /** @type {Section[]} */
  const tables = changes.length > 0 ? [{ place: 'first', grid: changeGrid(trend, names) }] : [];
  const notes = said([
    scopeNote(trend),
    floorText(trend),
    testedText(trend),
    tooShortText(trend),
    ...trend.breaks.map(breakText),
    ...leftOutTexts(trend.leftOut),
  ]);
  return {
    title:
      changes.length > 0
        ? `${count(changes.length, 'lasting change')}: ${directionsText(changes)}`
        : isTooShort(trend)
          ? `Too few results to show a change: ${trend.fewestPoints} or more are needed`
          : `No lasting change proven in ${scopeText(trend)}`,
    facts: [],
    sections: [
      ...tables,
      { place: 'first', notes },
      ...changed.slice(0, MOST_CELLS).map((key) =>
        cellSection(
          series.filter((each) => keyOf(each) === key),
          order,
          names,
        ),
      ),
    ],
    remarks: [],
    verdicts: [],
  };
}

/** @param {Series[]} ofCell of a cell under one set of conditions @param {SeriesOrder} order @param {Names} names @returns {Section} */
function cellSection(ofCell, order, names) {
  // Each metric may lack some.
  const [{ points }] = ofCell.toSorted((a, b) => b.points.length - a.points.length);
  const shown = points.slice(-MOST_POINTS);
  const all = count(points.length, 'result');
  return {
    place: 'details',
    heading: names[ofCell[0].cell],
    grid: {
      note: shown.length === points.length ? all : `The newest ${shown.length} of ${all}`,
      names: { title: order },
      ...gridOf(shown, (point) => ({ name: placeText(point, order) }), columnsOf(ofCell)),
    },
  };
}

/** @param {Series[]} ofCell @returns {ColumnOf<SeriesPoint>[]} each metric, and raw for the first of them */
function columnsOf(ofCell) {
  const timed = ofCell.find(({ points }) => points.some(({ floor }) => floor));
  return [
    ...ofCell.map((series) => figureColumn(series, ({ value }) => value)),
    ...(timed
      ? [{ ...figureColumn(timed, ({ floor }) => floor), title: `${metricNamed(timed.metric).title} of raw` }]
      : []),
    { title: 'measured', text: ({ at }) => at.slice(0, 10) },
    { title: 'saved result', align: 'left', text: ({ file }) => file },
  ];
}

/** @type {(series: Series, figureOf: (point: SeriesPoint) => number | undefined) => ColumnOf<SeriesPoint>} */
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

/** Where raw changed by more than this share of a change, in logarithms, the machine may be why. */
const MUCH_OF_CHANGE = 0.25;

/** @param {SeriesChange} change */
const isDoubtful = ({ ratio, floorRatio }) => Math.log(floorRatio) / Math.log(ratio) >= MUCH_OF_CHANGE;
const RAW = 'raw: how much it changed in the same results; that much may be the machine.';

/** @type {(trend: SeriesTrend, names: Names) => Grid} */
function changeGrid({ changes, order }, names) {
  /** @type {ColumnOf<SeriesChange>[]} */
  const columns = [
    { title: 'since', text: (change) => stepText(change, order) },
    { title: 'metric', text: ({ metric }) => metricNamed(metric).title },
    // With a digit more than elsewhere, for small changes.
    { title: 'before', text: ({ metric, before }) => textOf(metricNamed(metric), before, 3) },
    { title: 'after', text: ({ metric, after }) => textOf(metricNamed(metric), after, 3) },
    { title: 'change', text: (change) => said([times(change.ratio), verdictOf(change)]).join(' ') },
  ];
  if (changes.some(isDoubtful))
    columns.push({
      title: 'raw',
      legend: RAW,
      text: (change) => (isDoubtful(change) ? times(change.floorRatio) : ''),
    });
  return { ...gridOf(changes, ({ cell }) => ({ name: names[cell] }), columns), most: MOST_ROWS };
}

/** @param {SeriesChange} change */
function verdictOf({ metric, ratio }) {
  const { better } = metricNamed(metric);
  if (better === null) return '';
  return ratio > 1 === (better === 'more') ? 'better' : 'worse';
}

/** @param {SeriesChange[]} changes @returns {string} `3 worse, 1 better` */
const directionsText = (changes) =>
  groupBy(changes, verdictOf)
    .map((same) => `${same.length} ${verdictOf(same[0]) || 'neither better nor worse'}`)
    .join(', ');

/**
 * `5.12.1 → 6.0.1`; by time the file, which may be one of several of a day, and a release that came with it.
 * @param {SeriesChange} change @param {SeriesOrder} order
 */
function stepText({ since, previous, mayBe }, order) {
  const [from, to] = [previous, since].map((point) => placeText(point, order));
  const release = since.release === previous.release ? '' : ` (${previous.release} → ${since.release})`;
  const text = order === 'time' ? `${to} ${since.file}${release}` : `${from} → ${to}`;
  return `${mayBe.length > 1 ? 'about ' : ''}${text}`;
}

/** @param {SeriesTrend} trend @returns {string} `60 series of 12 cells` */
const scopeText = ({ series }) =>
  `${count(series.length, 'series', 'series')} of ${count(new Set(series.map(({ cell }) => cell)).size, 'cell')}`;

/** @param {string} id of a metric @returns {string} `client CPU per operation` */
function phraseOf(id) {
  const { heading, title } = metricNamed(id);
  return heading === undefined ? title : `${heading[0].toLowerCase()}${heading.slice(1)}`;
}

/** @param {SeriesTrend} trend */
function scopeNote(trend) {
  const points = trend.series.flatMap((each) => each.points);
  const days = points.map(({ at }) => at.slice(0, 10)).sort();
  const files = new Set(points.map(({ file }) => file)).size;
  const [first, last] = [days[0], days.at(-1)];
  const span = first === last ? `on ${first}` : `from ${first} to ${last}`;
  const when = first === undefined ? '' : `, measured ${span}`;
  return `${count(files, 'result')} by ${trend.order}${when}: ${scopeText(trend)}, each of medians of the runs.`;
}

/** @param {SeriesTrend} trend @returns {string | null} how steady the machine was */
function floorText({ series }) {
  const first = series[0]?.metric;
  const ofMetric = series.filter(({ metric }) => metric === first);
  const values = ofMetric.flatMap(({ points }) => points.flatMap(({ floor }) => floor ?? []));
  if (first === undefined || values.length === 0) return null;
  const metric = metricNamed(first);
  const range = spanOf((value) => textOf(metric, value, 3), values);
  return `What the machine did: raw had a ${phraseOf(metric.id)} of ${range} in the same results.`;
}

/** @param {SeriesTrend} trend */
const isTooShort = ({ series, tooShort }) => series.length > 0 && series.length === tooShort;

/** @param {SeriesTrend} trend */
function testedText({ changes, series, tooShort }) {
  if (series.length === tooShort) return null;
  const ps = changes.map(({ pAdjusted }) => pAdjusted);
  const worst = ps.length === 0 ? '' : ` ${pEquals(Math.max(...ps))} at worst;`;
  return `Tested:${worst} against shuffled orders of the results, corrected for all series (Westfall and Young).`;
}

/** @param {SeriesTrend} trend */
const tooShortText = ({ tooShort, series, fewestPoints }) =>
  tooShort > 0 &&
  tooShort < series.length &&
  `${tooShort} of ${count(series.length, 'series', 'series')} ${tooShort === 1 ? 'has' : 'have'} fewer than ${fewestPoints} results, too few to show a change.`;

/** @param {SeriesBreak} found */
function breakText({ results, from, differences }) {
  const what =
    results === 1
      ? `The result of ${from.slice(0, 10)} is compared with no other`
      : `${results} results from ${from.slice(0, 10)} on are compared only with each other`;
  return `${what}: ${differences.map(differenceText).join('; ')}.`;
}

/** @param {SeriesPoint} point @param {SeriesOrder} order @returns {string} what it is called */
const placeText = (point, order) => (order === 'time' ? point.at.slice(0, 10) : `${point[order]}`);

/** @type {Record<LeftOutOfSeries['reason'], string>} */
const REASONS = {
  unreadable: 'cannot be read',
  smoke: 'of a smoke run, whose figures mean nothing',
  copy: 'a copy of another',
  'no-figures': 'without figures that can be used: failed, too short or not warm',
  'no-commit': 'of a client without a commit',
};
const MOST_NAMED = 6;

/** @param {LeftOutOfSeries[]} all @returns {string[]} one for each reason */
function leftOutTexts(all) {
  return groupBy(all, ({ reason }) => reason).map((same) => {
    const names = same.map(({ file, cells = [], why }) => [file, ...cells, ...(why ? [why] : [])].join(': '));
    const more = names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : [];
    const shown = [...names.slice(0, MOST_NAMED), ...more].join('; ');
    return `${count(same.length, 'file')} left out: ${REASONS[same[0].reason]}: ${shown}.`;
  });
}
