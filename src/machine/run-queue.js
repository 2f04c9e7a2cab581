import { readFileSync } from 'node:fs';

/**
 * Who had to wait for a processor. Linux counts, for each thread, the time in which it was ready to run and
 * did not, and for each processor what the hypervisor gave to others.
 *
 * @import { RunQueue } from './types.js'
 */

/** proc(5): times in /proc/stat are in clock ticks, a hundredth of a second on every Linux there is. */
const TICK_MS = 10;

/**
 * @param {object} of
 * @param {number | undefined} of.worker process id
 * @param {number[]} of.servers process ids, as far as they run on this machine
 * @param {number[] | null} of.cpus the processors of both; null for all
 * @returns {RunQueue} the totals so far; null for what the system does not tell
 */
export function readRunQueue({ worker, servers, cpus }) {
  const ofWorker = worker === undefined ? UNKNOWN : mainThread(worker);
  const ofServers = servers.map((pid) => mainThread(pid).queuedMs);
  return {
    workerQueuedMs: ofWorker.queuedMs,
    workerRanMs: ofWorker.ranMs,
    serverQueuedMs:
      servers.length === 0 || ofServers.includes(null)
        ? null
        : ofServers.reduce((sum, ms) => Number(sum) + Number(ms), 0),
    stolenMs: stolenMs(cpus),
  };
}

/** @param {RunQueue} before @param {RunQueue} after @returns {RunQueue} what was added in between */
export const queuedBetween = (before, after) => ({
  workerQueuedMs: minus(after.workerQueuedMs, before.workerQueuedMs),
  workerRanMs: minus(after.workerRanMs, before.workerRanMs),
  serverQueuedMs: minus(after.serverQueuedMs, before.serverQueuedMs),
  stolenMs: minus(after.stolenMs, before.stolenMs),
});

/** @param {number | null} after @param {number | null} before */
const minus = (after, before) => (after === null || before === null ? null : Math.max(0, after - before));

/** @type {{ranMs: number | null, queuedMs: number | null}} */
const UNKNOWN = { ranMs: null, queuedMs: null };

/** @param {number} pid @returns {typeof UNKNOWN} how long its main thread has run, and has waited for that */
function mainThread(pid) {
  const [ran, waited] = read(`/proc/${pid}/task/${pid}/schedstat`).split(' ');
  return waited === undefined ? UNKNOWN : { ranMs: Number(ran) / 1e6, queuedMs: Number(waited) / 1e6 };
}

/** @param {number[] | null} cpus */
function stolenMs(cpus) {
  const lines = [...read('/proc/stat').matchAll(/^cpu(\d+) (.*)$/gm)];
  if (lines.length === 0) return null;
  return lines
    .filter(([, cpu]) => cpus === null || cpus.includes(Number(cpu)))
    .reduce((sum, [, , figures]) => sum + Number(figures.split(' ')[7] ?? 0) * TICK_MS, 0);
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
