import { dimensionsOf, placeIn } from '../../../axes/all-axes.js';
import { conditionsOf, nameChoices } from '../../../axes/cell-names.js';
import { alike } from '../../../core/alike.js';
import { MEASURING } from '../../../core/method.js';
import { said, times } from '../../../core/report/figures.js';
import { titled } from '../../../core/report/grid.js';
import { isClosed } from './grids.js';

/** @import { GroupComparison } from '../../judge/types.js' */
/** @import { CellResult, ReportData } from '../../../core/store/types.js' */
/** @import { Grid } from '../../../core/report/types.js' */

/**
 * @typedef {'good' | 'open' | 'untested' | 'behind'} Standing `good`: the fastest, or as good; `behind`: proven slower
 * @typedef {{name: string, standing: Standing, timesSlower: number, cell: CellResult}} Place
 * @typedef {Place[]} Point what one group shows of its choices, the fastest first; none where nothing is compared
 */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** So many stay on a first screen that has no room for all. */
const MOST_CHOICES = 3;

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
  const isTested = comparisons.some(({ tested }) => tested.comparisons > 0);
  if (rows === undefined || settings.smoke || !isTested || !isClosed({ cells })) return null;
  const names = nameChoices(cells);
  const ofRows = [rows, ...others];
  const keyOf = (/** @type {CellResult} */ cell) =>
    ofRows.reduce((key, dimension) => key * 1000 + placeIn(dimension, cell), 0);
  const groups = comparisons
    .flatMap(({ group, ranking }) => {
      const own = planned.filter((cell) => cell.group === group);
      return own.length === 0 ? [] : { of: own[0], point: pointOf(ranking, own, names) };
    })
    .sort((a, b) => keyOf(a.of) - keyOf(b.of));
  const points = groups.map(({ point }) => point);
  const choices = choicesOf(points);
  if (choices.length < 2 || !points.flat().some(isKnown)) return null;
  const letters = new Map(choices.map(({ name }, index) => [name, LETTERS[index] ?? `(${index + 1})`]));
  const heads = columns?.examples.map(columns.axis.row) ?? ['best'];
  return {
    fields: {
      heading: 'The fastest choice',
      grid: {
        names: { title: '', align: 'right' },
        columns: titled(heads, 'left'),
        rows: alike(groups, ({ of }) => String(keyOf(of))).map((line) => {
          const own = heads.map(
            (_, place) => line.find(({ of }) => !columns || placeIn(columns, of) === place)?.point ?? [],
          );
          const name = ofRows.map(({ axis }) => axis.row(line[0].of)).join(', ');
          return { name, texts: own.map((point) => fieldText(point, letters)), state: own.map(stateOf) };
        }),
      },
      notes: [signsOf(points).join(' · ')],
    },
    legend: {
      columns: [
        ...titled(['choice', 'best in (conditions)'], 'left'),
        { title: 'at worst' },
        { title: 'where', align: 'left' },
      ],
      rows: choices.map(({ name, places }) => {
        const known = places.filter(isKnown).length;
        const wins = known === 0 ? 'not known' : `${bestOf(places).length} of ${known}`;
        const [worst] = behindIn(places).sort((a, b) => b.timesSlower - a.timesSlower);
        return {
          name: String(letters.get(name)),
          texts: [
            name,
            wins,
            ...(worst ? [times(worst.timesSlower), conditionsOf(worst.cell, planned)] : ['', '']),
          ],
          // Its letter stands nowhere.
          state: behindIn(places).length === places.length ? 'skipped' : 'close',
        };
      }),
      most: MOST_CHOICES,
    },
  };
}

/**
 * While another may be more than 10 % faster than the one in front, nothing is known to be best.
 * @param {GroupComparison['ranking']} ranking @param {CellResult[]} cells of its group @param {Map<string, string>} names @returns {Point}
 */
function pointOf(ranking, cells, names) {
  if (ranking.length < 2 || ranking[0].verdict === 'not measured') return [];
  const [{ opsPerSecond }, ...others] = ranking;
  // Not compared, and faster than they look.
  /** @type {Point} */
  const cold = cells.flatMap((cell) => {
    const { id, warm, floor, summary } = cell;
    if (warm !== false || floor || summary?.tooShort !== false) return [];
    const timesSlower = opsPerSecond / summary.opsPerSecond;
    return { name: names.get(id) ?? id, standing: 'open', timesSlower, cell };
  });
  const isDecidedHere =
    others.every(
      ({ verdict, againstFastest: each }) => verdict === 'slower' || (each && each.high <= MEASURING.tie),
    ) && cold.every(({ timesSlower }) => timesSlower >= 1);
  /** @type {(place: GroupComparison['ranking'][number], isAsGood: boolean) => Standing} */
  const standingOf = ({ verdict }, isAsGood) => {
    if (verdict === 'slower') return 'behind';
    if (verdict === 'not measured') return 'untested';
    return isDecidedHere && isAsGood ? 'good' : 'open';
  };
  /** @type {Point} */
  const compared = ranking.map((ranked, place) => {
    const { cell: id, againstFastest, timesSlower } = ranked;
    const isAsGood = place === 0 || Number(againstFastest?.low) * MEASURING.tie >= 1;
    return {
      name: names.get(id) ?? id,
      standing: standingOf(ranked, isAsGood),
      timesSlower: timesSlower ?? Number.POSITIVE_INFINITY,
      cell: /** @type {CellResult} */ (cells.find((cell) => cell.id === id)),
    };
  });
  return [...compared, ...cold];
}

/** @param {Point} point */
const stateOf = (point) => (isDecided(point) ? (bestOf(point).length === 1 ? 'fastest' : 'close') : 'unsure');

/** @param {Place} place */
const isKnown = ({ standing }) => standing === 'good' || standing === 'behind';

/** @param {Point} point */
const isDecided = (point) => point.length > 0 && point.every(isKnown);

/** @param {Place[]} places */
const bestOf = (places) => places.filter(({ standing }) => standing === 'good');

/** @param {Place[]} places */
const behindIn = (places) => places.filter(({ standing }) => standing === 'behind');

/** @param {Point[]} points @returns {{name: string, places: Place[]}[]} best at most points first */
const choicesOf = (points) =>
  alike(points.flat(), ({ name }) => name)
    .map((places) => ({ name: places[0].name, places }))
    .sort(
      (a, b) =>
        bestOf(b.places).length - bestOf(a.places).length ||
        behindIn(a.places).length - behindIn(b.places).length,
    );

/** @param {Point} point @param {Map<string, string>} letters @returns {string} `A 1.4x`, `AB`, `A CD?`, `A? B-` */
function fieldText(point, letters) {
  if (point.length === 0) return '-';
  const lettersOf = (/** @type {Standing} */ wanted) =>
    point
      .flatMap(({ name, standing }) => (standing === wanted ? String(letters.get(name)) : []))
      .sort()
      .join('');
  const [best, open, untested] = [lettersOf('good'), lettersOf('open'), lettersOf('untested')];
  if (open + untested !== '') return said([best, open && `${open}?`, untested && `${untested}-`]).join(' ');
  const next = Math.min(...behindIn(point).map(({ timesSlower }) => timesSlower));
  return next === Number.POSITIVE_INFINITY ? best : `${best} ${times(next)}`;
}

/** @param {Point[]} points @returns {string[]} what the signs mean that are used */
function signsOf(points) {
  const decided = points.filter(isDecided);
  const all = points.flat();
  const isOpen = all.some(({ standing }) => standing === 'open');
  const isUntested = all.some(({ standing }) => standing === 'untested');
  return said([
    points.some((point) => bestOf(point).length > 1) && 'AB: both best, within 10 %',
    decided.some((point) => behindIn(point).length > 0) && '1.2x: how much slower the next is',
    isOpen && 'B?: undecided',
    points.some(({ length }) => length === 0) && '-: not compared',
    isUntested && 'B-: not compared',
    (isOpen || isUntested) && '2 of 3: of the conditions where it is known',
  ]);
}
