import { axisNamed } from '../../axes/all-axes.js';
import { nameChoices } from '../../axes/cell-names.js';
import { times, whole } from '../words/figures.js';
import { rangeText, regionText } from '../words/region-words.js';
import { titled } from './grid.js';

/** @import { Finding, MapChoice, MapFinding, MapPoint, MapSide } from '../../analysis/types.js' */
/** @import { AxisCell } from '../../axes/types.js' */
/** @import { CellResult, Report } from '../../results/types.js' */
/** @import { Grid } from './types.js' */

/** @typedef {ReturnType<typeof gridOf>} MapGrid */
/**
 * `letters`: of the winners; `open`: of those that may be as good; `lead`: how much slower the next is.
 * @typedef {ReturnType<typeof fieldOf>} Field
 */

/** What the signs of a map mean, for its first screen. */
export const MAP_SIGNS_IN_SHORT =
  'AB: both best, within 10 % · A 1.2x: the next is that much slower · C?: undecided · -: not measured';

export const MAP_SIGNS =
  'letters: the best, and all proven at most 10 % slower · 1.2x: how much slower the next is, proven slower but maybe by under 10 % · AB CD?: C and D are undecided · A+5: and 5 more · -: not measured · best at: of the points where that is known';

/** @param {Pick<Report, 'findings'>} report */
const mapsIn = ({ findings }) => findings.filter((finding) => finding.kind === 'map');

/** @param {Pick<Report, 'findings'>} report */
export const mapPoints = (report) => mapsIn(report).flatMap(({ points }) => points);

/** The groups that have tables of their own. @param {Report} report @returns {Report['comparisons']} none where they are points of a map */
export const groupsApart = (report) => (mapsIn(report).length > 0 ? [] : report.comparisons);

/** The maps of a report, as texts. @param {Report} report @returns {MapGrid[]} none where it is no map */
export const mapGrids = (report) => mapsIn(report).map((map) => gridOf(map, report.cells));

/** @param {Finding & MapFinding} map @param {CellResult[]} cells */
function gridOf(map, cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const cellOf = (/** @type {string} */ id) => /** @type {CellResult} */ (byId.get(id));
  const names = nameChoices(map.cells.map(cellOf));
  const letters = new Map(map.choices.map(({ cell, letter }) => [names.get(cell), letter]));
  const letterOf = (/** @type {string} */ id) => letters.get(names.get(id)) ?? '?';
  const [rows, columns] = [map.rows, map.columns].map((side) => valuesOf(side, cellOf));
  const fieldAt = (/** @type {number} */ row, /** @type {number} */ column) =>
    fieldOf(map.points.find((point) => point.row === row && point.column === column) ?? null, letterOf);
  return {
    letterOf,
    title: titleOf(map, cellOf),
    columns: columns.texts,
    rows: rows.texts.map((name, row) => ({
      name,
      where: rangeText([row, row], map.rows, cellOf),
      fields: columns.texts.map((_, column) => fieldAt(row, column)),
    })),
    legend: map.choices.map((choice) => ({
      letter: choice.letter,
      name: names.get(choice.cell) ?? choice.cell,
      wins: `${choice.alone + choice.tied} of ${choice.known}${choice.alone > 0 ? `, ${choice.alone} alone` : ''}`,
      where: whereText(choice, map.points.length, regionText(choice.region, map, cellOf)),
      worst: choice.worst === null ? '' : times(choice.worst.timesSlower),
    })),
  };
}

/** @param {MapChoice} choice @param {number} all points @param {string | null} region */
function whereText({ alone, tied, known }, all, region) {
  const good = alone + tied;
  if (known === 0) return 'not known';
  if (good === 0) return known === all ? 'nowhere' : 'nowhere yet';
  return region === 'everywhere' && good < all ? 'wherever measured' : (region ?? 'see the map');
}

/** @param {MapPoint | null} point null where nothing could be combined @param {(id: string) => string} letterOf */
function fieldOf(point, letterOf) {
  const standing = point === null || point.state === 'not-measured' ? [] : point.standing;
  const lettersOf = (/** @type {string} */ wanted) =>
    standing.flatMap(({ cell, standing }) => (standing === wanted ? letterOf(cell) : [])).sort();
  return {
    point,
    letters: lettersOf('good'),
    open: lettersOf('open'),
    lead: point?.state === 'decided' && point.next !== null ? times(point.next.timesSlower) : null,
  };
}

/** What all numbers have behind them is written once, as `unit`. @param {MapSide} side @param {(id: string) => AxisCell} cellOf */
function valuesOf({ axis: id, ordered, examples }, cellOf) {
  const cells = examples.map(cellOf);
  const axis = axisNamed(id, cells);
  const texts = cells.map(axis.row);
  const numbers = texts.filter((_, index) => typeof axis.of(cells[index]) === 'number');
  const [, ending] = / \D+?( \D+)$/.exec(numbers[0] ?? '') ?? [];
  return ordered && ending && numbers.every((text) => text.endsWith(ending))
    ? { texts: texts.map((text) => text.replace(ending, '')), unit: ending.trim() }
    : { texts, unit: '' };
}

/** @param {Finding & MapFinding} map @param {(id: string) => AxisCell} cellOf */
function titleOf({ third, columns }, cellOf) {
  const { unit } = valuesOf(columns, cellOf);
  // As in "100 µs of app work".
  const by = unit === '' ? '' : ` by ${unit.replace(/^of /, '')}`;
  if (third === null) return `The fastest choice${by}`;
  const example = cellOf(third.example);
  return `The fastest choice${by} with ${axisNamed(third.axis, [example]).row(example)}`;
}

/** @param {Field} field @param {number} most letters; of more the rest are counted @returns {string} `A 1.4x`, `AB`, `A+5`, `A CD?` */
function fieldText({ point, letters, open, lead }, most) {
  if (point === null || point.state === 'not-measured') return '-';
  const known = lettersIn(letters, most);
  const unknown = lettersIn(open, most - Math.min(letters.length, known.length));
  if (open.length > 0) return [...(known === '' ? [] : [known]), `${unknown}?`].join(' ');
  return lead === null ? known : `${known} ${lead}`;
}

/** @param {string[]} letters @param {number} most */
const lettersIn = (letters, most) =>
  letters.length <= Math.max(1, most) ? letters.join('') : `${letters[0]}+${letters.length - 1}`;

/** Digits that repeat from map to map. */
const DIGITS = 3;

/** @param {Report} report @returns {Grid[]} what choices did at each point, a table for each row of a map */
export const mapRates = (report) =>
  mapGrids(report).flatMap((map) => map.rows.map((row) => rowRates(map, row)));

/** @param {MapGrid} map @param {MapGrid['rows'][number]} row @returns {Grid} */
const rowRates = ({ columns, legend, letterOf }, { where, fields }) => ({
  title: `Operations per second ${where}`,
  columns: [...titled(['choice'], 'left'), ...titled(columns)],
  rows: legend.map(({ letter, name }) => ({
    name: letter,
    texts: [name, ...fields.map(({ point }) => rateText(point, letter, letterOf))],
  })),
});

/** @param {MapPoint | null} point @param {string} letter @param {(id: string) => string} letterOf */
function rateText(point, letter, letterOf) {
  const own = point?.standing.find(({ cell }) => letterOf(cell) === letter);
  return own === undefined ? '-' : whole(Number(own.opsPerSecond.toPrecision(DIGITS)));
}

/** @param {MapGrid} map @param {number} most letters in a field @returns {Grid} who wins where */
export const winnersGrid = ({ rows, columns }, most) => ({
  columns: titled(columns),
  rows: rows.map(({ name, fields }) => ({
    name,
    texts: fields.map((field) => fieldText(field, most)),
    state: fields.map(({ point, letters }) => {
      if (point?.state !== 'decided') return 'unsure';
      return letters.length === 1 ? 'fastest' : 'close';
    }),
  })),
});

/** @param {MapGrid} map @returns {Grid} what its letters mean */
export const legendGrid = ({ legend }) => ({
  columns: [...titled(['choice', 'best at'], 'left'), { title: 'at worst' }, ...titled(['where'], 'left')],
  rows: legend.map(({ letter, name, wins, worst, where }) => ({
    name: letter,
    texts: [name, wins, worst, where],
    state: wins.startsWith('0 ') ? 'skipped' : 'close',
  })),
});
