import { nameCells } from '../axes/cell-names.js';
import { differenceText } from '../benchmark/report/tables/report-comparison.js';
import { count } from '../core/numbers.js';
import { pEquals, said, spanOf } from '../core/report/figures.js';
import { metricNamed, textOf } from '../core/store/metrics.js';
import { leftOutTexts } from './series-words.js';

/** @import { SeriesBreak, SeriesTrend } from './types.js' */

/**
 * `names`: of cells, by id; `notes`: what was tested.
 * @typedef {SeriesTrend & {names: Record<string, string>, title: string, notes: string[]}} TrendWithWords
 */

/** @param {SeriesTrend} trend @returns {TrendWithWords} */
export function trendWithWords(trend) {
  const { series, order, changes } = trend;
  const cells = [...new Map(series.map(({ example }) => [example.id, example])).values()];
  const names = Object.fromEntries(nameCells(cells, order === 'time' ? [] : ['release']));
  return {
    ...trend,
    names,
    title:
      changes.length === 0
        ? `No significant change in ${scopeText(trend)}.`
        : `${count(changes.length, 'change')} in ${scopeText(trend)}`,
    notes: said([
      scopeNote(trend),
      floorText(trend),
      testedText(trend),
      tooShortText(trend),
      ...trend.breaks.map(breakText),
      ...leftOutTexts(trend.leftOut),
    ]),
  };
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
  return `${count(files, 'result')} by ${trend.order}${when}: ${scopeText(trend)}; figures are medians of the runs.`;
}

/** @param {SeriesTrend} trend @returns {string | null} how steady the machine was */
function floorText({ series }) {
  const first = series[0]?.metric;
  const own = series.filter(({ metric }) => metric === first);
  const values = own.flatMap(({ points }) => points.flatMap(({ floor }) => floor ?? []));
  if (first === undefined || values.length === 0) return null;
  const metric = metricNamed(first);
  const range = spanOf((value) => textOf(metric, value, 3), values);
  return `For comparison, raw in the same results: ${phraseOf(metric.id)} of ${range}; only the machine changes that.`;
}

/** @param {SeriesTrend} trend */
function testedText({ changes, series, tooShort }) {
  if (series.length === tooShort) return null;
  const ps = changes.flatMap(({ cells }) => cells.map(({ pAdjusted }) => pAdjusted));
  const worst = ps.length === 0 ? '' : ` ${pEquals(Math.max(...ps))} at worst;`;
  return `Tested:${worst} each series against shuffled orders of the results, all series together (Westfall and Young).`;
}

/** @param {SeriesTrend} trend */
const tooShortText = ({ tooShort, series, fewestPoints }) =>
  tooShort > 0 &&
  `${tooShort} of ${count(series.length, 'series', 'series')} ${tooShort === 1 ? 'has' : 'have'} fewer than ${fewestPoints} results, too few to show a change.`;

/** @param {SeriesBreak} found */
function breakText({ results, from, differences }) {
  const what =
    results === 1
      ? `The result of ${from.slice(0, 10)} is compared with no other`
      : `${results} results from ${from.slice(0, 10)} on are compared only with each other`;
  return `${what}: ${differences.map(differenceText).join('; ')}.`;
}
