import { alike } from '../../analysis/alike.js';
import { clientName, conditionsIn, nameCells } from '../../axes/cell-names.js';
import { sameBut } from '../../axes/ids.js';
import { count } from '../../axes/number-words.js';
import { metricNamed } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { documentOf } from '../formats/html/document.js';
import { html } from '../formats/html/markup.js';
import { gridTable } from '../formats/html/page-tables.js';
import { rowChart } from '../formats/html/row-chart.js';
import { titled } from '../tables/grid.js';
import { capital } from '../words/figures.js';
import { groupTitle } from '../words/legend.js';
import { betterText, placeText } from '../words/site-words.js';
import { cellSection } from './series-section.js';
import { changesSection, notesSection } from './trend-page.js';

/** @import { Series, SeriesSet } from '../../series/types.js' */
/** @import { Markup } from '../formats/html/markup.js' */
/** @import { TrendWithWords } from '../words/trend-words.js' */

/** Of the sections of a page, which is to stay under 300 kB with the style sheet (12 kB) and the head. */
const MOST_BYTES = 258_000;

/** @typedef {{name: string, slug: string, cells: Series[][]}} ClientSeries `cells`: of each a series of each metric */

/** Pages that need no other file and link to each other. @param {TrendWithWords} set @returns {Record<string, string>} by file names */
export function sitePages(set) {
  const clients = clientsIn(set.series);
  const pages = clients.flatMap((client) => clientPages(client, set));
  return Object.fromEntries([['index.html', indexPage(clients, set)], ...pages]);
}

/** @param {Series} series @returns {string} `redis:tuned` */
const clientOf = ({ example }) => clientName({ ...example, version: null, release: null, copy: 1 });

/** @param {Series[]} all @returns {ClientSeries[]} */
function clientsIn(all) {
  const slugs = new Set();
  return alike(all, clientOf).map((own) => {
    const name = clientOf(own[0]);
    const words = name.toLowerCase().match(/[a-z0-9]+/g);
    const short = words?.join('-').slice(0, 40);
    let slug = `client-${short}`;
    for (let number = 2; slugs.has(slug); number++) slug = `client-${short}-${number}`;
    slugs.add(slug);
    return { name, slug, cells: alike(own, ({ cell, conditions }) => `${conditions} ${cell}`) };
  });
}

/** @param {ClientSeries} client @param {SeriesSet} set @returns {[file: string, text: string][]} as many as it takes */
function clientPages({ name, slug, cells }, set) {
  const names = namesOf(cells, set);
  const parts = packed(cells.map((own, index) => cellSection(names[index], own, set)));
  const fileOf = (/** @type {number} */ index) => `${slug}${index === 0 ? '' : `_${index + 1}`}.html`;
  return parts.map((part, index) => [
    fileOf(index),
    documentOf(
      `${name} – redis-pipe-bench`,
      html`<header><p class="kicker"><a href="index.html">All clients</a></p><h1>${name}</h1>
${parts.length > 1 && html`<p>${parts.map((_, other) => html`<a href="${fileOf(other)}">${other + 1}</a> `)}</p>`}</header>
<main>${part}</main>`,
    ),
  ]);
}

/** @param {Markup[]} sections @returns {Markup[][]} those of each page */
function packed(sections) {
  /** @type {Markup[][]} */
  const pages = [];
  let left = 0;
  for (const section of sections) {
    const bytes = Buffer.byteLength(`${section}`);
    if (bytes > left || pages.length === 0) {
      pages.push([]);
      left = MOST_BYTES;
    }
    left -= bytes;
    pages[pages.length - 1].push(section);
  }
  return pages;
}

/** @param {Series[][]} cells @param {SeriesSet} set @returns {string[]} each without its client, with its conditions */
function namesOf(cells, { conditions }) {
  const examples = cells.map(([{ example }]) => example);
  const choices = nameCells(examples, ['client', ...conditionsIn(examples)]);
  return cells.map(([{ example, conditions: at }]) => {
    const { settings = {} } = conditions[at];
    const asSettings = {
      value: settings.values,
      durationMs: settings['duration (ms)'],
      keyDistribution: settings['order of keys'],
      oneSlot: settings['one slot'],
    };
    const title = groupTitle(/** @type {any} */ ([example]), /** @type {any} */ ({ settings: asSettings }));
    return capital([choices.get(example.id), title].filter(Boolean).join(', '));
  });
}

/** Each takes some 10 kB. */
const MOST_SIDE_BY_SIDE = 20;

/** @param {ClientSeries[]} clients @param {TrendWithWords} set */
function indexPage(clients, set) {
  const cells = clients.flatMap(({ name, cells: own }) => own.map((each) => ({ name, own: each })));
  const examples = cells.map(({ own: [{ example }] }) => example);
  const keyOf = sameBut(['client'], examples);
  const all = alike(cells, ({ own: [{ example, conditions }] }) => `${conditions} ${keyOf(example)}`);
  const groups = all.filter(({ length }) => length > 1);
  const shown = groups.slice(0, MOST_SIDE_BY_SIDE).map((group) => ({ group, own: group[0].own }));
  const names = namesOf(
    shown.map(({ own }) => own),
    set,
  );
  return documentOf(
    'Redis clients over time – redis-pipe-bench',
    html`<header><h1>Redis clients over time</h1></header>
<main><ul>${clients.map((client) => html`<li><a href="${client.slug}.html">${client.name}</a>: ${extentText(client, set)}</li>`)}</ul>
${changesSection(set)}
${shown.map(({ group, own }, index) => cellSection(names[index], own, set, sideBySide(group, set)))}
${groups.length > shown.length && html`<p>${groups.length - shown.length} more are on the pages of the clients.</p>`}
${notesSection(set)}</main>`,
  );
}

/** @param {ClientSeries} client @param {SeriesSet} set @returns {string} `4.7.1 to 6.3.1, 12 results, 1 cell` */
function extentText({ cells }, { order }) {
  const points = cells.flatMap(([{ points: own }]) => own);
  const [first, last] = [points[0], points[points.length - 1]].map((point) => placeText(point, order));
  const results = new Set(points.map(({ file }) => file)).size;
  return `${first} to ${last}, ${count(results, 'result')}, ${count(cells.length, 'cell')}`;
}

/**
 * The newest of each client under the same conditions: a chart of one metric, and a table of all.
 * @param {{name: string, own: Series[]}[]} clients each with a series of each metric @param {SeriesSet} set
 */
function sideBySide(clients, { order }) {
  const ids = clients.flatMap(({ own }) => own.map(({ metric }) => metric));
  const metrics = [...new Set(ids)].map(metricNamed);
  const rows = clients.map(({ name, own }) => {
    const newest = new Map(own.map(({ metric, points }) => [metric, points[points.length - 1]]));
    const [point] = newest.values();
    return { name: `${name} ${placeText(point, order)}`, at: point.at, newest };
  });
  const title = `${betterText(metrics[0])}: the newest ${order === 'time' ? 'result' : order} of each client`;
  const table = gridTable({
    title,
    names: { title: 'client' },
    columns: titled([...metrics.map((metric) => metric.title), 'measured']),
    rows: rows.map(({ name, at, newest }) => ({
      name,
      texts: [...metrics.map((metric) => textOf(metric, newest.get(metric.id)?.value, 3)), at.slice(0, 10)],
    })),
  });
  const textIn = (/** @type {number} */ value) => textOf(metrics[0], value);
  const drawn = rows.flatMap(({ name, newest }) => {
    const value = newest.get(metrics[0].id)?.value;
    if (value === undefined) return [];
    return { name, points: [{ value, fill: 'var(--accent)' }], notes: [textIn(value)], strong: false };
  });
  return html`<figure><figcaption>${title}</figcaption>${rowChart(title, drawn, { depth: 10, dots: { r: 5 }, tickText: textIn })}</figure>
${table}`;
}
