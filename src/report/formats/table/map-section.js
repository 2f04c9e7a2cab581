import { extentOf, gridLines, titled } from '../../tables/grid.js';
import {
  legendGrid,
  MAP_SIGNS,
  MAP_SIGNS_IN_SHORT,
  mapGrids,
  mapRates,
  winnersGrid,
} from '../../tables/map-grid.js';
import { wrap } from '../../words/wrap.js';

/** @import { Report } from '../../../results/types.js' */
/** @import { Pen } from '../../charts/plot.js' */
/** @import { MapGrid } from '../../tables/map-grid.js' */

/** More letters in a field than fit are counted. */
const FEWEST_LETTERS = 3;
/** Two blanks between columns, and the lead behind the letters. */
const BESIDE = 10;

/** @param {Report} report @param {Pen} pen @returns {string[][]} paragraphs */
export function mapSection(report, pen) {
  const maps = mapGrids(report);
  if (maps.length === 0) return [];
  return [
    ...maps.flatMap((map) => [[pen.colors.bold(map.title), ...mapLines(map, pen)], legendLines(map, pen)]),
    wrap(MAP_SIGNS_IN_SHORT, pen.width).map(pen.colors.dim),
  ];
}

/** What each choice did at each point. @param {Report} report @param {Pen} pen @returns {string[][]} paragraphs */
export function mapRatesSection(report, { width, colors }) {
  const tables = mapRates(report).map((grid) => [colors.bold(String(grid.title)), ...gridLines(grid)]);
  return tables.length === 0 ? [] : [...tables, wrap(MAP_SIGNS, width).map(colors.dim)];
}

/** @param {MapGrid} map @param {Pen} pen */
function mapLines(map, { width, colors }) {
  const names = Math.max(...map.rows.map(({ name }) => name.length));
  const room = Math.floor((width - names - 2) / map.columns.length) - BESIDE;
  const grid = winnersGrid(map, Math.max(FEWEST_LETTERS, room));
  const columns = titled(map.columns, 'left');
  return gridLines({ ...grid, names: { align: 'right' }, columns }, { colors });
}

/** @param {MapGrid} map @param {Pen} pen @returns {string[]} where a choice is best only where there is room for it */
function legendLines(map, { width, colors }) {
  const grid = legendGrid(map);
  const left = width - extentOf({ ...grid, columns: grid.columns.slice(0, -1) }).needed - 2;
  const rows = grid.rows.map((row) => {
    const where = String(row.texts.at(-1));
    return where.length <= left ? row : { ...row, texts: [...row.texts.slice(0, -1), 'see the map'] };
  });
  return gridLines({ ...grid, rows }, { colors });
}
