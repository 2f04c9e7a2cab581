import { sum } from 'simple-statistics';
import { OTHERS } from '../plan/capacity.js';
import { mergeBy } from '../results/merge-rules.js';
import { addLeftovers } from '../results/merge-runs.js';
import { startWorker } from './workers.js';

/** @import { BackgroundPart, OpenLoopPlan } from '../plan/types.js' */
/** @import { BackgroundCounts, Job } from '../worker/types.js' */
/** @import { Observed, WorkerProcess } from './types.js' */

/** No run of unknown length takes longer. */
const UNTIL_STOPPED_MS = 60 * 60 * 1000;

/** @typedef {ReturnType<typeof startCaller>} Caller */
/** @typedef {{counts: BackgroundCounts, errors: Record<string, number>}} Called */

/** `kill` works even before it is prepared. @param {Pick<BackgroundPart, 'name' | 'perSecond'>} part */
export function startCaller(part) {
  const worker = startWorker(null);
  return {
    /** @param {Job} job of that client */
    prepare: (job) => worker.call('prepare', job),

    /** @param {{durationMs?: number, startAtMs?: number}} [length] `startAtMs`: on the monotonic clock */
    begin({ durationMs = UNTIL_STOPPED_MS, startAtMs } = {}) {
      /** @type {Promise<Observed['measured']>} */
      const run = worker.call('run', { durationMs, startAtMs });
      // The error is thrown where its counts are awaited.
      run.catch(() => {});
      return async () => {
        worker.stop();
        const measured = await run;
        return { counts: countsOf(part, measured), errors: measured.errors };
      };
    },

    finish: () => worker.call('finish'),
    interrupt: worker.interrupt,
    kill: worker.kill,
  };
}

/**
 * Background operations do not count, but if one fails, the run is not what was asked for.
 * @param {Observed['measured']} measured @param {Called[]} called @returns {Observed['measured']}
 */
export function withCalls(measured, called) {
  const counts = called.map((each) => each.counts);
  return {
    ...measured,
    ...addLeftovers([measured, ...counts]),
    ...mergeBy({ errors: 'sums' }, [measured, ...called]),
    background: [...measured.background, ...counts],
  };
}

/**
 * @param {Job} job @param {Pick<OpenLoopPlan, 'ratePerSecond' | 'maxInFlight'>} load @param {Partial<Job>} own
 * @returns {Job}
 */
export const callerJob = (job, load, own) => ({
  ...job,
  scenario: 'shared-connection',
  scenarioOptions: {},
  pipelining: { id: 'implicit', parameter: undefined },
  workload: { id: 'get', parameter: undefined },
  tasks: 1,
  appWorkUs: 0,
  beside: [],
  keys: 1,
  ownSizes: [],
  part: { index: 0, count: 1 },
  latency: true,
  withoutCache: true,
  load: { search: null, sloMs: null, arrivals: 'even', whenFull: 'wait', ...load },
  ...own,
});

/**
 * Adds background clients, which send while a run is measured, not during warm-up.
 * @param {WorkerProcess} workers @param {BackgroundPart[]} parts @param {(job: Job) => Job} toServer
 * @returns {WorkerProcess}
 */
export function amongOthers(workers, parts, toServer) {
  if (parts.length === 0) return workers;
  /** @type {Caller[]} */
  const callers = [];
  const all = (/** @type {(caller: Caller) => unknown} */ work) => Promise.all(callers.map(work));
  return {
    ...workers,
    // Remote workers report theirs later.
    get pid() {
      return workers.pid;
    },

    async call(method, params) {
      if (method === 'prepare') {
        const job = toServer(/** @type {Job} */ (params));
        callers.push(...parts.map(startCaller));
        for (const [index, caller] of callers.entries())
          await caller.prepare(jobOf(parts[index], index, job));
      }
      if (method === 'finish') await all((caller) => caller.finish());
      return workers.call(method, params);
    },

    async run(length) {
      if (length.alone) return workers.run(length);
      const endings = callers.map((caller) => caller.begin());
      /** @type {Observed['measured'] | undefined} */
      let measured;
      try {
        measured = await workers.run(length);
      } finally {
        // Also after a failed run, because the next one starts them again.
        const called = await Promise.all(endings.map((end) => end()));
        if (measured !== undefined) measured = withCalls(measured, called);
      }
      return measured;
    },

    interrupt() {
      workers.interrupt();
      void all((caller) => caller.interrupt());
    },

    kill: async () => void (await Promise.all([workers.kill(), all((caller) => caller.kill())])),
  };
}

/** @param {BackgroundPart} part @param {number} index @param {Job} job */
const jobOf = ({ command, bytes, perSecond }, index, job) =>
  callerJob(
    job,
    { ratePerSecond: Number(perSecond), maxInFlight: OTHERS.inFlight },
    {
      scenario: 'connection-per-task',
      tasks: OTHERS.connections,
      workload: { id: command, parameter: undefined },
      // Cells of the same rounds may differ in size.
      keyPrefix: `${job.keyPrefix}o${index}@${bytes}:`,
      value: 'text',
      encode: 'none',
      valueSize: Number(bytes),
      shortestValue: Number(bytes),
    },
  );

/**
 * @param {Pick<BackgroundPart, 'name' | 'perSecond'>} part @param {Observed['measured']} measured
 * @returns {BackgroundCounts}
 */
const countsOf = ({ name, perSecond }, { calls, elapsedMs, latencyHdr, wrongReplies, firstWrongReply }) => ({
  name,
  command: Object.keys(calls)[0] ?? 'get',
  count: sum(Object.values(calls)),
  elapsedMs,
  wantedPerSecond: perSecond,
  hdr: latencyHdr,
  wrongReplies,
  firstWrongReply,
  elsewhere: true,
});
