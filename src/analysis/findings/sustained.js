import { nameSubjects } from '../../axes/cell-names.js';
import { sameBut } from '../../axes/ids.js';

/** @import { CellResult } from '../../results/types.js' */
/** @import { GroupComparison, OpenLoopSummary, Summary } from '../types.js' */

/** @typedef {CellResult & {summary: Summary & {openLoop: OpenLoopSummary}}} RatedCell */

/**
 * How the cells of one group kept to the rate that all of them were given.
 * @param {string} group @param {CellResult[]} cells
 * @returns {GroupComparison} those that held the rate first, the lowest p99 first; the steps of each search by their
 *   rate
 */
export function compareOpenLoop(group, cells) {
  const rated = isSearch(cells) ? ladders(cells).flatMap(({ alike }) => alike) : byHolding(cells);
  const most = Math.max(...rated.map(({ summary }) => summary.opsPerSecond));
  return {
    group,
    tested: { by: null, comparisons: 0, reason: 'open-loop' },
    versions: [],
    ranking: rated.map(({ id, summary }) => ({
      cell: id,
      opsPerSecond: summary.opsPerSecond,
      timesSlower: most / summary.opsPerSecond,
      againstFastest: null,
      againstFirst: null,
      ofCeiling: null,
    })),
  };
}

/** @param {CellResult[]} cells of one group @returns {boolean} whether they are the steps of searches */
export const isSearch = (cells) => cells.some(({ openLoop }) => openLoop?.search);

/** @param {CellResult[]} cells @returns {RatedCell[]} those that held their rate first, the lowest p99 first */
export const byHolding = (cells) =>
  ratedCells(cells).sort(
    (a, b) =>
      Number(b.summary.openLoop.held) - Number(a.summary.openLoop.held) ||
      (a.summary.openLoop.p99Us ?? 0) - (b.summary.openLoop.p99Us ?? 0),
  );

/**
 * The cells that differ in their rate only: the highest rate below the first that was not held, and that one.
 * @param {CellResult[]} cells
 * @returns {{alike: RatedCell[], held: RatedCell | undefined, broken: RatedCell | undefined}[]}
 */
export function ladders(cells) {
  const rated = ratedCells(cells);
  const everythingButRate = sameBut(['rate'], rated);
  const keyOf = (/** @type {RatedCell} */ cell) => `${cell.copy} ${everythingButRate(cell)}`;
  return [...new Set(rated.map(keyOf))].map((key) => {
    const alike = rated.filter((cell) => keyOf(cell) === key).sort((a, b) => rateOf(a) - rateOf(b));
    const broken = alike.find(({ summary }) => !summary.openLoop.held);
    const held = alike.filter((cell) => !broken || rateOf(cell) < rateOf(broken)).at(-1);
    return { alike, held, broken };
  });
}

/**
 * The p99 latency from the schedule over the rate, for each client and way to connect.
 * @param {CellResult[]} cells the steps of a search
 * @returns {{name: string, points: {rate: number, us: number, held: boolean}[]}[]} those that have latencies
 */
export function rateCurves(cells) {
  const names = nameSubjects(cells);
  return ladders(cells)
    .map(({ alike }) => ({
      name: names.get(alike[0].id) ?? '',
      points: alike.flatMap(({ summary: { openLoop } }) =>
        openLoop.p99Us === null
          ? []
          : [{ rate: openLoop.intendedPerSecond, us: openLoop.p99Us, held: openLoop.held }],
      ),
    }))
    .filter(({ points }) => points.length > 0);
}

/** @param {CellResult[]} cells @returns {RatedCell[]} */
const ratedCells = (cells) =>
  /** @type {RatedCell[]} */ (cells.filter(({ summary }) => summary?.openLoop != null));

/** @param {RatedCell} cell */
const rateOf = ({ summary }) => summary.openLoop.intendedPerSecond;
