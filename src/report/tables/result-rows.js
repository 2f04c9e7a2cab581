import { isSlower } from '../../analysis/statistics/contrasts.js';
import { reach } from '../../analysis/statistics/interval.js';
import { nameCells } from '../../axes/cell-names.js';
import { percent, times, whole } from '../words/figures.js';
import { runTexts } from './runs-in-line.js';

/**
 * @import { Comparison, Summary } from '../../analysis/types.js'
 * @import { CellResult, Report } from '../../results/types.js'
 */

/**
 * @typedef {object} Row a cell of the result table
 * @property {CellResult} cell
 * @property {string} name
 * @property {Record<'iterations' | 'ops/s' | '±' | 'slower' | 'of raw', string>} columns
 * @property {string[]} runs
 * @property {State} state
 *
 * @typedef {'fastest' | 'close' | 'slower' | 'floor' | 'failed' | 'too short' | 'not warm' | 'skipped' | 'not run'} State
 */

/**
 * @param {CellResult[]} cells of one group
 * @param {Comparison} comparison
 * @param {Report} report
 * @returns {Row[]} the floor, then the fastest first, at the end what failed or was skipped
 */
export function resultRows(cells, { ranking }, { settings }) {
  const names = nameCells(cells);
  const places = new Map(ranking.map((place) => [place.cell, place]));
  const floor = cells.filter(
    ({ id, floor: isFloor, summary }) => isFloor && summary && !summary.tooShort && !places.has(id),
  );
  const ranked = ranking.flatMap((place) => cells.filter(({ id }) => id === place.cell));
  const others = cells.filter((cell) => !floor.includes(cell) && !ranked.includes(cell));
  return [...floor, ...ranked, ...others].map((cell) => {
    const place = places.get(cell.id);
    const state = stateOf(cell, place, ranking[0]?.cell);
    return {
      cell,
      name: /** @type {string} */ (names.get(cell.id)),
      columns: {
        iterations: settings.durationMs === null ? whole(cell.iterations) : '',
        'ops/s': whole(cell.summary?.opsPerSecond),
        '±': reachText(cell.summary),
        slower: slowerText(state, place, ranking.length),
        'of raw': place?.ofCeiling == null ? '' : `${Math.round(place.ofCeiling * 100)} %`,
      },
      runs: cell.skipped ? [] : runTexts(cell.runs),
      state,
    };
  });
}

/**
 * @param {CellResult} cell
 * @param {Comparison['ranking'][number] | undefined} place
 * @param {string | undefined} fastest
 * @returns {State}
 */
function stateOf(cell, place, fastest) {
  if (cell.skipped !== null) return 'skipped';
  if (place === undefined && cell.summary?.tooShort) return 'too short';
  if (place === undefined && cell.summary && cell.warm === false) return 'not warm';
  if (place === undefined && cell.summary) return 'floor';
  if (place === undefined) return cell.runs.length > 0 ? 'failed' : 'not run';
  // In an open loop the rate was given, so no cell is the fastest.
  if (place.cell === fastest && cell.openLoop === null) return 'fastest';
  return isSlower(place) ? 'slower' : 'close';
}

/**
 * @param {State} state
 * @param {Comparison['ranking'][number] | undefined} place
 * @param {number} ranked how many cells are compared
 */
function slowerText(state, place, ranked) {
  if (state === 'fastest') return ranked > 1 ? 'fastest' : '';
  if (place === undefined) return state;
  return `${state === 'close' ? '~ ' : ''}${times(place.timesSlower)}`;
}

/**
 * @param {Summary | null} summary
 * @returns {string} how far the interval of the operations a second reaches to its farther side
 */
function reachText(summary) {
  const interval = summary?.intervals.opsPerSecond;
  return interval ? percent(reach(interval, summary.opsPerSecond)) : '';
}
