import { fartherAway, fewerInFlight, isMostlyIdle, moreRoundTrips, waitOf } from './limits.js';
import {
  batchingCause,
  carriedDifferences,
  commandsCause,
  comparableCosts,
  cpuCauses,
  encodingCause,
  garbageShareOf,
  notCached,
  placementCause,
  sleepCause,
} from './slower-causes.js';

/** @import { Cause, Slower } from '../judge/types.js' */
/** @import { Carried, Reasons } from './slower-causes.js' */
/** @import { ContrastedGroup, MeasuredCell } from './compare-group.js' */

/** Reasons must account for half of the slowness (on a logarithmic scale) to explain it. */
const ACCOUNTED = 0.5;
/** A larger share of the time in garbage collection is named. */
const MUCH_GARBAGE = 0.1;
/** A cell with more connections per command opens them as part of its work. */
const OPENS = 0.01;

/**
 * Why cells are slower. Each cause needs a test of its own; the tests of all pairs are one family.
 * @param {{cell: MeasuredCell, than: MeasuredCell}[]} pairs @param {ContrastedGroup} group @returns {Slower[]} one per pair
 */
export function causesBetween(pairs, group) {
  const carried = carriedDifferences(pairs);
  return pairs.map(({ cell, than }, index) => {
    const costs = comparableCosts(cell, than, carried[index]);
    const timesSlower =
      group.between(than.id, cell.id)?.ratio ?? than.summary.opsPerSecond / cell.summary.opsPerSecond;
    const placement = placementCause(cell, than, group);
    const { causes, times } = reasonsOf(cell, than, costs, placement);
    const explained = causes.length > 0 && Math.log(times) >= ACCOUNTED * Math.log(timesSlower);
    return { cell: cell.id, than: than.id, timesSlower, causes, explained };
  });
}

/**
 * The limits of a cell that this CPU time slows down. Threads that wait for each other leave no visible limit.
 * @type {Partial<Record<string, MeasuredCell['summary']['bottleneck']['limit'][]>>}
 */
const SLOWED = { server: ['server'], 'main-thread': ['server'], 'server-threads': ['server', null] };

/**
 * @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried
 * @param {(Cause & {kind: 'placement'}) | null} placement @returns {Reasons}
 */
function reasonsOf(cell, than, carried, placement) {
  const ratio = placement?.ratio ?? 1;
  const main = mainReason(cell, than, carried);
  const { causes, times } = main
    ? { ...main, times: ratio * main.times }
    : sumOfReasons(cell, than, carried, ratio);
  return { causes: placement === null ? causes : [placement, ...causes], times };
}

/** One next to which others do not matter. @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried */
const mainReason = (cell, than, carried) =>
  // If most commands never reach the server, its work and batches do not compare.
  notCached(cell, than, carried) ??
  fartherAway(cell, than) ??
  // CPU time does not matter if both sides mostly wait.
  (isMostlyIdle(cell) && isMostlyIdle(than) ? fewerInFlight(cell, than) : null) ??
  // Over a network opening takes round trips, and hardly anything else takes time.
  (cell.distance?.rttMs && isMostlyIdle(cell) ? opening(cell, than) : null) ??
  moreRoundTrips(cell, than, carried);

/** @param {MeasuredCell} cell @param {MeasuredCell} than @returns {Reasons | null} */
function opening(cell, than) {
  const connectionsPerCommand = openedBy(cell);
  if (!(connectionsPerCommand > OPENS && openedBy(than) <= OPENS)) return null;
  return { causes: [{ kind: 'opens-connections', connectionsPerCommand }], times: Number.POSITIVE_INFINITY };
}

/** @param {MeasuredCell} cell */
const openedBy = ({ summary: { server } }) => (server.connections ?? 0) / (server.commands ?? 1);

/**
 * `ratio`: of its placement.
 * @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @param {number} ratio @returns {Reasons}
 */
function sumOfReasons(cell, than, carried, ratio) {
  const first =
    opening(cell, than)?.causes[0] ?? commandsCause(cell, than) ?? batchingCause(cell, than, carried);
  /** @type {Cause[]} */
  const causes = first ? [first] : [];
  const encoding = encodingCause(cell, than, carried);
  causes.push(...(encoding?.causes ?? []));
  let times = Math.max(ratio, (!isMostlyIdle(cell) && encoding?.times) || 1);
  for (const cause of cpuCauses(cell, than, carried)) {
    causes.push(cause);
    if (SLOWED[cause.of]?.includes(cell.summary.bottleneck.limit) ?? true) {
      times = Math.max(times, cause.ratio);
    }
  }
  causes.push(...sleepCause(cell, than, carried));
  const share = garbageShareOf(cell.runs);
  if (carried.garbage && carried.garbage.ratio < 1 && share >= MUCH_GARBAGE)
    causes.push({ kind: 'garbage', share });
  const wait = waitOf(cell, than, carried);
  if (wait === null) return { causes, times };
  return { causes: [...causes, ...wait.causes], times: times * wait.times };
}
