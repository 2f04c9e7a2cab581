import { median } from 'simple-statistics';
import { faultRunsOf, outcomeOf, rangeOf } from './fault-outcome.js';
import { contrastsByFault, rankingOf } from './fault-ranking.js';

/**
 * @import { CellResult, FaultRun } from '../../results/types.js'
 * @import { FaultOutcome, Finding, GroupComparison, Harm } from '../types.js'
 */

/** @param {Pick<CellResult, 'fault'>[]} cells of one group @returns {boolean} whether something was to break in their runs */
export const haveFault = ([{ fault }]) => fault !== undefined;

/**
 * @param {string} group
 * @param {CellResult[]} cells
 * @returns {GroupComparison} those that held their rate again soonest first; then by the longest wait
 */
export function compareFaults(group, cells) {
  const measured = cells.filter((cell) => cell.summary !== null && faultRunsOf(cell).length > 0);
  const sorted = measured
    .map((cell) => ({ cell, place: placeOf(faultRunsOf(cell)) }))
    .sort((a, b) => a.place.held - b.place.held || a.place.wait - b.place.wait);
  const most = Math.max(...measured.map(({ summary }) => Number(summary?.opsPerSecond)));
  return {
    group,
    tested: { by: null, comparisons: 0, reason: 'open-loop' },
    versions: [],
    ranking: sorted.map(({ cell: { id, summary } }) => ({
      cell: id,
      opsPerSecond: Number(summary?.opsPerSecond),
      timesSlower: Math.max(1, most / Number(summary?.opsPerSecond)),
      againstFastest: null,
      againstFirst: null,
      ofCeiling: null,
    })),
  };
}

/** @param {FaultRun[]} runs */
const placeOf = (runs) => ({
  held: median(
    runs.map(({ heldAgainMs, struckAtMs }) => heldAgainMs ?? (struckAtMs === null ? 0 : Number.MAX_VALUE)),
  ),
  wait: median(runs.map(({ longestWaitMs }) => longestWaitMs)),
});

/**
 * How the cells of a group came through.
 *
 * @param {CellResult[]} cells
 * @returns {Finding[]}
 */
export function cameThrough(cells) {
  const outcomes = cells.flatMap((cell) => outcomeOf(cell) ?? []);
  if (outcomes.length === 0) return [{ kind: 'no-result', group: cells[0].group, cells: [] }];
  return [{ kind: 'came-through', group: cells[0].group, cells: outcomes.map(({ cell }) => cell), outcomes }];
}

/**
 * What is worst in a whole benchmark, and who came through best.
 *
 * @param {CellResult[]} cells of all groups
 * @returns {Finding[]} none where nothing broke
 */
export function faultSummary(cells) {
  const outcomes = cells.flatMap((cell) => (cell.fault === undefined ? [] : (outcomeOf(cell) ?? [])));
  if (outcomes.length === 0) return [];
  return [
    {
      kind: 'faults',
      group: null,
      cells: outcomes.map(({ cell }) => cell),
      harms: outcomes.flatMap(harmsOf),
      ranking: rankingOf(outcomes, cells),
      contrasts: contrastsByFault(outcomes),
      outcomes: outcomes.filter(({ struck }) => struck),
    },
  ];
}

/** What must not happen to an operation. @type {Harm['what'][]} */
const COUNTED = ['lost', 'doneTwice', 'unanswered', 'doneThoughFailed'];

/** @param {FaultOutcome} outcome @returns {Harm[]} */
function harmsOf(outcome) {
  const { cell, crashes } = outcome;
  const counted = COUNTED.flatMap((what) => {
    if (what === 'unanswered' && outcome.outlasted) return [];
    const range = outcome[/** @type {Exclude<Harm['what'], 'crash'>} */ (what)];
    return Number(range.high) > 0 ? { what, cell, range } : [];
  });
  return crashes.length === 0
    ? counted
    : [{ what: 'crash', cell, range: rangeOf([crashes.length]) }, ...counted];
}
