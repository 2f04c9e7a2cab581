import { sameBut } from '../../axes/pairing.js';
import { metricNamed, samplesOf } from '../../metrics/figures.js';
import { contrastAll } from '../statistics/contrasts.js';
import { comparable } from './comparable.js';
import { versionSeries } from './version-series.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Contrast, GroupComparison, Summary, Tested } from '../types.js'
 */

/**
 * The cells of one group against its fastest and against the one that was named first. The floor takes
 * no part where there are clients to compare: it is what they are held against.
 *
 * @param {string} group
 * @param {CellResult[]} cells of that group, in the order of the plan
 * @param {CellContrasts} [contrasts] of these cells
 * @returns {GroupComparison} with the cells in order, the fastest first
 */
export function compareGroup(group, cells, contrasts = contrastCells(cells)) {
  const { compared, tested, between } = contrasts;
  const [first] = compared;
  const ordered = [...compared].sort((a, b) => b.summary.opsPerSecond - a.summary.opsPerSecond);
  const [fastest] = ordered;
  const ranking = ordered.map((cell) => ({
    cell: cell.id,
    opsPerSecond: cell.summary.opsPerSecond,
    timesSlower: fastest.summary.opsPerSecond / cell.summary.opsPerSecond,
    againstFastest: between(cell.id, fastest.id),
    againstFirst: between(cell.id, first.id),
    ofCeiling: ofCeiling(cell, cells),
  }));
  return { group, tested, ranking, versions: versionSeries(cells) };
}

/**
 * @typedef {CellResult & {summary: Summary}} MeasuredCell
 *
 * @typedef {object} CellContrasts
 * @property {MeasuredCell[]} compared
 * @property {Tested} tested
 * @property {(a: string, b: string) => Contrast | null} between takes ids; null
 *   for a cell and itself, and with fewer than two runs
 *
 * @typedef {object} ComparedGroup
 * @property {CellResult[]} cells
 * @property {CellContrasts} contrasts
 * @property {GroupComparison} comparison
 */

/**
 * Each cell of a group against each other one.
 *
 * @param {CellResult[]} cells
 * @returns {CellContrasts}
 */
export function contrastCells(cells) {
  const measured = comparable(cells);
  const clients = measured.filter((cell) => !cell.floor);
  const compared = clients.length > 0 ? clients : measured;
  const { tested, between } = contrastAll(
    compared.map(({ runs }) => samplesOf(runs, metricNamed('opsPerSecond'))),
  );
  const places = new Map(compared.map(({ id }, place) => [id, place]));
  return {
    compared,
    tested,
    between: (a, b) => between(places.get(a) ?? Number.NaN, places.get(b) ?? Number.NaN),
  };
}

/**
 * @param {MeasuredCell} cell
 * @param {CellResult[]} all
 * @returns {number | null} how much of the floor's operations a second it reaches in the same place
 */
function ofCeiling(cell, all) {
  const rest = sameBut(['client'], all);
  const floor = all.find(
    (other) => other.floor && other.summary && !other.summary.tooShort && rest(other) === rest(cell),
  );
  return !floor?.summary || cell.floor ? null : cell.summary.opsPerSecond / floor.summary.opsPerSecond;
}
