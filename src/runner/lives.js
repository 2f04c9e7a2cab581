import { processOf } from '../axes/ids.js';
import { serverKey } from '../axes/server.js';
import { startDistantServer } from './distant-server.js';
import { removeKeys } from './stored-keys.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { MeasuredDistance } from '../results/types.js' */
/** @import { DistantServer, Life, Lives } from './types.js' */

/**
 * Workers that live on when their group has been measured, and go on to the next one: starting and warming up
 * are paid once. Each keeps the connections that it has, and only opens and closes some where the tasks ask for
 * it, because code that has seen a second client is slower (see worker/cell.js). The relay stays as well, and
 * moves.
 * @returns {Lives}
 */
export function createLives() {
  /** @type {Map<string, {cell: Cell, life: Life}>} by what a process is bound to */
  const idle = new Map();
  /** @type {Map<string, DistantServer>} */
  const relays = new Map();
  /** @type {Map<string, Omit<MeasuredDistance, 'group'>>} */
  const distances = new Map();
  return {
    slices: { executed: 0, disturbed: 0 },
    warmth: new Map(),

    async take(cell) {
      const kept = idle.get(processOf(cell));
      if (kept === undefined) return null;
      idle.delete(processOf(cell));
      const { life } = kept;
      const connections = await life.worker.call('serve', cell.tasks).catch(() => null);
      if (connections !== null) return { ...life, facts: { ...life.facts, connections } };
      await life.worker.kill();
      return null;
    },

    keep: (cell, life) => void idle.set(processOf(cell), { cell, life }),

    async distantServer(distance, cells, context) {
      const key = relayOf(cells);
      const known = relays.get(key);
      const isThere = await known?.moveTo(distance).then(
        () => true,
        () => known.end(),
      );
      if (known !== undefined && isThere) return known;
      const distant = startDistantServer(distance, cells, context);
      relays.set(key, distant);
      return distant;
    },

    async measuredOnce(cells, measure) {
      const [{ group, distance }] = cells;
      const key = JSON.stringify([relayOf(cells), distance]);
      const known = distances.get(key) ?? (await measure());
      distances.set(key, known);
      return { ...known, group };
    },

    async end(context) {
      const all = [...idle.values()];
      idle.clear();
      if (all.length === 0) return true;
      const workers = all.map(({ cell, life }) => ({ cell, removeKeys: () => hasFinished(life) }));
      const removed = await removeKeys(workers, context);
      await Promise.all(all.map(({ life }) => life.worker.kill()));
      return removed;
    },

    async endRelays() {
      await Promise.all([...relays.values()].map((relay) => relay.end()));
      relays.clear();
    },
  };
}

/** @param {Cell[]} cells of a group @returns {string} what its relay leads to */
const relayOf = (cells) =>
  JSON.stringify([serverKey(cells[0]), cells[0].pin, ...new Set(cells.map(({ transport }) => transport))]);

/**
 * Has a worker remove the keys that it stored, and close its connections.
 * @param {Life} life @returns {Promise<boolean>} whether it could
 */
export const hasFinished = ({ worker }) =>
  worker.call('finish').then(
    () => true,
    () => false,
  );
