import { axesOf } from '../../axes/all-axes.js';
import { nameChoices } from '../../axes/cell-names.js';
import { times } from '../words/figures.js';
import { regionText } from '../words/region-words.js';

/**
 * @import { Finding, MapFinding, MapPoint, MapSide } from '../../analysis/types.js'
 * @import { AxisCell } from '../../axes/types.js'
 * @import { CellResult, Report } from '../../results/types.js'
 */

/**
 * @typedef {object} Field of the map
 * @property {MapPoint | null} point null where nothing could be combined
 * @property {string[]} letters of the winners; of an undecided point those of which it is not known
 * @property {string | null} lead how many times slower the next choice is
 *
 * @typedef {object} MapGrid
 * @property {string} title
 * @property {string[]} columns
 * @property {{name: string, fields: Field[]}[]} rows
 * @property {{letter: string, name: string, wins: string, where: string, worst: string}[]} legend
 * @property {(id: string) => string} letterOf a cell
 */

export const MAP_SIGNS =
  'letters: the best, and all that are surely not 10 % slower; 2.0x: how much slower the next is · ?: not known which of these · -: not measured';

/** @param {Pick<Report, 'findings'>} report */
export const isMap = ({ findings }) => findings.some(({ kind }) => kind === 'map');

/**
 * The maps of a report, as texts.
 *
 * @param {Report} report
 * @returns {MapGrid[]} none where it is no map
 */
export const mapGrids = ({ findings, cells }) =>
  findings.flatMap((finding) => (finding.kind === 'map' ? gridOf(finding, cells) : []));

/** @param {Finding & MapFinding} map @param {CellResult[]} cells @returns {MapGrid} */
function gridOf(map, cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const cellOf = (/** @type {string} */ id) => /** @type {CellResult} */ (byId.get(id));
  const names = nameChoices(map.cells.map(cellOf));
  const letters = new Map(map.choices.map(({ cell, letter }) => [names.get(cell), letter]));
  const letterOf = (/** @type {string} */ id) => letters.get(names.get(id)) ?? '?';
  const rows = valuesOf(map.rows, cellOf);
  const columns = valuesOf(map.columns, cellOf);
  const fieldAt = (/** @type {number} */ row, /** @type {number} */ column) =>
    fieldOf(map.points.find((point) => point.row === row && point.column === column) ?? null, letterOf);
  return {
    letterOf,
    title: titleOf(map, cellOf),
    columns: columns.texts,
    rows: rows.texts.map((name, row) => ({
      name,
      fields: columns.texts.map((_, column) => fieldAt(row, column)),
    })),
    legend: map.choices.map(({ cell, letter, alone, tied, decided, region, worst }) => ({
      letter,
      name: names.get(cell) ?? cell,
      wins: `${alone + tied} of ${decided}${alone > 0 ? `, ${alone} alone` : ''}`,
      where: alone + tied === 0 ? 'nowhere' : (regionText(region, map, cellOf) ?? 'see the map'),
      worst: worst === null ? '' : times(worst.timesSlower),
    })),
  };
}

/** @param {MapPoint | null} point @param {(id: string) => string} letterOf @returns {Field} */
function fieldOf(point, letterOf) {
  if (point === null || point.state === 'not-measured') return { point, letters: [], lead: null };
  const ahead = point.standing.filter(({ standing }) => standing !== 'behind');
  return {
    point,
    letters: ahead.map(({ cell }) => letterOf(cell)).sort(),
    lead: point.state === 'decided' && point.next !== null ? times(point.next.timesSlower) : null,
  };
}

/**
 * @param {MapSide} side
 * @param {(id: string) => AxisCell} cellOf
 * @returns {{texts: string[], unit: string}} what all numbers have behind them is told once
 */
function valuesOf({ axis: id, ordered, examples }, cellOf) {
  const axis = axesOf(examples.map(cellOf)).find((each) => each.id === id);
  const texts = examples.map((each) => axis?.row(cellOf(each)) ?? '');
  const numbers = examples.map((each) => typeof axis?.of(cellOf(each)) === 'number');
  const [, unit = ''] = / (\D+ \D+)$/.exec(texts.find((_, place) => numbers[place]) ?? '') ?? [];
  const [, ...words] = unit.split(' ');
  const ending = words.length === 0 ? '' : ` ${words.join(' ')}`;
  const isCommon = ordered && texts.every((text, place) => !numbers[place] || text.endsWith(ending));
  return isCommon && ending !== ''
    ? { texts: texts.map((text) => text.replace(ending, '')), unit: ending.trim() }
    : { texts, unit: '' };
}

/** @param {Finding & MapFinding} map @param {(id: string) => AxisCell} cellOf */
function titleOf({ third, columns }, cellOf) {
  const { unit } = valuesOf(columns, cellOf);
  const axis = third && axesOf([cellOf(third.example)]).find(({ id }) => id === third.axis);
  return [
    'The fastest choice',
    ...(unit === '' ? [] : [`by ${unit}`]),
    ...(axis && third ? [`with ${axis.row(cellOf(third.example))}`] : []),
  ].join(' ');
}

/**
 * @param {Field} field
 * @param {number} most letters; of more the rest are counted
 * @returns {string} `A 1.4x`, `AB`, `A+5`, `AC?`
 */
export function fieldText({ point, letters, lead }, most) {
  if (point === null || point.state === 'not-measured') return '-';
  const shown = letters.length <= most ? letters.join('') : `${letters[0]}+${letters.length - 1}`;
  if (point.state === 'open') return `${shown}?`;
  return lead === null ? shown : `${shown} ${lead}`;
}
