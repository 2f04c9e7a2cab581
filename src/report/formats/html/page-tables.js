import { MACHINE_TITLES, MACHINES_NOTE, machineRows } from '../../tables/machine-rows.js';
import { PART_TITLES, PARTS_NOTE, partRows } from '../../tables/part-rows.js';
import { ratedNotes, ratedRows } from '../../tables/rated-rows.js';
import { coverageText, whole } from '../../words/figures.js';
import { costColumns, latencyColumns, RESULT_COLUMNS, TEST_COLUMNS } from './columns.js';
import { html } from './markup.js';

/**
 * @import { Comparison } from '../../../analysis/types.js'
 * @import { Row, State } from '../../tables/result-rows.js'
 * @import { Column } from './columns.js'
 * @import { Markup } from './markup.js'
 * @import { Group } from './page.js'
 */

const MOST_RUNS = 1000;

/**
 * How fast every cell was, one group below another.
 *
 * @param {Group[]} groups
 */
export function resultTable(groups) {
  const coverage = coverageText(groups.flatMap(({ rows }) => rows));
  return groupsTable(
    `Operations a second are medians over the runs${coverage === null ? '' : `, with their ${coverage}`}; the fastest come first. Behind them the average of the tasks' elapsed times, and the spread between the slowest and the fastest: the least, the median and the most of the runs.`,
    RESULT_COLUMNS,
    groups,
  );
}

/** How the cells were held against the fastest, one group below another. @param {Group[]} groups */
export const testTable = (groups) =>
  groupsTable(
    'Operations a second of each cell over those of the fastest, with p corrected for all comparisons',
    TEST_COLUMNS,
    groups,
  );

/** @param {string} caption @param {Column[]} all @param {Group[]} groups */
function groupsTable(caption, all, groups) {
  const columns = filled(all, groups);
  return table(
    caption,
    columns,
    groups.map(
      (group) =>
        html`<tbody>${
          groups.length > 1 &&
          html`<tr class="group"><th colspan="${columns.length + 1}" scope="rowgroup"><a href="#${group.id}">${group.title}</a></th></tr>`
        }${bodyRows(group, columns)}</tbody>`,
    ),
  );
}

/**
 * How the cells of an open loop kept to their rates.
 *
 * @param {Group} group
 */
export function openLoopTable({ cells, comparison }) {
  const { titles, rows } = ratedRows(cells, comparison);
  return table(
    ratedNotes(cells).join(' '),
    titles.map((title) => ({ title })),
    html`<tbody>${rows.map(
      ({ cell, name, texts }) =>
        html`<tr class="${cell.summary?.openLoop?.held === false ? 'dim' : ''}"><th scope="row">${name}</th>${texts.map(
          (text) => html`<td>${text}</td>`,
        )}</tr>`,
    )}</tbody>`,
  );
}

/** @param {Group} group */
export const latencyTable = (group) =>
  measuredTable('Percentiles of all operations of all runs together', latencyColumns(), group);

/** @param {Group} group */
export const costTable = (group) =>
  measuredTable('What an operation costs: medians over the runs', costColumns(), group);

/**
 * @param {Group} group
 * @returns {Markup | null} null where all operations are alike
 */
export const partTable = ({ cells }) => figuresTable(PARTS_NOTE, PART_TITLES, partRows(cells));

/**
 * @param {Group} group
 * @returns {Markup | null} null where the load came from one machine
 */
export const machineTable = ({ cells }) => figuresTable(MACHINES_NOTE, MACHINE_TITLES, machineRows(cells));

/**
 * @param {string} note
 * @param {string[]} titles
 * @param {{name: string, texts: string[]}[]} rows
 * @returns {Markup | null} null where there are none
 */
function figuresTable(note, titles, rows) {
  if (rows.length === 0) return null;
  return table(
    note,
    titles.map((title) => ({ title })),
    html`<tbody>${rows.map(
      ({ name, texts }) =>
        html`<tr><th scope="row">${name}</th>${texts.map((text) => html`<td>${text}</td>`)}</tr>`,
    )}</tbody>`,
  );
}

/**
 * @param {string} caption
 * @param {Column[]} all
 * @param {Group} group
 * @returns {Markup | null} null where there is nothing to show
 */
function measuredTable(caption, all, group) {
  const measured = { ...group, rows: group.rows.filter(({ cell }) => cell.summary !== null) };
  const columns = filled(all, [measured]);
  if (columns.length === 0) return null;
  return table(caption, columns, html`<tbody>${bodyRows(measured, columns)}</tbody>`);
}

/**
 * The figures behind the chart of runs.
 *
 * @param {Group} group
 * @returns {Markup | null} null if there are none, or more than anybody would read
 */
export function runsTable({ title, rows }) {
  const count = rows.reduce((sum, { cell }) => sum + cell.runs.length, 0);
  if (count === 0 || count > MOST_RUNS) return null;
  const lines = rows.flatMap(({ name, cell }) =>
    cell.runs.map(
      ({ round, failed, opsPerSecond, averageMs, spreadMs }) =>
        html`<tr><th scope="row">${name}</th><td>${round}</td>${
          failed === null
            ? html`<td>${whole(opsPerSecond)}</td><td>${averageMs?.toFixed(1)}</td><td>${spreadMs?.toFixed(1)}</td>`
            : html`<td class="bad" colspan="3">failed</td>`
        }</tr>`,
    ),
  );
  const columns = ['run', 'ops/s', 'average, ms', 'spread, ms'].map((each) => ({ title: each }));
  return html`<details><summary>The runs as figures</summary>${table(
    `${title}: the average of the tasks' elapsed times, and the spread between the slowest and the fastest`,
    columns,
    html`<tbody>${lines}</tbody>`,
  )}</details>`;
}

/**
 * @param {string} caption
 * @param {{title: string}[]} columns
 * @param {unknown} bodies
 * @param {string} [rowTitle] what a row is of
 */
export const table = (caption, columns, bodies, rowTitle = 'cell') =>
  // A scrollable region must be reachable with the keyboard, and then needs a name.
  html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr><th scope="col">${rowTitle}</th>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
${bodies}</table></div>`;

/**
 * @param {Group} group
 * @param {Column[]} columns
 */
const bodyRows = ({ rows, comparison }, columns) =>
  rows.map((row) => {
    const place = placeOf(row, comparison);
    return html`<tr class="${CLASSES[row.state]}"><th scope="row">${row.name}</th>${columns.map(
      ({ text }) => html`<td>${text(row, place)}</td>`,
    )}</tr>`;
  });

/** @type {Record<State, string>} */
const CLASSES = {
  fastest: 'best',
  close: '',
  slower: '',
  floor: 'dim',
  failed: 'bad',
  'too short': 'bad',
  'not warm': 'bad',
  skipped: 'dim',
  'not run': 'dim',
};

/** @param {Row} row @param {Comparison} comparison */
const placeOf = ({ cell }, { ranking }) => ranking.find((place) => place.cell === cell.id);

/**
 * @param {Column[]} columns
 * @param {Pick<Group, 'rows' | 'comparison'>[]} groups
 * @returns {Column[]} those that are not empty in every row
 */
const filled = (columns, groups) =>
  columns.filter(({ text }) =>
    groups.some(({ rows, comparison }) => rows.some((row) => text(row, placeOf(row, comparison)) !== '')),
  );
