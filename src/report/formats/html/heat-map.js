import { cell, text } from '@observablehq/plot';
import { fieldText, fittingText, legendGrid, MAP_SIGNS, mapGrids } from '../../tables/map-grid.js';
import { html } from './markup.js';
import { gridTable } from './page-tables.js';
import { drawSvg, inBothWidths, MOST_LINES } from './svg.js';

/** @import { Report } from '../../../results/types.js' */
/** @import { Field, MapGrid } from '../../tables/map-grid.js' */
/** @import { Markup } from './markup.js' */

/** Pixels. */
const ROW = 46;
const MARGIN = { marginTop: 28, marginBottom: 4, marginRight: 2 };
/** Of a character, and of a bold capital with the room around it. */
const [LETTER, CAPITAL] = [6.3, 11];

/**
 * Who wins where: a field for each combination of the conditions, in the colour of its winner.
 * @param {Report} report @returns {Markup[]} a section for each map
 */
export const mapSections = (report) =>
  mapGrids(report).map(
    (map, index) => html`<section><h2 id="map-${index + 1}">${map.title}</h2>
<figure><figcaption>${MAP_SIGNS}. In colour: the winner of that colour. Filled grey: a tie. Without a fill: undecided (?) or not measured (-).</figcaption>
${inBothWidths((width) => heatMap(map, width))}</figure>
${legendTable(map)}</section>`,
  );

/** @param {MapGrid} map @param {number} width */
function heatMap({ title, rows, columns, legend }, width) {
  const names = Math.max(...rows.map(({ name }) => name.length));
  const marginLeft = Math.ceil(names * LETTER) + 14;
  const inField = Math.floor((width - marginLeft) / columns.length / CAPITAL);
  const colours = new Map(
    legend.slice(0, MOST_LINES).map(({ letter }, index) => [letter, `var(--line-${index + 1})`]),
  );
  const fields = rows.flatMap(({ name, fields }) =>
    fields.map((field, index) => ({
      row: name,
      column: columns[index],
      ...fieldLook(field, colours, inField),
    })),
  );
  return drawSvg(title, {
    ...MARGIN,
    marginLeft,
    width,
    height: rows.length * ROW + MARGIN.marginTop + MARGIN.marginBottom,
    x: { type: 'band', domain: columns, axis: null, padding: 0.04 },
    y: { type: 'band', domain: rows.map(({ name }) => name), axis: null, padding: 0.06 },
    marks: [
      cell(fields, {
        x: 'column',
        y: 'row',
        fill: 'fill',
        fillOpacity: 'opacity',
        stroke: 'var(--rule)',
        title: 'title',
        rx: 3,
      }),
      text(fields, {
        x: 'column',
        y: 'row',
        text: 'text',
        fill: 'var(--ink)',
        fontWeight: 600,
        fontSize: 12,
      }),
      text(columns, {
        x: (/** @type {string} */ name) => name,
        text: (/** @type {string} */ name) => shortened(name, (width - marginLeft) / columns.length),
        frameAnchor: 'top',
        dy: -14,
        fill: 'var(--muted)',
      }),
      text(rows, {
        y: 'name',
        text: 'name',
        frameAnchor: 'left',
        dx: -8,
        textAnchor: 'end',
        fill: 'var(--ink)',
      }),
    ],
  });
}

/** @param {string} name @param {number} pixels */
function shortened(name, pixels) {
  const most = Math.floor(pixels / LETTER);
  return name.length <= most ? name : `${name.slice(0, Math.max(1, most - 1))}…`;
}

/** @param {Field} field @param {Map<string, string>} colours by letter @param {number} room for characters */
function fieldLook(field, colours, room) {
  const [winner, ...others] = field.letters;
  const isDecided = field.point?.state === 'decided';
  const isWon = isDecided && others.length === 0;
  const full = fieldText(field, Number.POSITIVE_INFINITY);
  return {
    text: fittingText(field, room),
    title: full,
    fill: isWon ? (colours.get(winner) ?? 'var(--mark)') : isDecided ? 'var(--soft)' : 'transparent',
    opacity: isWon ? 0.28 : 1,
  };
}

/** @param {MapGrid} map */
function legendTable(map) {
  const { columns, rows } = legendGrid(map);
  const [, , worst, where] = columns;
  return gridTable({
    title: `${map.title}: the choices`,
    names: { title: 'choice' },
    columns: [{ title: 'best at' }, worst, where],
    rows: rows.map(({ name, texts: [choice, ...texts], state }) => ({
      name: `${name} ${choice}`,
      texts,
      state,
    })),
  });
}
