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
 * Workers that go on to the next group: starting and warming up are paid once. Each keeps its connections, and only opens
 * and closes some where the tasks ask for it, because code that has seen a second client is slower (see worker/cell.js).
 * Relays are kept and moved as well.
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
    /** Slices of all cells, and how many of them were disturbed. */
    slices: { executed: 0, disturbed: 0 },
    /** Operations that made a worker like that of a cell warm. @type {Map<string, number>} */
    warmth: new Map(),

    /** One that can go on with this cell. @param {Cell} cell */
    take(cell) {
      const key = processOf(cell);
      const kept = idle.get(key);
      idle.delete(key);
      return kept?.started ?? null;
    },

    /** @param {Cell} cell @param {StartedWorker} started */
    keep: (cell, started) => void idle.set(processOf(cell), { cell, started }),

    /**
     * The relay, moved to this distance.
     * @param {Distance} distance @param {Cell[]} cells @param {Pick<RunContext, 'server' | 'placer' | 'settings'>} context
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

    /** Measures a distance unless another group did. @param {Cell[]} cells @param {() => Promise<MeasuredDistance>} measure */
    async measuredOnce(cells, measure) {
      const [{ group, distance }] = cells;
      const key = JSON.stringify([relayOf(cells), distance]);
      const known = distances.get(key) ?? (await measure());
      distances.set(key, known);
      return { ...known, group };
    },

    /**
     * Workers go from group to group within one start. Where another one begins, those of the last one end.
     * @param {string | null} name of the start; null for none @param {Pick<GroupContext, 'placeOf' | 'signal'>} context
     * @returns {Promise<boolean>} whether all keys were removed
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

/** What the relay of a group leads to. @param {Cell[]} cells */
const relayOf = (cells) =>
  JSON.stringify([serverKey(cells[0]), cells[0].pin, ...new Set(cells.map(({ transport }) => transport))]);

/**
 * Has a worker remove the keys that it stored, and close its connections.
 * @param {StartedWorker} started @returns {Promise<boolean>} whether it could
 */
export const finishWorker = ({ worker }) => succeeds(worker.call('finish'));
