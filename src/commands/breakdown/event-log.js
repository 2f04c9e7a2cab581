import { sharedClock } from '../../process/shared-clock.js';

/** @import { Events } from './types.js' */

/** In one slice. Those that are still in flight then need room, too. */
export const MOST_OPERATIONS = 10_000;
const MOST_EVENTS = 2 ** 16;

/** When something became known of sockets, in arrays that are made before; by `performance`, in ms. */
export function createLog() {
  const sockets = new Uint16Array(MOST_EVENTS);
  const counts = new Float64Array(MOST_EVENTS);
  const froms = new Float64Array(MOST_EVENTS);
  const ats = new Float64Array(MOST_EVENTS);
  let length = 0;
  return {
    /**
     * @param {number} socket
     * @param {number} count whole commands or replies
     * @param {number} atMs no later than this
     * @param {number} [fromMs] no earlier than this
     */
    add(socket, count, atMs, fromMs = atMs) {
      if (length === MOST_EVENTS) return;
      sockets[length] = socket;
      counts[length] = count;
      froms[length] = fromMs;
      ats[length] = atMs;
      length++;
    },

    clear() {
      length = 0;
    },

    /** @returns {Events} */
    take: () => ({
      sockets: [...sockets.subarray(0, length)],
      counts: [...counts.subarray(0, length)],
      from: onSharedClock(froms.subarray(0, length)),
      at: onSharedClock(ats.subarray(0, length)),
    }),
  };
}

/** Both clocks of a process are the machine's; the one of `performance` is read without making an object. @param {Float64Array} times */
export const onSharedClock = (times) => Array.from(times, (ms) => ms + OFFSET_MS);

/** Known once, so that times of a process keep their order: of many readings, the one that took least. */
const OFFSET_MS = Array.from({ length: 100 }, () => {
  const beforeMs = performance.now();
  const sharedMs = sharedClock();
  const afterMs = performance.now();
  return { tookMs: afterMs - beforeMs, offsetMs: sharedMs - (beforeMs + afterMs) / 2 };
}).reduce((best, each) => (each.tookMs < best.tookMs ? each : best)).offsetMs;
