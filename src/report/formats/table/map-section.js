import { fieldText, MAP_SIGNS, mapGrids } from '../../tables/map-grid.js';
import { mapRates } from '../../tables/map-rates.js';
import { ruledTable } from '../../tables/ruled-table.js';
import { wrap } from '../../words/wrap.js';

/**
 * @import { Report } from '../../../results/types.js'
 * @import { Pen } from '../../charts/plot.js'
 * @import { Field, MapGrid } from '../../tables/map-grid.js'
 */

/** More letters in a field are counted. */
const FEWEST_LETTERS = 3;
/** Two blanks between columns, and the lead behind the letters. */
const BESIDE = 10;

/**
 * Who wins where, readable without colours.
 *
 * @param {Report} report
 * @param {Pen} pen
 * @returns {string[][]} paragraphs
 */
export function mapSection(report, pen) {
  const maps = mapGrids(report);
  if (maps.length === 0) return [];
  return [
    ...maps.flatMap((map) => [[pen.colors.bold(map.title), ...mapTable(map, pen)], legend(map, pen)]),
    wrap(MAP_SIGNS, pen.width).map((line) => pen.colors.dim(line)),
  ];
}

/**
 * What each choice did at each point.
 *
 * @param {Report} report
 * @param {Pen} pen
 * @returns {string[][]} paragraphs
 */
export const mapRatesSection = (report, { colors }) =>
  mapRates(report).map(({ title, columns, choices }) => [
    colors.bold(title),
    ruledTable(
      ['', 'choice', ...columns],
      ['left', 'left', ...columns.map(() => /** @type {const} */ ('right'))],
      choices.map(({ letter, name, rates }) => [letter, name, ...rates]),
    ),
  ]);

/** @param {MapGrid} map @param {Pen} pen */
function mapTable({ rows, columns }, pen) {
  const names = Math.max(...rows.map(({ name }) => name.length));
  const room = Math.floor((pen.width - names - 2) / columns.length) - BESIDE;
  const most = Math.max(FEWEST_LETTERS, room);
  return ruledTable(
    ['', ...columns],
    ['right', ...columns.map(() => /** @type {const} */ ('left'))],
    rows.map(({ name, fields }) => [
      name,
      ...fields.map((field) => paint(fieldText(field, most), field, pen)),
    ]),
  ).split('\n');
}

/** @param {string} text @param {Field} field @param {Pen} pen */
function paint(text, { point, letters }, { colors }) {
  if (point === null || point.state !== 'decided') return colors.yellow(text);
  return letters.length === 1 ? colors.green(text) : text;
}

/** @param {MapGrid} map @param {Pen} pen @returns {string[]} lines */
function legend({ legend }, { width, colors }) {
  const head = ['', 'choice', 'best at', 'at worst', 'where'];
  const beside = [1, ...['name', 'wins', 'worst'].map((key) => widthOf(legend, key, head))];
  const left = width - beside.reduce((sum, each) => sum + each + 2, 0) - 2;
  const table = ruledTable(
    head,
    ['left', 'left', 'left', 'right', 'left'],
    legend.map(({ letter, name, wins, where, worst }) => {
      const text = where.length <= left ? where : 'see the map';
      const row = [letter, name, wins, worst, text];
      return wins.startsWith('0 ') ? row.map((each) => colors.dim(each)) : row;
    }),
  );
  return table.split('\n');
}

/** @param {MapGrid['legend']} rows @param {string} key @param {string[]} head */
const widthOf = (rows, key, head) =>
  Math.max(
    ...head.slice(1, 4).map((title) => title.length),
    ...rows.map((row) => String(/** @type {Record<string, string>} */ (row)[key]).length),
  );
