import { sameBut } from '../../axes/ids.js';
import { alike } from '../../core/alike.js';

/** @import { CellResult } from '../../core/store/types.js' */
/** @import { GroupComparison, OpenLoopSummary, Summary } from './types.js' */

/** @typedef {CellResult & {summary: Summary & {openLoop: OpenLoopSummary}}} RatedCell */

/** By p99, sustained ones first; the steps of a search by rate. @param {CellResult[]} cells of one group @returns {GroupComparison} */
export const compareOpenLoop = (cells) =>
  ofOpenLoop(
    cells[0].group,
    isSearch(cells) ? ladders(cells).flatMap(({ steps }) => steps) : sustainedFirst(cells),
  );

/** Without a test. @param {string} group @param {CellResult[]} cells in order @returns {GroupComparison} */
export function ofOpenLoop(group, cells) {
  const rates = cells.map(({ summary }) => Number(summary?.opsPerSecond));
  return {
    group,
    tested: { by: null, comparisons: 0, reason: 'open-loop' },
    versions: [],
    ranking: cells.map(({ id }, index) => ({
      cell: id,
      opsPerSecond: rates[index],
      timesSlower: rates[index] > 0 ? Math.max(1, Math.max(...rates) / rates[index]) : null,
      againstFastest: null,
      againstFirst: null,
      ofCeiling: null,
    })),
  };
}

/** Whether they are the steps of searches. @param {CellResult[]} cells of one group */
export const isSearch = (cells) => cells.some(({ openLoop }) => openLoop?.search);

/** @param {CellResult[]} cells @returns {RatedCell[]} sustained ones first, then by p99 */
export const sustainedFirst = (cells) =>
  ratedCells(cells).sort(
    (a, b) =>
      Number(b.summary.openLoop.held) - Number(a.summary.openLoop.held) ||
      (a.summary.openLoop.p99Us ?? 0) - (b.summary.openLoop.p99Us ?? 0),
  );

/**
 * Cells that differ only in their rate, the highest sustained one and the first that was not.
 * @param {CellResult[]} cells @returns {{steps: RatedCell[], held: RatedCell | undefined, broken: RatedCell | undefined}[]}
 */
export function ladders(cells) {
  const rated = ratedCells(cells);
  const everythingButRate = sameBut(['rate'], rated);
  const keyOf = (/** @type {RatedCell} */ cell) => `${cell.copy} ${everythingButRate(cell)}`;
  return alike(rated, keyOf).map((own) => {
    const steps = own.sort((a, b) => rateOf(a) - rateOf(b));
    const broken = steps.find(({ summary }) => !summary.openLoop.held);
    const held = steps.filter((cell) => !broken || rateOf(cell) < rateOf(broken)).at(-1);
    return { steps, held, broken };
  });
}

/** @param {CellResult[]} cells @returns {RatedCell[]} */
const ratedCells = (cells) =>
  /** @type {RatedCell[]} */ (cells.filter(({ summary }) => summary?.openLoop != null));

/** @param {RatedCell} cell */
const rateOf = ({ summary }) => summary.openLoop.intendedPerSecond;
