import { alike } from '../../analysis/alike.js';
import { clientName, conditionsIn, nameCells } from '../../axes/cell-names.js';
import { sameBut } from '../../axes/ids.js';
import { count } from '../../axes/number-words.js';
import { documentOf } from '../formats/html/document.js';
import { html } from '../formats/html/markup.js';
import { capital } from '../words/figures.js';
import { groupTitle } from '../words/legend.js';
import { conditionText, placeText } from '../words/site-words.js';
import { changesSection, notesSection } from './lasting-changes.js';
import { seriesSection } from './series-section.js';
import { sideBySide } from './side-by-side.js';

/** @import { Series, SeriesSet } from '../../series/types.js' */
/** @import { Markup } from '../formats/html/markup.js' */
/** @import { TrendWithWords } from '../words/trend-words.js' */

/** Of the sections of a page, which is to stay under 300 kB with the style sheet and the head. */
const MOST_BYTES = 270_000;
/** Of a page; most of its text takes one byte a letter. */
const STYLE_BYTES = 12_000;

/** @typedef {{name: string, slug: string, cells: Series[][]}} ClientSeries `cells`: of each a series of each metric */

/**
 * The pages of a folder of results, which need no other file and link to each other.
 * @param {TrendWithWords} set @returns {Record<string, string>} their texts by their file names, which are made here
 */
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
    const short = name
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-')
      .slice(0, 40);
    let slug = `client-${short}`;
    for (let number = 2; slugs.has(slug); number++) slug = `client-${short}-${number}`;
    slugs.add(slug);
    return { name, slug, cells: alike(own, ({ cell, conditions }) => `${conditions} ${cell}`) };
  });
}

/** @param {ClientSeries} client @param {SeriesSet} set @returns {[file: string, text: string][]} as many as it takes */
function clientPages({ name, slug, cells }, set) {
  const names = namesOf(cells, set);
  const sections = cells.map(
    (own, index) => html`<section><h2>${names[index]}</h2>
<p class="facts">${conditionText(set.conditions[own[0].conditions])}</p>
${seriesSection(own, set)}</section>`,
  );
  const parts = packed(sections);
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
      left = MOST_BYTES - STYLE_BYTES;
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
  const keyOf = sameBut(
    ['client'],
    cells.map(({ own: [{ example }] }) => example),
  );
  const groups = alike(
    cells,
    ({ own: [{ example, conditions }] }) => `${conditions} ${keyOf(example)}`,
  ).filter(({ length }) => length > 1);
  const shown = groups.slice(0, MOST_SIDE_BY_SIDE);
  const names = namesOf(
    shown.map(([{ own }]) => own),
    set,
  );
  return documentOf(
    'Redis clients over time – redis-pipe-bench',
    html`<header><h1>Redis clients over time</h1></header>
<main><ul>${clients.map((client) => html`<li><a href="${client.slug}.html">${client.name}</a>: ${extentText(client, set)}</li>`)}</ul>
${changesSection(set)}
${shown.map(
  (group, index) => html`<section><h2>${names[index]}</h2>
<p class="facts">${conditionText(set.conditions[group[0].own[0].conditions])}</p>${sideBySide(group, set)}</section>`,
)}
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
