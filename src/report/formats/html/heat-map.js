import { legendGrid, MAP_SIGNS, mapGrids, winnersGrid } from '../../tables/map-grid.js';
import { html } from './markup.js';
import { gridTable } from './page-tables.js';
import { MOST_LINES } from './svg.js';

/** @import { Report } from '../../../results/types.js' */
/** @import { Field, MapGrid } from '../../tables/map-grid.js' */

/** A section for each map: who wins where. @param {Report} report */
export const mapSections = (report) =>
  mapGrids(report).map(
    (map, index) => html`<section><h2 id="map-${index + 1}">${map.title}</h2>
<p class="small">${MAP_SIGNS}. In colour: the winner of that colour. Grey: a tie. Without a colour: undecided (?) or not measured (-).</p>
${heatMap(map)}
${legendTable(map)}</section>`,
  );

/** @param {MapGrid} map */
function heatMap(map) {
  const { columns, rows } = winnersGrid(map, Number.POSITIVE_INFINITY);
  const numbers = new Map(map.legend.slice(0, MOST_LINES).map(({ letter }, index) => [letter, index + 1]));
  return gridTable({
    title: map.title,
    names: { title: '' },
    columns,
    rows: rows.map(({ name, texts }, row) => ({
      name,
      texts,
      fills: map.rows[row].fields.map((field) => fillOf(field, numbers)),
    })),
  });
}

/** @param {Field} field @param {Map<string, number>} numbers of colours by letter @returns {string | undefined} */
function fillOf({ point, letters: [winner, ...others] }, numbers) {
  if (point?.state !== 'decided') return undefined;
  return others.length === 0 ? `won-${numbers.get(winner) ?? 'other'}` : 'tied';
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
