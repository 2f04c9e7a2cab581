import { median, sum } from 'simple-statistics';
import { conditionsIn } from '../../axes/cell-names.js';
import { sameBut } from '../../axes/pairing.js';

/**
 * @import { CellResult, FaultRun } from '../../results/types.js'
 * @import { FaultOutcome, FaultRange, FaultRanking, Finding, GroupComparison, Harm } from '../types.js'
 */

/** @param {Pick<CellResult, 'fault'>[]} cells of one group @returns {boolean} whether something was to break in their runs */
export const haveFault = ([{ fault }]) => fault !== undefined;

/** @param {Pick<CellResult, 'runs'>} cell @returns {FaultRun[]} of the runs in which the fault happened */
export const faultRunsOf = ({ runs }) =>
  runs.flatMap(({ failed, fault }) => (failed === null && fault !== undefined ? [fault] : []));

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
    },
  ];
}

/** @param {FaultOutcome[]} outcomes @param {CellResult[]} cells @returns {FaultRanking[]} the best first */
function rankingOf(outcomes, cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const keyOf = sameBut(conditionsIn(cells), cells);
  const keys = outcomes.map(({ cell }) => keyOf(/** @type {CellResult} */ (byId.get(cell))));
  return [...new Set(keys)]
    .map((key) => rankOf(outcomes.filter((_, place) => keys[place] === key)))
    .sort(
      (a, b) =>
        a.harmed - b.harmed ||
        a.neverHeld - b.neverHeld ||
        Number(a.longestWaitMs.high) - Number(b.longestWaitMs.high),
    );
}

/** @param {FaultOutcome[]} own of one combination of choices @returns {FaultRanking} */
function rankOf(own) {
  const total = (/** @type {'failed' | 'scheduled'} */ name, /** @type {'low' | 'high'} */ end) =>
    sum(own.map((each) => Number(each[name][end])));
  const shareOf = (/** @type {'low' | 'high'} */ end) =>
    total('failed', end) / Math.max(1, total('scheduled', end));
  const longest = (/** @type {'low' | 'high'} */ end) =>
    Math.max(...own.map(({ longestWaitMs }) => Number(longestWaitMs[end])));
  const isHarmed = (/** @type {FaultOutcome} */ { crashes, lost, doneTwice, unanswered }) =>
    crashes.length > 0 || [lost, doneTwice, unanswered].some(({ high }) => Number(high) > 0);
  return {
    cells: own.map(({ cell }) => cell),
    faults: own.filter(({ struck }) => struck).length,
    harmed: own.filter(isHarmed).length,
    neverHeld: own.filter(({ struck, heldAgainMs }) => struck && heldAgainMs.never).length,
    heldInNone: own.filter(({ struck, heldAgainMs }) => struck && heldAgainMs.low === null).length,
    runs: rangeOf(own.map(({ runs }) => runs)),
    longestWaitMs: rangeOf([longest('low'), longest('high')]),
    failedShare: rangeOf([shareOf('low'), shareOf('high')]),
  };
}

/** @param {CellResult} cell @returns {FaultOutcome | null} null where the fault never happened */
function outcomeOf(cell) {
  const runs = faultRunsOf(cell);
  if (runs.length === 0) return null;
  const range = (/** @type {(run: FaultRun) => number | null} */ of) => rangeOf(runs.map(of));
  return {
    cell: cell.id,
    runs: runs.length,
    struck: runs.some(({ struckAtMs }) => struckAtMs !== null),
    scheduled: range((run) => run.scheduled),
    firstSuccessMs: range((run) => run.firstSuccessMs),
    heldAgainMs: range((run) => run.heldAgainMs),
    longestWaitMs: range((run) => run.longestWaitMs),
    failed: range((run) => run.failed),
    late: range((run) => run.late),
    unanswered: range((run) => run.unanswered),
    doneTwice: range((run) => run.doneTwice),
    lost: range((run) => run.lost),
    lostWithServer: range((run) => run.lostWithServer),
    doneThoughFailed: range((run) => run.doneThoughFailed + run.doneThoughUnanswered),
    crashes: runs.flatMap(({ crash }) => crash ?? []),
  };
}

/** @param {(number | null)[]} values of the runs; null for never @returns {FaultRange} */
export function rangeOf(values) {
  const known = values.filter((value) => value !== null);
  return {
    low: known.length === 0 ? null : Math.min(...known),
    high: known.length === 0 ? null : Math.max(...known),
    never: known.length < values.length,
  };
}

/** What must not happen to an operation. @type {Harm['what'][]} */
const COUNTED = ['lost', 'doneTwice', 'unanswered', 'doneThoughFailed'];

/** @param {FaultOutcome} outcome @returns {Harm[]} */
function harmsOf(outcome) {
  const { cell, crashes } = outcome;
  const counted = COUNTED.flatMap((what) => {
    const range = outcome[/** @type {Exclude<Harm['what'], 'crash'>} */ (what)];
    return Number(range.high) > 0 ? { what, cell, range } : [];
  });
  return crashes.length === 0
    ? counted
    : [{ what: 'crash', cell, range: rangeOf([crashes.length]) }, ...counted];
}
