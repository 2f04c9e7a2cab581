import { callerJob, startCaller } from '../runner/other-clients.js';

/** @import { Job } from '../worker/types.js' */

/** Enough for a p99 in a few runs, and no load of its own. */
const PER_SECOND = 20;
const MOST_IN_FLIGHT = 1000;
const PART = { name: `an unloaded caller (GET @ ${PER_SECOND}/s)`, perSecond: null };
/** The start is the agents' own: where they are on this machine, there may be no processor for one more. */
const BEGINS_AFTER_MS = 5;

/**
 * What a caller sees that is under no load itself, while the agents load the server: the machine that commands reads a
 * key of its own, as mutilate's master does. A client's own queues are in the figures of the agents, and not in these; nor is
 * its cache, which would answer in the server's place.
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
