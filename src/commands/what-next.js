import { analyse } from '../analysis/analyse.js';
import { byCell, resultsOf } from '../analysis/create-report.js';
import { decidePoint } from '../analysis/findings/decide-point.js';
import { explainedCells } from '../analysis/findings/group-findings.js';
import { leftOutIn } from '../analysis/findings/map-findings.js';
import { UsageError } from '../errors.js';
import { turnsOf } from '../plan/capacity.js';
import { visitInTurn, visitOnce, visitPoints } from '../plan/visits.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Visit } from '../plan/visits.js' */
/** @import { Capacity, Cell, Plan } from '../plan/types.js' */
/** @import { ResultHeader, ResultRecord } from '../results/types.js' */

/**
 * Which group to measure next: each in turn, or, within a time budget, those still undecided by the records so far.
 * @param {Plan} plan @param {Settings} settings @param {Capacity} capacity
 * @param {ResultRecord[]} records grows during the benchmark @param {() => number} elapsedMs @returns {Iterable<Visit>}
 * @throws {UsageError} if the choices of a point cannot be compared in one go
 */
export function visitsOf({ groups, policy }, settings, capacity, records, elapsedMs) {
  const { budgetMs, quick, smoke } = settings;
  if (policy !== 'map' && !quick) return visitInTurn(groups, settings);
  const largest = groups.reduce((most, group) => (group.length > most.length ? group : most));
  if (turnsOf(largest, capacity).length > 1) {
    throw new UsageError(
      `${quick ? '--quick' : 'a map'} compares all choices of a point at once, and this machine has no room for ${largest.length} worker processes; give fewer --clients or --scenarios`,
    );
  }
  if (quick) return visitOnce(groups, settings, elapsedMs);
  return visitPoints(groups, {
    budgetMs: Number(budgetMs),
    elapsedMs,
    verdictOf(cells) {
      if (smoke) return { left: [], isTied: false };
      const { left, state } = decidePoint(withRuns(cells, records));
      return { left, isTied: state === 'tied' };
    },
    leftOutOf: ([{ group }]) => leftOutIn(withRuns(groups.flat(), records))(group),
  });
}

/** @param {Cell[]} cells @param {ResultRecord[]} records of all cells */
function withRuns(cells, records) {
  const measured = byCell(records);
  return cells.map((cell) => ({ ...cell, runs: [], ...measured.get(cell.id) }));
}

/**
 * Chooses cells to profile: all that the user asked for, or those that the report will explain, judged per group.
 * @param {ResultHeader} header @param {Pick<Settings, 'profile'>} settings
 * @param {ResultRecord[]} records grows during the benchmark @returns {(group: string) => Set<string>} their ids
 */
export function chooseProfiled(header, { profile }, records) {
  return (group) => {
    const cells = header.cells.filter((cell) => cell.group === group);
    if (profile?.cells !== 'explained') return new Set(cells.map(({ id }) => id));
    const { findings } = analyse(resultsOf({ ...header, cells }, records), header.settings, true);
    return explainedCells(findings);
  };
}
