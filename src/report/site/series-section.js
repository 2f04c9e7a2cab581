import { axesOf } from '../../axes/all-axes.js';
import { metricNamed } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { lineChart } from '../formats/html/line-chart.js';
import { html } from '../formats/html/markup.js';
import { gridTable } from '../formats/html/page-tables.js';
import { inFacets } from '../formats/html/svg.js';
import { versionsBelow } from '../formats/html/version-chart.js';
import { gridOf } from '../tables/grid.js';
import { betterText, conditionText, olderText, placeText } from '../words/site-words.js';

/** @import { Cell } from '../../plan/types.js' */
/** @import { LineChart } from '../formats/html/line-chart.js' */
/** @import { ColumnOf } from '../tables/types.js' */
/** @import { Series, SeriesConditions, SeriesPoint, SeriesSet, SeriesTrend } from '../../series/types.js' */
/** @import { Markup } from '../formats/html/markup.js' */

/** More would make a page too large, and no line of a chart shows more. */
const MOST_POINTS = 100;
const MOST_DOTS = 40;
const HEIGHT = 170;

/** @param {string} title @param {Series[]} own of a cell under one set of conditions @param {SeriesSet} set @param {Markup} [body] */
export const cellSection = (title, own, set, body = seriesBody(own, set)) => html`<section><h2>${title}</h2>
<p class="facts">${conditionText(set.conditions[own[0].conditions])}</p>
${body}</section>`;

/** A chart of each metric, with the figures and the command behind it. @param {Series[]} own @param {SeriesSet} set */
function seriesBody(own, set) {
  // Each metric may lack some.
  const [{ points: places }] = own.toSorted((a, b) => b.points.length - a.points.length);
  const shown = places.slice(-MOST_POINTS);
  const command = repeatCommand(own[0].example, shown, set.conditions[own[0].conditions]);
  const table = gridTable({
    note: olderText(shown.length, places.length),
    names: { title: set.order },
    ...gridOf(shown, (place) => ({ name: placeText(place, set.order) }), columnsOf(own)),
  });
  return html`${inFacets(
    own.map((series) => chartOf(series, set)),
    lineChart,
  )}
${table}
${command && html`<p class="small">The newest again, side by side in one benchmark: <code>${command.split(' ').map(breakable)}</code></p>`}`;
}

/** Lines break between words of a command, and in lists. @param {string} word */
const breakable = (word) =>
  word.startsWith('--')
    ? html`<span class="key">${word}</span> `
    : html`${word.split(/(?<=,)/).map((part) => html`<wbr>${part}`)} `;

/** @param {Series[]} own @returns {ColumnOf<SeriesPoint>[]} each metric, and raw for the first of them that takes time */
function columnsOf(own) {
  const timed = own.find(
    ({ metric, points }) => points.some(({ floor }) => floor) && metricNamed(metric).in !== 'counted',
  );
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

/**
 * @param {Series} series @param {SeriesSet & Partial<SeriesTrend>} set
 * @returns {LineChart & {title: string}} with a line between the last result before a change and the first after it
 */
function chartOf({ metric: id, conditions, cell, points: all }, { order, changes = [] }) {
  const metric = metricNamed(id);
  const title = betterText(metric);
  const points = all.slice(-MOST_POINTS);
  const labels = points.map((point) => placeText(point, order));
  const own = changes.filter((change) => change.metric === id && change.conditions === conditions);
  const since = own.flatMap((change) =>
    change.cells.some((each) => each.cell === cell) ? change.since.place : [],
  );
  return {
    title,
    label: `${title}: ${labels[0]} to ${labels[labels.length - 1]}`,
    lines: [{ name: '', style: 0, points: points.map(({ value }, x) => ({ x, y: value })) }],
    hasDots: points.length <= MOST_DOTS,
    moments: points.flatMap(({ place }, x) =>
      since.includes(place) && points[x - 1]?.place !== place ? [x - 0.5] : [],
    ),
    height: HEIGHT,
    x: versionsBelow(labels),
    y: { text: (value) => textOf(metric, value) },
  };
}

/** Axes of a cell, and the options that choose them. @type {[axis: keyof Cell, option: string][]} */
const OPTIONS = [
  ['scenario', 'scenarios'],
  ['workload', 'workload'],
  ['tasks', 'tasks'],
  ['processes', 'processes'],
  ['keySize', 'key-size'],
  ['valueSize', 'size'],
  ['keys', 'keys'],
  ['pipelining', 'pipelining'],
  ['transport', 'transport'],
  ['topology', 'topology'],
  ['pin', 'pin'],
];
/** The command below could not repeat a cell that has any other axis. */
const CHOSEN = ['client', 'release', 'variant', 'copy', ...OPTIONS.map(([axis]) => axis)];
/** One benchmark compares as many in minutes. */
const MOST_RELEASES = 12;

/**
 * Measures a cell again, with its newest releases side by side.
 * @param {Cell} cell @param {Pick<SeriesPoint, 'release' | 'commit'>[]} points the newest last @param {SeriesConditions} conditions
 * @returns {string | null} null where a command cannot: of a checkout, or with other settings
 */
function repeatCommand(cell, points, { settings = {} }) {
  const { client, variant, version, scenarioOptions } = cell;
  const hasMore = axesOf([cell]).some((axis) => !CHOSEN.includes(axis.id) && axis.idPart(cell) !== '');
  const isUsual =
    settings.values === 'text' && settings['order of keys'] === 'sequential' && !settings['one slot'];
  const isCheckout = version?.startsWith('path:') || points.some(({ commit }) => commit !== null);
  if (hasMore || isCheckout || !isUsual || Object.keys(scenarioOptions).length > 0) return null;
  const releases = [...new Set(points.map(({ release }) => release))].slice(-MOST_RELEASES);
  const of = variant === 'default' ? '' : `:${variant}`;
  const clients = releases.map((release) => `${client}${release === null ? '' : `@${release}`}${of}`);
  const duration = settings['duration (ms)'];
  const options = [
    ['clients', clients.join()],
    ...OPTIONS.map(([axis, option]) => [option, cell[axis]]),
    ['warmup-runs', settings['warm-up runs']],
    duration === null ? ['run-time', `${settings['run time (ms)']}ms`] : ['duration', `${duration}ms`],
  ];
  return ['redis-pipe-bench', ...options.map(([name, value]) => `--${name} ${quoted(`${value}`)}`)].join(' ');
}

/** @param {string} text of a file, which may be anything @returns {string} one word of a shell */
const quoted = (text) =>
  /^[\w@.,:=/+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
