import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mustGet } from '../collections.js';
import { createCellLog, recordFailure } from './cell-log.js';

/** @import { Cell } from './plan/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { Run } from '../store/types.js' */
/** @import { CellLog } from './cell-log.js' */
/** @import { DistantServer, GroupContext, RunContext } from './types.js' */

/**
 * Does some work on the cells of a group, with a relay for each server at a distance.
 * @template T @param {Cell[]} cells @param {GroupContext} context
 * @param {(contextOf: (cell: Cell) => RunContext, relays: DistantServer[]) => Promise<T>} work @returns {Promise<T>}
 */
export async function withRelays(cells, context, work) {
  /** @type {Map<Server, DistantServer>} */
  const relays = cells.some(({ distance }) => distance !== undefined)
    ? await (await import('./distant-server.js')).openDistances(cells, context)
    : new Map();
  const all = [...relays.values()];
  /** @param {Cell} cell */
  function contextOf(cell) {
    const place = context.placeOf(cell);
    return { ...context, ...place, distant: relays.get(place.server) ?? null };
  }
  try {
    return await work(contextOf, all);
  } finally {
    await Promise.all(all.map((relay) => relay.end()));
  }
}

/**
 * The runs of cells of which each starts all it needs: nothing is sliced, warmed or repeated.
 * @param {Cell[]} cells of a group @param {GroupContext} context
 * @param {(cell: Cell, round: number, log: CellLog) => Promise<Run | null>} measure null for no run
 * @param {typeof recordFailure} [onError] records why there was no run
 */
export async function runApart(cells, context, measure, onError = recordFailure) {
  const { settings, signal, onEvent, budgetLeftMs: leftMs = () => Number.POSITIVE_INFINITY } = context;
  const logs = new Map(cells.map((cell) => [cell, createCellLog(cell, context)]));
  const logOf = (/** @type {Cell} */ cell) => mustGet(logs, cell);
  /** @param {Cell} cell @param {number} round */
  async function runOnce(cell, round) {
    const log = logOf(cell);
    onEvent({ type: 'run', cell, round });
    try {
      const run = await measure(cell, round, log);
      if (run === null) return;
      if (round === 1) log.recordKnown();
      log.keep(run);
      onEvent({ type: 'run-end', cell, round, run });
      if (run.failed !== null) onEvent({ type: 'failure', cell, message: run.failed });
    } catch (error) {
      if (!signal.aborted)
        await onError(error, { round, start: round }, log, { ...context, ...context.placeOf(cell) });
    }
  }
  /** @param {Cell[]} late for which there is no time @param {number} eachMs */
  function leaveOut(late, eachMs) {
    const budgetMs = Number(settings.budgetMs);
    const needMs = budgetMs - leftMs() + late.length * eachMs;
    for (const log of late.map(logOf)) {
      log.learn({ skipped: { kind: 'no-time', budgetMs, needMs } });
      log.recordKnown();
    }
  }
  try {
    for (const [index, shuffled] of createOrders(cells, settings.runs, settings.seed).entries()) {
      const beforeMs = leftMs();
      // Where time may not do for all, the user's order counts.
      const order = index === 0 && settings.budgetMs !== undefined ? cells : shuffled;
      for (const [done, cell] of order.entries()) {
        if (signal.aborted) break;
        const eachMs = done === 0 ? 0 : (beforeMs - leftMs()) / done;
        if (leftMs() < eachMs) {
          if (index === 0) leaveOut(order.slice(done), eachMs);
          break;
        }
        await runOnce(cell, index + 1);
      }
      if (!signal.aborted) onEvent({ type: 'round-end', round: index + 1 });
      // The next would take as long.
      if (leftMs() < beforeMs - leftMs()) break;
    }
    return { lost: null, keysRemoved: !signal.aborted };
  } catch (lost) {
    return { lost, keysRemoved: false };
  }
}

/**
 * The cells in random orders (Fisher-Yates). What drifts on a machine (clock speed, neighbours, memory) then affects all
 * cells alike, not always the last.
 * @template T @param {readonly T[]} cells of one group @param {number} count of orders @param {number} seed @returns {T[][]}
 */
export function createOrders(cells, count, seed) {
  const random = xoroshiro128plus(seed);
  return Array.from({ length: count }, () => {
    const order = [...cells];
    for (let last = order.length - 1; last > 0; last--) {
      const pick = uniformInt(random, 0, last);
      [order[last], order[pick]] = [order[pick], order[last]];
    }
    return order;
  });
}
