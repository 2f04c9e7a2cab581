import { setTimeout as sleep } from 'node:timers/promises';
import { NoRoomError } from '../errors.js';
import { factText } from '../report/fact-words.js';
import { REMEDIES, roomOn } from '../server/memory.js';

/** @import { Cell } from './plan/types.js' */
/** @import { Room } from '../server/memory.js' */
/** @import { NodeMemory, Server, Snapshot } from '../server/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { Headroom } from './types.js' */

/**
 * @typedef {{operations: number, bytes: number, lastPerOp: number}} Growth what the runs of a cell added
 * @typedef {{stored: number, replied: number}} Added bytes by one operation; `replied`: in the replies of others in flight
 */

/** Beside buffers: what a look at the memory costs itself, and what others store between two looks. */
const SLACK_BYTES = 128_000;
/** A hash table or a string that is full doubles, so an operation may take this many times its average. */
const UNEVEN = 2;
/** What is sent is in a buffer first, which may be twice as long, and then stored: of nothing untried more than this part. */
const UNTRIED = 4;
/** Shorter runs are over before a look would come back. */
const FIRST_LOOK_MS = 100;
const LOOK_EVERY_MS = 50;
/** UNLINK frees memory in the background. */
const FREED_WITHIN_MS = 100;

/**
 * One for each server, so that cells that share its memory know of each other.
 * @param {Server} server @param {{allowEviction: boolean}} settings
 * @param {Map<string, Added>} tried what a command adds each time, by the key of growthKey
 * @returns {Headroom}
 */
export function createHeadroom(server, settings, tried = new Map()) {
  /** One for each cell, because its starts do the same. @type {Map<string, Growth>} */
  const growths = new Map();
  /** How cells that are started make their keys anew. @type {Map<string, () => Promise<unknown>>} */
  const renewals = new Map();
  /** Added by runs since keys were made anew. */
  let ownBytes = 0;
  /** Before the last start. @type {number | undefined} */
  let freeBytes;
  /** Why nothing can be stored. @type {NoRoomError | null} */
  let shortage = null;
  /** @type {Set<string>} */
  const told = new Set();

  /** @param {Snapshot | null} snapshot */
  const memoryIn = (snapshot) => snapshot?.memory ?? null;
  /** @param {NodeMemory[] | null} memory */
  const usedIn = (memory) => memory?.reduce((sum, { usedBytes }) => sum + usedBytes, 0) ?? null;

  /** @param {NodeMemory[] | null} memory @returns {Room | null} */
  function look(memory) {
    const room = roomOn(server, memory, settings);
    if (room === null || memory !== null) return room;
    // What was stored since is not seen.
    return { ...room, freeBytes: Math.max(0, room.freeBytes - ownBytes) };
  }

  async function renewAll() {
    for (const renew of renewals.values()) await renew();
    ownBytes = 0;
  }

  /**
   * Looks at the server's memory from time to time, which others use too.
   * @param {number} leastBytes @param {(room: Room) => void} onLow called once, if less is free or soon will be
   * @param {(read: {requestBytes: number, replyBytes: number}) => void} [onLook] with its cost
   * @returns {() => Promise<void>} ends it
   */
  function watch(leastBytes, onLow, onLook) {
    let over = false;
    async function keepLooking() {
      let lastBytes = 0;
      for (let waitMs = FIRST_LOOK_MS; !over; waitMs = LOOK_EVERY_MS) {
        await sleep(waitMs, undefined, { ref: false });
        if (over) return;
        const memory = await server.askMemory(onLook);
        const room = look(memory);
        if (memory === null || room === null) return;
        const tookBytes = Math.max(0, lastBytes - room.freeBytes);
        lastBytes = room.freeBytes;
        if (room.freeBytes - UNEVEN * tookBytes >= leastBytes) continue;
        onLow(room);
        return;
      }
    }
    // Where the server is lost, the run says so.
    const looking = keepLooking().catch(() => {});
    return async () => {
      over = true;
      await looking;
    };
  }

  return {
    async beforeStart(bytes) {
      const room = look(await server.askMemory());
      freeBytes = room?.freeBytes;
      shortage = room !== null && room.freeBytes < bytes ? noRoom(room, bytes) : null;
    },

    untriedBytes: ({ processes, machines = 1 }) => freeBytes && freeBytes / UNTRIED / processes / machines,

    async whileStoring(store, stop) {
      if (shortage !== null) throw shortage;
      const endLooking = watch(SLACK_BYTES, (room) => {
        shortage = noRoom(room, SLACK_BYTES);
        stop();
      });
      try {
        return await store();
      } catch (error) {
        throw shortage ?? error;
      } finally {
        await endLooking();
      }
    },

    growthOf(cell, { atOnce, batch, bufferBytes, renew, warn }) {
      const { stored: first, replied } = tried.get(growthKey(cell)) ?? {
        stored: firstGuess(cell),
        replied: 0,
      };
      const growth = growths.get(cell.id) ?? { operations: 0, bytes: 0, lastPerOp: 0 };
      growths.set(cell.id, growth);
      if (renew === null) renewals.delete(cell.id);
      else renewals.set(cell.id, renew);
      const noiseBytes = bufferBytes + SLACK_BYTES;
      /** @type {number | null} */
      let perMs = null;
      let most = Number.POSITIVE_INFINITY;

      /** At most, as far as runs have shown. */
      function bytesPerOp() {
        const { operations, bytes, lastPerOp } = growth;
        const shown = operations === 0 ? Number.POSITIVE_INFINITY : (bytes + noiseBytes) / operations;
        return Math.max(Math.min(first, shown), lastPerOp) + replied;
      }

      /** @param {Room | null} room @returns {number} operations */
      function fitting(room) {
        const each = bytesPerOp();
        if (room === null || each === 0) return Number.POSITIVE_INFINITY;
        return Math.floor((room.freeBytes - noiseBytes - ownBytes) / (UNEVEN * each));
      }

      /** @param {RunLength} length @returns {number} operations that it would do; 0 where that is unknown */
      function wanted({ iterations, durationMs = 0, ratePerSecond }) {
        if (iterations !== undefined) return iterations * atOnce;
        return durationMs * (ratePerSecond === undefined ? (perMs ?? 0) : ratePerSecond / 1000);
      }

      return {
        async fit(length, before) {
          let room = look(memoryIn(before));
          let now = before;
          most = fitting(room);
          if (most < wanted(length) && ownBytes > 0 && renewals.size > 0) {
            await renewAll();
            now = await server.snapshot();
            room = look(memoryIn(now));
            if (fitting(room) < wanted(length) && server.removal[0] === 'UNLINK') {
              await sleep(FREED_WITHIN_MS);
              now = await server.snapshot();
              room = look(memoryIn(now));
            }
            most = fitting(room);
          }
          if (room !== null && most < atOnce * batch)
            throw noRoom(room, noiseBytes + ownBytes + UNEVEN * bytesPerOp() * atOnce * batch);
          return { length: shortened(length, most, atOnce, batch), before: now };
        },

        learn(before, after, operations, elapsedMs) {
          perMs = operations / Math.max(1, elapsedMs);
          if (operations >= most - atOnce && operations > 0 && Number.isFinite(most)) tell(operations);
          const [was, is] = [usedIn(memoryIn(before)), usedIn(memoryIn(after))];
          const isKnown = was !== null && is !== null;
          const grewBytes = isKnown ? Math.max(0, is - was) : operations * first;
          // Where nothing can be made anew, each run begins without what the last one stored.
          if (renew !== null) ownBytes += grewBytes + operations * replied;
          if (!isKnown) return;
          growth.operations += operations;
          growth.bytes += grewBytes;
          growth.lastPerOp = Math.max(0, grewBytes - noiseBytes) / Math.max(1, operations);
        },

        watch: (stop, onLook) => watch(noiseBytes, stop, onLook),
      };

      /** @param {number} operations */
      function tell(operations) {
        const workload = cell.chosen.workload.title ?? cell.workload;
        if (told.has(workload)) return;
        told.add(workload);
        warn({ kind: 'memory-bounds-runs', workload, operations, bytes: Math.ceil(bytesPerOp()) });
      }
    },
  };
}

/** @param {Room} room @param {number} bytes that are needed */
function noRoom(room, bytes) {
  const { bound, freeBytes, usedBytes, maxBytes, policy } = room;
  return new NoRoomError(
    `it was stopped before ${factText({ kind: 'no-room', bytes, bound, freeBytes, usedBytes, maxBytes, policy })}. ${REMEDIES[bound]}`,
  );
}

/** @param {Pick<Cell, 'chosen' | 'valueSize'>} cell @returns {string} the same for cells whose operations store the same */
export const growthKey = ({ chosen, valueSize }) =>
  JSON.stringify([chosen.workload.id, chosen.workload.parameter, valueSize]);

/**
 * For an operation that could not be tried: what is only passed on is stored once, what others store is unknown.
 * @param {Cell} cell
 */
function firstGuess({ keySize, valueSize, chosen }) {
  const sent = keySize + valueSize;
  return chosen.workload.sendsThrough === undefined ? 4 * sent + 4096 : 1.5 * sent + 1024;
}

/**
 * @param {RunLength} length @param {number} most operations @param {number} atOnce @param {number} batch
 * @returns {RunLength}
 */
function shortened(length, most, atOnce, batch) {
  if (!Number.isFinite(most)) return length;
  const { iterations, durationMs, ratePerSecond } = length;
  if (ratePerSecond !== undefined && durationMs !== undefined)
    return { ...length, durationMs: Math.min(durationMs, Math.floor((most / ratePerSecond) * 1000)) };
  const ofTask = Math.floor(most / atOnce / batch) * batch;
  return { ...length, iterations: Math.min(iterations ?? Number.POSITIVE_INFINITY, ofTask) };
}
