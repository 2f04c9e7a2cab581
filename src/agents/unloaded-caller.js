import { callerJob, startCaller } from '../runner/other-clients.js';

/** @import { Job } from '../worker/types.js' */

/** Enough for a p99 in a few runs, and hardly a load. */
const PER_SECOND = 20;
const MOST_IN_FLIGHT = 1000;
const PART = { name: `an unloaded caller (GET @ ${PER_SECOND}/s)`, perSecond: null };
/** Agents on this machine need the processors at the common start. */
const BEGINS_AFTER_MS = 5;

/**
 * Measures latency without a client's own queues while agents load the server: the commander reads a key of its own, as
 * mutilate's master does. No cache answers in the server's place.
 */
export function startUnloadedCaller() {
  const caller = startCaller(PART);
  return {
    ...caller,

    /** @param {Job} job of the cell */
    prepare(job) {
      const own = { keyPrefix: `${job.keyPrefix}u` };
      const load = { ratePerSecond: PER_SECOND, maxInFlight: MOST_IN_FLIGHT };
      return caller.prepare(callerJob(job, load, own));
    },

    /**
     * @param {number | undefined} durationMs undefined until it is stopped
     * @param {number | undefined} startAtMs by this machine's monotonic clock
     */
    begin: (durationMs, startAtMs) =>
      caller.begin({
        durationMs: durationMs && Math.max(0, durationMs - BEGINS_AFTER_MS),
        startAtMs: startAtMs && startAtMs + BEGINS_AFTER_MS,
      }),
  };
}
