import { sum } from 'simple-statistics';
import { startWorker } from '../runner/workers.js';

/** @import { Observed } from '../runner/types.js' */
/** @import { CompanyCounts, Job } from '../worker/types.js' */

/** Enough for a p99 in a few runs, and no load of its own. */
const PER_SECOND = 20;
const NAME = `an unloaded caller (GET @ ${PER_SECOND}/s)`;
/** The start is the agents' own: where they are on this machine, there may be no processor for one more. */
const BEGINS_AFTER_MS = 5;
/** A run of unknown length is longer than none of these. */
const UNTIL_STOPPED_MS = 60 * 60 * 1000;

/**
 * What a caller sees that is under no load itself, while the agents load the server: the machine that commands reads a
 * key of its own, as mutilate's master does. A client's own queues are in the figures of the agents, and not in these; nor is
 * its cache, which would answer in the server's place.
 * @param {Job} job of the cell
 */
export async function startUnloadedCaller(job) {
  const worker = startWorker(null);
  try {
    await worker.call('prepare', jobOf(job));
  } catch (error) {
    await worker.kill();
    throw error;
  }
  return {
    /**
     * @param {number | undefined} durationMs undefined until `stop`
     * @param {number | undefined} startAtMs by this machine's monotonic clock
     */
    begin(durationMs = UNTIL_STOPPED_MS, startAtMs = undefined) {
      const own = {
        durationMs: Math.max(0, durationMs - BEGINS_AFTER_MS),
        startAtMs: startAtMs && startAtMs + BEGINS_AFTER_MS,
      };
      /** @type {Promise<Observed['measured']>} */
      const run = worker.call('run', own);
      // Whoever waits for it is told.
      run.catch(() => {});
      return async () => {
        worker.stop();
        return countsOf(await run);
      };
    },

    finish: () => worker.call('finish'),
    interrupt: worker.interrupt,
    kill: worker.kill,
  };
}

/** @param {Job} job @returns {Job} */
const jobOf = (job) => ({
  ...job,
  scenario: 'shared-connection',
  scenarioOptions: {},
  pipelining: { id: 'implicit', parameter: undefined },
  workload: { id: 'get', parameter: undefined },
  tasks: 1,
  appWorkUs: 0,
  beside: [],
  keyPrefix: `${job.keyPrefix}u`,
  keys: 1,
  ownSizes: [],
  part: { index: 0, count: 1 },
  latency: true,
  withoutCache: true,
  load: {
    ratePerSecond: PER_SECOND,
    search: null,
    sloMs: null,
    arrivals: 'even',
    whenFull: 'wait',
    maxInFlight: 1000,
  },
});

/** @param {Observed['measured']} measured @returns {CompanyCounts} */
const countsOf = ({ calls, elapsedMs, latencyHdr, wrongReplies, firstWrongReply }) => ({
  name: NAME,
  command: 'get',
  count: sum(Object.values(calls)),
  elapsedMs,
  wantedPerSecond: null,
  hdr: latencyHdr,
  wrongReplies,
  firstWrongReply,
  elsewhere: true,
});
