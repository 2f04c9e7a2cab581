import { readFile } from 'node:fs/promises';

/** Most runs are shorter. */
const LOOK_EVERY_MS = 500;
/** A lost packet or a forking server may well take a second. */
const STALL_MS = 1500;
/** With some clients, opening a connection takes this many. */
const ROUND_TRIPS = 5;

/**
 * Watches a run from outside, at no cost to the worker or the server: Linux counts the bytes that a
 * process has read, and a worker reads nothing but replies.
 *
 * @param {number | undefined} pid of the worker
 * @param {number} rttMs in which nothing can arrive anyway
 * @param {(stalledMs: number) => void} onStall told once of each time in which nothing arrives
 * @returns {{stop: () => number}} `stop` returns the longest such time, in milliseconds
 */
export function watchRun(pid, rttMs, onStall) {
  let bytes = -1;
  let since = performance.now();
  let longest = 0;
  let told = false;
  async function look() {
    const now = performance.now();
    const read = await bytesRead(pid);
    if (read === null) return;
    if (read !== bytes) {
      bytes = read;
      since = now;
      told = false;
      return;
    }
    if (now - since < STALL_MS + ROUND_TRIPS * rttMs) return;
    longest = Math.max(longest, now - since);
    if (!told) onStall(now - since);
    told = true;
  }
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}

/**
 * @param {number | undefined} pid
 * @returns {Promise<number | null>} null where the system does not tell
 */
async function bytesRead(pid) {
  const io = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '');
  const count = /^rchar: (\d+)/m.exec(io)?.[1];
  return count === undefined ? null : Number(count);
}
