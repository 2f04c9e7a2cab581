import { dimensionsOf, placeIn } from '../../../axes/all-axes.js';
import { conditionsOf, nameChoices } from '../../../axes/cell-names.js';
import { alike } from '../../../core/alike.js';
import { MEASURING } from '../../../core/method.js';
import { said, times } from '../../../core/report/figures.js';
import { titled } from '../../../core/report/grid.js';
import { isClosed } from './result-rows.js';

/** @import { GroupComparison } from '../../judge/types.js' */
/** @import { Dimension } from '../../../axes/all-axes.js' */
/** @import { CellResult, ReportData } from '../../../core/store/types.js' */
/** @import { Grid, GridRow } from '../../../core/report/types.js' */

/**
 * @typedef {'good' | 'open' | 'behind'} Standing `good`: the fastest, or as good; `behind`: proven slower
 * @typedef {{name: string, standing: Standing, timesSlower: number, cell: CellResult}} Place
 * @typedef {Place[]} Point what one group shows of its choices, the fastest first; none where nothing is compared
 */

/**
 * Which choice is fastest under which conditions, if conditions vary: a row for each value of one condition, a column for each of
 * another. With three or more, rows combine all but one. It shows what the comparisons of the groups found.
 * @param {Pick<ReportData, 'cells' | 'comparisons' | 'settings'>} report
 * @returns {{fields: {heading: string, grid: Grid, notes: string[]}, legend: Grid} | null} `legend`: of its letters; null too
 *   where nothing is known of any
 */
export function conditionGrid({ cells, comparisons, settings }) {
  const planned = cells.filter(({ skipped }) => skipped === null);
  const [rows, columns, ...others] = dimensionsOf(planned).toSorted(
    (a, b) => b.examples.length - a.examples.length,
  );
  const tested = comparisons.some(({ tested: { comparisons: count } }) => count > 0);
  if (rows === undefined || settings.smoke || !tested || !isClosed({ cells })) return null;
  const names = nameChoices(cells);
  const points = comparisons.flatMap(({ group, ranking }) => {
    const own = planned.filter((cell) => cell.group === group);
    return own.length === 0 ? [] : { of: own[0], point: pointOf(ranking, own, names) };
  });
  const choices = choicesOf(points.map(({ point }) => point));
  const isKnown = choices.some(({ places }) => places.some(({ standing }) => standing !== 'open'));
  if (choices.length < 2 || !isKnown) return null;
  const letters = new Map(choices.map(({ name }, index) => [name, LETTERS[index] ?? `(${index + 1})`]));
  const { texts, unit } = textsOf(columns ?? rows);
  const heads = columns ? texts : ['best'];
  const lines = linesOf([rows, ...others], points).map(({ name, own }) => ({
    name,
    fields: columns ? heads.map((_, place) => pointAt(own, columns, place)) : [own[0]?.point ?? []],
  }));
  return {
    fields: {
      heading: unit === '' ? 'The fastest choice' : `The fastest choice by ${unit}`,
      grid: {
        names: { title: '', align: 'right' },
        columns: titled(heads, 'left'),
        rows: lines.map((line) => winnersRow(line, letters)),
      },
      notes: [signsOf(points.map(({ point }) => point)).join(' · ')],
    },
    legend: {
      columns: [
        ...titled(['choice', 'best where known'], 'left'),
        { title: 'at worst' },
        ...titled(['where'], 'left'),
      ],
      rows: choices.map(({ name, places, alone }) => ({
        name: String(letters.get(name)),
        ...choiceRow(name, places, alone, planned),
      })),
      most: MOST_CHOICES,
    },
  };
}

/** So many stay on a first screen that has no room for all. */
const MOST_CHOICES = 3;

/** @param {{of: CellResult, point: Point}[]} points @param {Dimension} dimension @param {number} place of one of its values */
const pointAt = (points, dimension, place) =>
  points.find(({ of }) => placeIn(dimension, of) === place)?.point ?? [];

/** @param {Point[]} points @returns {string[]} what the signs mean that are used */
function signsOf(points) {
  const decided = points.filter(isDecided);
  const isOpen = points.some((point) => point.length > 0 && !isDecided(point));
  return said([
    points.some((point) => bestOf(point).length > 1) && 'AB: both best, within 10 %',
    decided.some((point) => bestOf(point).length < point.length) && '1.2x: how much slower the next is',
    isOpen && 'B?: undecided',
    points.some(({ length }) => length === 0) && '-: not compared',
  ]);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * While another may be more than 10 % faster than the one in front, nothing is known to be best.
 * @param {GroupComparison['ranking']} ranking @param {CellResult[]} cells of its group @param {Map<string, string>} names @returns {Point}
 */
function pointOf(ranking, cells, names) {
  if (ranking.length < 2) return [];
  const [{ opsPerSecond }] = ranking;
  const [, ...others] = ranking.map(({ againstFastest }) => againstFastest);
  // Not compared, and faster than they look.
  /** @type {Point} */
  const cold = cells.flatMap((cell) => {
    const { id, warm, floor, summary } = cell;
    return warm === false && !floor && summary?.tooShort === false
      ? {
          name: names.get(id) ?? id,
          standing: 'open',
          timesSlower: opsPerSecond / summary.opsPerSecond,
          cell,
        }
      : [];
  });
  const isKnown =
    others.every((each) => each && (each.differs || each.high <= MEASURING.tie)) &&
    cold.every(({ timesSlower }) => timesSlower >= 1);
  /** @type {Point} */
  const compared = ranking.map(({ cell: id, againstFastest, timesSlower }, place) => {
    const isAsGood = place === 0 || Number(againstFastest?.low) * MEASURING.tie >= 1;
    return {
      name: names.get(id) ?? id,
      standing: againstFastest?.differs ? 'behind' : isKnown && isAsGood ? 'good' : 'open',
      timesSlower: timesSlower ?? Number.POSITIVE_INFINITY,
      cell: /** @type {CellResult} */ (cells.find((cell) => cell.id === id)),
    };
  });
  return [...compared, ...cold];
}

/** @param {Point} point */
const isDecided = (point) => point.length > 0 && point.every(({ standing }) => standing !== 'open');

/** @param {Place[]} places */
const bestOf = (places) => places.filter(({ standing }) => standing === 'good');

/** @param {Place[]} places */
const behindIn = (places) => places.filter(({ standing }) => standing === 'behind');

/** @param {Point[]} points @returns {{name: string, places: Place[], alone: number}[]} best at most points first */
function choicesOf(points) {
  const alone = points.flatMap((point) =>
    isDecided(point) && bestOf(point).length === 1 ? bestOf(point) : [],
  );
  return alike(points.flat(), ({ name }) => name)
    .map((places) => ({
      name: places[0].name,
      places,
      alone: alone.filter((place) => places.includes(place)).length,
    }))
    .sort(
      (a, b) =>
        bestOf(b.places).length - bestOf(a.places).length ||
        b.alone - a.alone ||
        behindIn(a.places).length - behindIn(b.places).length,
    );
}

/** @param {string} name @param {Place[]} places @param {number} alone @param {CellResult[]} cells @returns {Omit<GridRow, 'name'>} */
function choiceRow(name, places, alone, cells) {
  const known = places.filter(({ standing }) => standing !== 'open');
  const [worst] = behindIn(places).sort((a, b) => b.timesSlower - a.timesSlower);
  const wins = `${bestOf(places).length} of ${known.length}`;
  return {
    texts: [
      name,
      known.length === 0 ? 'not known' : alone > 0 ? `${wins}, ${alone} alone` : wins,
      worst === undefined ? '' : times(worst.timesSlower),
      worst === undefined ? '' : conditionsOf(worst.cell, cells),
    ],
    // Its letter stands nowhere.
    state: places.every(({ standing }) => standing === 'behind') ? 'skipped' : 'close',
  };
}

/**
 * @template {{of: CellResult}} Any @param {Dimension[]} dimensions @param {Any[]} points
 * @returns {{name: string, own: Any[]}[]} in the order of their values
 */
function linesOf(dimensions, points) {
  const [dimension, ...others] = dimensions;
  return textsIn(dimension).flatMap((text, place) => {
    const own = points.filter(({ of }) => placeIn(dimension, of) === place);
    if (others.length === 0) return { name: text, own };
    return linesOf(others, own).map((line) => ({ ...line, name: `${text}, ${line.name}` }));
  });
}

/** @param {Dimension} dimension */
const textsIn = ({ axis, examples }) => examples.map(axis.row);

/** What all numbers have behind them is written once, in the title. @param {Dimension} dimension */
function textsOf(dimension) {
  const texts = textsIn(dimension);
  const numbers = texts.filter(
    (_, place) => typeof dimension.axis.of(dimension.examples[place]) === 'number',
  );
  const [, ending] = / \D+?( \D+)$/.exec(numbers[0] ?? '') ?? [];
  return dimension.ordered && ending && numbers.every((text) => text.endsWith(ending))
    ? // As in "100 µs of app work".
      { texts: texts.map((text) => text.replace(ending, '')), unit: ending.trim().replace(/^of /, '') }
    : { texts, unit: '' };
}

/** @param {{name: string, fields: Point[]}} line @param {Map<string, string>} letters @returns {GridRow} */
const winnersRow = ({ name, fields }, letters) => ({
  name,
  texts: fields.map((point) => fieldText(point, letters)),
  state: fields.map(stateOf),
});

/** @param {Point} point @param {Map<string, string>} letters @returns {string} `A 1.4x`, `AB`, `A+5`, `A CD?` */
function fieldText(point, letters) {
  if (point.length === 0) return '-';
  const lettersOf = (/** @type {Standing} */ wanted) =>
    shortened(
      point.flatMap(({ name, standing }) => (standing === wanted ? String(letters.get(name)) : [])).sort(),
    );
  const [best, open] = [lettersOf('good'), lettersOf('open')];
  const next = point.find(({ standing }) => standing === 'behind');
  if (open !== '') return `${best} ${open}?`.trim();
  return next === undefined ? best : `${best} ${times(next.timesSlower)}`;
}

/** More letters are counted. */
const MOST_LETTERS = 9;

/** @param {string[]} letters */
const shortened = (letters) =>
  letters.length <= MOST_LETTERS ? letters.join('') : `${letters[0]}+${letters.length - 1}`;

/** @param {Point} point */
function stateOf(point) {
  if (!isDecided(point)) return 'unsure';
  return bestOf(point).length === 1 ? 'fastest' : 'close';
}
