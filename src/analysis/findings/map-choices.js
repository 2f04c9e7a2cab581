import { axesOf } from '../../axes/all-axes.js';
import { alike } from '../alike.js';
import { membershipIn, regionsOf } from './map-regions.js';

/** @import { CellResult } from '../../results/types.js' */
/** @import { MapChoice, MapFinding, MapPoint, MapValue, Region } from '../types.js' */
/** @import { Grid } from './map-regions.js' */

/** @param {MapPoint['standing']} standing */
export const bestIn = (standing) => Math.max(...standing.map(({ opsPerSecond }) => opsPerSecond));

/** Whether one of those choices is good; null if unknown. @param {MapPoint} point @param {(id: string) => boolean} isMine */
function isGoodAt({ winners, standing, leftOut }, isMine) {
  if (winners.some(isMine)) return true;
  const own = standing.filter(({ cell }) => isMine(cell));
  if (own.some((each) => each.standing === 'open')) return null;
  return own.length + leftOut.filter(isMine).length > 0 ? false : null;
}

/** @param {MapPoint[]} points @param {(id: string) => boolean} isMine @param {Grid} grid */
function placesOf(points, isMine, grid) {
  const isGood = (/** @type {MapPoint} */ point) => isGoodAt(point, isMine);
  return {
    good: points.filter(isGood),
    bad: points.filter((point) => isGood(point) === false),
    region: regionsOf(grid, membershipIn(points, isGood)),
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * @param {CellResult[]} cells @param {MapPoint[]} points @param {Grid} grid @param {(id: string) => string} nameOf
 * @returns {MapChoice[]} good at most points first
 */
export function choicesOf(cells, points, grid, nameOf) {
  return alike(cells, ({ id }) => nameOf(id))
    .map(([{ id: cell }]) => choiceOf(cell, (id) => nameOf(id) === nameOf(cell), points, grid))
    .sort((a, b) => b.alone + b.tied - (a.alone + a.tied) || b.alone - a.alone)
    .map((choice, index) => ({ ...choice, letter: LETTERS[index] ?? String(index + 1) }));
}

/**
 * @param {string} cell @param {(id: string) => boolean} isMine @param {MapPoint[]} points @param {Grid} grid
 * @returns {Omit<MapChoice, 'letter'>}
 */
function choiceOf(cell, isMine, points, grid) {
  const { good, bad, region } = placesOf(points, isMine, grid);
  const alone = good.filter(({ state, winners }) => state === 'decided' && winners.length === 1).length;
  const behind = points.flatMap(({ group, standing }) => {
    const own = standing.find((each) => isMine(each.cell));
    return own?.standing === 'behind' ? { group, timesSlower: bestIn(standing) / own.opsPerSecond } : [];
  });
  return {
    cell,
    alone,
    tied: good.length - alone,
    known: good.length + bad.length,
    leftOut: points.filter(({ leftOut }) => leftOut.some(isMine)).length,
    region,
    worst: behind.toSorted((a, b) => b.timesSlower - a.timesSlower)[0] ?? null,
  };
}

/** @param {MapChoice[]} choices @param {MapPoint[]} points @param {(id: string) => string} originalOf @returns {MapFinding['ahead']} */
export function aheadOf(choices, points, originalOf) {
  const fastest = points.flatMap(({ standing }) => {
    const first = standing.find(({ opsPerSecond }) => opsPerSecond === bestIn(standing));
    return first === undefined ? [] : originalOf(first.cell);
  });
  const counts = choices.map(({ cell }) => fastest.filter((name) => name === originalOf(cell)).length);
  const most = Math.max(0, ...counts);
  return most === 0 ? null : { choice: counts.indexOf(most), points: most };
}

/** The axes advised one by one, with whatever else suits them. */
const ADVISED_ALONE = ['scenario', 'client'];

/** With whatever else suits each value. @param {CellResult[]} cells @param {MapPoint[]} points @param {Grid} grid @returns {MapValue[]} */
export function valuesOf(cells, points, grid) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  return axesOf(cells)
    .filter(({ id, advice }) => advice && ADVISED_ALONE.includes(id))
    .flatMap((axis) => {
      const valueIn = (/** @type {string} */ id) =>
        axis.advice?.value(/** @type {CellResult} */ (byId.get(id)), cells) ?? '';
      const values = [...new Set(cells.map(({ id }) => valueIn(id)))];
      return values.length < 2 ? [] : values.map((value) => valueAt(axis.id, value, valueIn, points, grid));
    });
}

/**
 * @param {string} axis @param {string} value @param {(id: string) => string} valueIn @param {MapPoint[]} points
 * @param {Grid} grid @returns {MapValue}
 */
function valueAt(axis, value, valueIn, points, grid) {
  const isMine = (/** @type {string} */ id) => valueIn(id) === value;
  const timesSlower = (/** @type {MapPoint} */ { standing }) => {
    const own = standing.filter(({ cell }) => isMine(cell));
    return own.length === 0 ? [] : bestIn(standing) / bestIn(own);
  };
  const { good, bad, region } = placesOf(points, isMine, grid);
  const slower = bad.flatMap(timesSlower);
  return {
    axis,
    value,
    good: good.length,
    known: good.length + bad.length,
    region,
    slower: slower.length === 0 ? null : { least: Math.min(...slower), most: Math.max(...slower) },
    slowest: Math.max(1, ...points.flatMap(timesSlower)),
  };
}
