import { share } from '../plan/loads.js';
import { addLeftovers, mergeRuns } from '../results/merge-runs.js';
import { startWorker } from './worker-process.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { Job, Part, Second } from '../worker/types.js'
 * @import { WorkerProcess } from './types.js'
 */

/** By then every process has received the message and waits for the common start. */
const START_IN_MS = 50;

/**
 * Starts the processes of a cell. Where there are several, they run at the same time and answer as one.
 *
 * @param {Pick<Cell, 'processes' | 'runtime'>} cell
 * @param {number[] | null} cpus the processors that they share; null for all
 * @param {(second: Second) => void} onSecond
 * @param {(pid: number) => string} [leaves] of its client
 * @returns {WorkerProcess}
 */
export function startWorkers({ processes: count, runtime }, cpus, onSecond, leaves) {
  if (count === 1) return startWorker(cpus, runtime?.path, onSecond, leaves);
  let addUp = createSeconds(count, onSecond);
  const workers = Array.from({ length: count }, () =>
    startWorker(cpus, runtime?.path, (second) => addUp(second), leaves),
  );
  return {
    // If the server stalls, it stalls for all of them.
    pid: workers[0].pid,
    startsInMs: START_IN_MS,

    /** @type {WorkerProcess['call']} */
    async call(method, params) {
      // Drops seconds of the last run that not all processes reported.
      if (method === 'run') addUp = createSeconds(count, onSecond);
      if (Object.hasOwn(OF_ALL, method)) return OF_ALL[method](workers, params);
      const answers = await Promise.all(workers.map((worker) => worker.call(method, params)));
      return answers[0];
    },
    stop: () => workers.forEach((worker) => void worker.stop()),
    interrupt: () => workers.forEach((worker) => void worker.interrupt()),
    async kill() {
      await Promise.all(workers.map((worker) => worker.kill()));
    },
  };
}

/**
 * The calls whose answers are more than that of the first process.
 *
 * @type {Record<string, (workers: WorkerProcess[], params: any) => Promise<any>>}
 */
const OF_ALL = {
  async prepare(workers, job) {
    const count = workers.length;
    const facts = await Promise.all(
      workers.map((worker, index) => worker.call('prepare', jobOfPart(job, { index, count }))),
    );
    return { ...facts[0], connections: facts.reduce((sum, { connections }) => sum + connections, 0) };
  },
  async run(workers, length) {
    const startAtMs = Number(process.hrtime.bigint()) / 1e6 + START_IN_MS;
    return mergeRuns(
      await Promise.all(workers.map((worker) => worker.call('run', { ...length, startAtMs }))),
    );
  },
  async 'after-run'(workers) {
    return addLeftovers(await Promise.all(workers.map((worker) => worker.call('after-run'))));
  },
};

/**
 * @param {Job} job of the whole cell
 * @param {Part} part
 * @returns {Job}
 */
const jobOfPart = (job, part) => ({
  ...job,
  part,
  load: job.load && { ...job.load, maxInFlight: share(job.load.maxInFlight, part) },
});

/**
 * Adds up the reports of all processes for the same second.
 *
 * @param {number} count
 * @param {(second: Second) => void} onSecond
 * @returns {(second: Second) => void}
 */
function createSeconds(count, onSecond) {
  /** @type {Map<number, Second[]>} */
  const told = new Map();
  return (second) => {
    const all = [...(told.get(second.second) ?? []), second];
    told.set(second.second, all);
    if (all.length < count) return;
    told.delete(second.second);
    onSecond(all.reduce(addSeconds));
  };
}

/**
 * @param {Second} a
 * @param {Second} b
 * @returns {Second}
 */
const addSeconds = (a, b) => ({
  second: a.second,
  intended: a.intended + b.intended,
  sent: a.sent + b.sent,
  acknowledged: a.acknowledged + b.acknowledged,
  dropped: a.dropped + b.dropped,
  inFlight: a.inFlight + b.inFlight,
  latenessMs: Math.max(a.latenessMs, b.latenessMs),
  rssBytes: a.rssBytes + b.rssBytes,
});
