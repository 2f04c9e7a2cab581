import { processOf } from '../axes/ids.js';
import { serverKey } from '../axes/server.js';
import { succeeds } from '../process/wait.js';
import { startDistantServer } from './distant-server.js';
import { removeKeys } from './stored-keys.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Distance } from '../relay/types.js' */
/** @import { MeasuredDistance } from '../results/types.js' */
/** @import { DistantServer } from './distant-server.js' */
/** @import { GroupContext, RunContext, StartedWorker } from './contexts.js' */

/** @typedef {ReturnType<typeof createIdleWorkers>} IdleWorkers */

/**
 * Workers and relays that serve the next group, so that starting and warming up are paid once. A worker keeps its
 * connections, opening and closing only some, because code that has seen a second client is slower (worker/cell.js).
 */
export function createIdleWorkers() {
  /** @type {Map<string, {cell: Cell, started: StartedWorker}>} by what a process is bound to */
  const idle = new Map();
  /** @type {Map<string, DistantServer>} */
  const relays = new Map();
  /** @type {Map<string, Omit<MeasuredDistance, 'group'>>} */
  const distances = new Map();
  /** @type {string | null} the start in progress */
  let current = null;
  return {
    slices: { executed: 0, disturbed: 0 },
    /** Operations that warmed a worker like that of a cell. @type {Map<string, number>} */
    warmth: new Map(),

    /** Takes a worker that can serve this cell. @param {Cell} cell */
    take(cell) {
      const key = processOf(cell);
      const kept = idle.get(key);
      idle.delete(key);
      return kept?.started ?? null;
    },

    /** @param {Cell} cell @param {StartedWorker} started */
    keep: (cell, started) => void idle.set(processOf(cell), { cell, started }),

    /**
     * @param {Distance} distance @param {Cell[]} cells
     * @param {Pick<RunContext, 'server' | 'placer' | 'settings'>} context
     */
    async distantServer(distance, cells, context) {
      const key = relayOf(cells);
      const known = relays.get(key);
      if (known !== undefined && (await succeeds(known.moveTo(distance)))) return known;
      await known?.end();
      const distant = startDistantServer(distance, cells, context);
      relays.set(key, distant);
      return distant;
    },

    /** Once for all groups. @param {Cell[]} cells @param {() => Promise<MeasuredDistance>} measure */
    async measuredOnce(cells, measure) {
      const [{ group, distance }] = cells;
      const key = JSON.stringify([relayOf(cells), distance]);
      const known = distances.get(key) ?? (await measure());
      distances.set(key, known);
      return { ...known, group };
    },

    /**
     * Workers serve all groups of one start; a new start ends the last one's.
     * @param {string | null} name @param {Pick<GroupContext, 'placeOf' | 'signal'>} context @returns {Promise<boolean>}
     */
    async begin(name, context) {
      if (name === current) return true;
      current = name;
      const all = [...idle.values()];
      idle.clear();
      if (all.length === 0) return true;
      const removed = await removeKeys(all.map(finishing), context);
      await Promise.all(all.map(({ started }) => started.worker.kill()));
      return removed;
    },

    async endRelays() {
      await Promise.all([...relays.values()].map((relay) => relay.end()));
      relays.clear();
    },
  };
}

/** @param {{cell: Cell, started: StartedWorker}} idle */
const finishing = ({ cell, started }) => ({ cell, removeKeys: () => finishWorker(started) });

/** Identifies what a group's relay leads to. @param {Cell[]} cells */
const relayOf = (cells) =>
  JSON.stringify([serverKey(cells[0]), cells[0].pin, ...new Set(cells.map(({ transport }) => transport))]);

/** Removes its keys and closes its connections. @param {StartedWorker} started @returns {Promise<boolean>} */
export const finishWorker = ({ worker }) => succeeds(worker.call('finish'));
