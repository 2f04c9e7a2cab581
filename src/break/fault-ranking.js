import { median } from 'simple-statistics';
import { conditionsIn } from '../axes/cell-names.js';
import { sameBut } from '../axes/ids.js';
import { foundIn, noConclusion } from '../benchmark/findings/about.js';
import { alike } from '../benchmark/judge/alike.js';
import { ofOpenLoop } from '../benchmark/judge/open-loop.js';
import { faultRunsOf, HARMS, isLateBefore, outcomeOf, rangeOf } from './outcome.js';

/** @import { CellResult, FaultRun } from '../core/store/types.js' */
/** @import { FaultBest, FaultContrast, FaultOutcome, FaultRange, FaultRanking, Finding, GroupComparison, Harm } from '../benchmark/judge/types.js' */

/** Whether its figures are about the whole fault and nothing else. @param {FaultOutcome} outcome */
const isJudged = (outcome) => !outcome.outlasted && !isLateBefore(outcome);

/** @param {FaultOutcome[]} outcomes @param {CellResult[]} cells @returns {FaultRanking[]} the least harmed first */
function rankingOf(outcomes, cells) {
  const judged = new Map(outcomes.filter(isJudged).map((outcome) => [outcome.cell, outcome]));
  const faults = new Set([...judged.values()].map(({ group }) => group)).size;
  return byChoice(cells)
    .map((own) => own.flatMap(({ id }) => judged.get(id) ?? []))
    .filter(({ length }) => length > 0)
    .map((own) => ({
      cells: own.map(({ cell }) => cell),
      complete: new Set(own.map(({ group }) => group)).size === faults,
      harmed: own.filter(({ harmed }) => harmed).map(({ cell }) => cell),
      runs: rangeOf(own.map(({ runs }) => runs)),
    }))
    .sort((a, b) => a.harmed.length - b.harmed.length || b.cells.length - a.cells.length);
}

/**
 * The cells of each combination of choices. If some groups lack a choice, such as the way of a request, their cells
 * count for each of its values.
 * @param {CellResult[]} cells @returns {CellResult[][]}
 */
export function byChoice(cells) {
  const keyOf = sameBut(conditionsIn(cells), cells);
  const ranks = alike(cells, keyOf).map((own) => ({
    own,
    choices: /** @type {unknown[]} */ (JSON.parse(keyOf(own[0]))),
    groups: new Set(own.map(({ group }) => group)),
  }));
  /** @param {typeof ranks[number]} one @param {typeof ranks[number]} other */
  const isMoreOf = (one, other) =>
    one !== other &&
    other.choices.every((choice, place) => choice === null || choice === one.choices[place]) &&
    other.own.every(({ group }) => !one.groups.has(group));
  return ranks
    .filter((rank) => !ranks.some((other) => isMoreOf(other, rank)))
    .map((rank) => [
      ...rank.own,
      ...ranks.filter((other) => isMoreOf(rank, other)).flatMap(({ own }) => own),
    ]);
}

/**
 * Whose callers waited least and who failed least, for each fault. Only unharmed cells that recovered are compared, if
 * any did: failing at once for ever is no short wait.
 * @param {FaultOutcome[]} outcomes @returns {FaultContrast[]}
 */
function contrastsByFault(outcomes) {
  return alike(outcomes, ({ group }) => group).flatMap((members) => {
    const sound = members.filter((outcome) => isJudged(outcome) && !outcome.harmed);
    const recovered = sound.filter(({ heldAgainMs }) => heldAgainMs.low !== null || !heldAgainMs.never);
    const compared = recovered.length > 0 ? recovered : sound;
    if (compared.length < 2) return [];
    return {
      cells: compared.map(({ cell }) => cell),
      waitMs: highest(compared.map(({ longestWaitMs }) => longestWaitMs)),
      failedShare: highest(compared.map(failedShare)),
      shortest: bestOf(compared, ({ longestWaitMs }) => longestWaitMs, NOTICED_MS),
      fewest: bestOf(compared, failedShare, NOTICED_SHARE),
    };
  });
}

/** Runs of one client differ by as much: node-redis was back 1.1 s or 1.98 s after a restart that took 1 s. */
const AS_GOOD = 2;
/** Less is not worth a choice. */
const [NOTICED_MS, NOTICED_SHARE] = [100, 0.002];

/**
 * @param {FaultOutcome[]} compared @param {(outcome: FaultOutcome) => FaultRange} of @param {number} noticed @returns {FaultBest | null}
 */
function bestOf(compared, of, noticed) {
  const least = Math.min(...compared.map((outcome) => Number(of(outcome).high)));
  const isBest = (/** @type {FaultOutcome} */ outcome) =>
    Number(of(outcome).low) <= AS_GOOD * least || Number(of(outcome).high) <= noticed;
  const [best, others] = [compared.filter(isBest), compared.filter((outcome) => !isBest(outcome))];
  if (others.length === 0) return null;
  return {
    cells: best.map(({ cell }) => cell),
    most: highest(best.map(of)),
    others: {
      low: Math.min(...others.map((outcome) => Number(of(outcome).high))),
      high: highest(others.map(of)),
    },
  };
}

/** @param {FaultRange[]} ranges */
const highest = (ranges) => Math.max(...ranges.map(({ high }) => Number(high)));

/** @param {FaultOutcome} outcome @returns {FaultRange} */
const failedShare = ({ failed, scheduled }) =>
  rangeOf([failed.low, failed.high].map((count) => Number(count) / Math.max(1, Number(scheduled.high))));

/** @param {Pick<CellResult, 'fault'>[]} cells of one group */
export const haveFault = ([{ fault }]) => fault !== undefined;

/** @param {CellResult[]} cells of one group @returns {GroupComparison} the soonest to recover first; then by the longest wait */
export function compareFaults(cells) {
  const sorted = cells
    .map((cell) => ({ cell, runs: cell.summary === null ? [] : faultRunsOf(cell) }))
    .filter(({ runs }) => runs.length > 0)
    .map(({ cell, runs }) => ({
      cell,
      held: median(runs.map(recoveredMs)),
      wait: median(runs.map(({ longestWaitMs }) => longestWaitMs)),
    }))
    .sort((a, b) => a.held - b.held || a.wait - b.wait)
    .map(({ cell }) => cell);
  return ofOpenLoop(cells[0].group, sorted);
}

/** @param {FaultRun} run @returns {number} endless if it never recovered */
const recoveredMs = ({ heldAgainMs, struckAtMs }) =>
  heldAgainMs ?? (struckAtMs === null ? 0 : Number.MAX_VALUE);

/** @param {CellResult[]} cells of one group @returns {Finding[]} */
export function cameThrough(cells) {
  const outcomes = cells.flatMap((cell) => outcomeOf(cell) ?? []);
  if (outcomes.length === 0) return [noConclusion('no-result', [], cells[0].group)];
  return foundIn(outcomes, { kind: 'came-through', outcomes }, cells[0].group);
}

/** @param {CellResult[]} cells of all groups @returns {Finding[]} */
export function faultSummary(cells) {
  const outcomes = cells.flatMap((cell) => (cell.fault === undefined ? [] : (outcomeOf(cell) ?? [])));
  // Most reports have none, and may have many cells to rank.
  if (outcomes.length === 0) return [];
  return foundIn(outcomes, {
    kind: 'faults',
    proves: [...new Set(outcomes.map(({ proves }) => proves))],
    harms: outcomes.flatMap(harmsOf),
    ranking: rankingOf(outcomes, cells),
    contrasts: contrastsByFault(outcomes),
    outcomes: outcomes.filter(({ struck }) => struck),
  });
}

const COUNTED = /** @type {const} */ ([...HARMS, 'unanswered', 'doneThoughFailed']);

/** @param {FaultOutcome} outcome @returns {Harm[]} */
function harmsOf(outcome) {
  const { cell, crashes } = outcome;
  const counted = COUNTED.flatMap((what) => {
    if (what === 'unanswered' && outcome.outlasted) return [];
    const range = outcome[what];
    return Number(range.high) > 0 ? { what, cell, range } : [];
  });
  return crashes.length === 0
    ? counted
    : [{ what: 'crash', cell, range: rangeOf([crashes.length]) }, ...counted];
}
