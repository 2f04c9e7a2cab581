import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLeftovers } from '../leftovers.js';
import { pinProcess } from '../machine/processors.js';
import { share } from '../plan/loads.js';
import { startAnswering } from '../process/answering.js';
import { mergeBy } from '../results/merge-rules.js';
import { addLeftovers, mergeRuns, SECOND } from '../results/merge-runs.js';
import { sharedClock } from '../shared-clock.js';

/** @import { Job, Part, Second } from '../worker/types.js' */
/** @import { AnsweringProcess } from '../process/answering.js' */
/** @import { LocalWorkers, StartWorkers, WorkerProcess } from './types.js' */

/** By then every process has received the message and waits for the common start. */
const START_IN_MS = 50;

/** An operation takes milliseconds; after this long it is not slow but stuck. */
const STOPS_WITHIN_MS = 1000;

/**
 * Starts the processes of a cell. Where there are several, they run at the same time and answer as one. They may load
 * and prepare on any processor: on the one that all workers share, twelve of them took twice as long.
 * @type {(...given: Parameters<StartWorkers>) => LocalWorkers}
 */
export function startWorkers(
  { processes: count, runtime, isPinned = false, ...how },
  cpus,
  onSecond,
  leaves,
) {
  /** Those that tell of seconds. */
  let sending = count;
  let addUp = createSeconds(count, onSecond);
  /** @type {AnsweringProcess[]} */
  const workers = [];
  const stop = () => workers.forEach((worker) => void worker.send('stop'));
  for (let index = 0; index < count; index++) {
    const worker = startAnswering(
      { ...programOf(runtime), under: how.under, folder: how.folder },
      isPinned ? cpus : null,
      {
        onMessage: ({ second }) => second !== undefined && addUp(second),
        onEnd: (pid) => pid !== undefined && removeLeftovers(leaves?.(pid)),
      },
    );
    workers.push(worker);
  }
  return {
    // If the server stalls, it stalls for all of them.
    pid: workers[0].pid,

    /** @type {WorkerProcess['call']} */
    async call(method, params) {
      if (method === 'prepare' && /** @type {Job} */ (params).pairs) sending = count / 2;
      if (Object.hasOwn(OF_ALL, method)) {
        const answer = await OF_ALL[method](workers, params);
        if (method === 'prepare' && cpus !== null && !isPinned)
          await Promise.all(workers.map(({ pid }) => pinProcess(Number(pid), cpus)));
        return answer;
      }
      const answers = await Promise.all(workers.map((worker) => worker.call(method, params)));
      return answers[0];
    },

    run({ timed, startAtMs = count > 1 ? sharedClock() + START_IN_MS : undefined, ...length }) {
      // Drops seconds of the last run that not all processes reported.
      addUp = createSeconds(sending, onSecond);
      const startsInMs = startAtMs === undefined ? 0 : Math.max(0, startAtMs - sharedClock());
      // A timer in the worker would make the kernel set an alarm whenever its event loop goes to sleep, which costs
      // it 5 % more CPU.
      const timer = timed ? setTimeout(stop, startsInMs + Number(length.durationMs)) : undefined;
      const running = workers.map((worker) => worker.call('run', { ...length, startAtMs }));
      return Promise.all(running)
        .then((all) => (all.length === 1 ? all[0] : mergeRuns(all)))
        .finally(() => clearTimeout(timer));
    },

    stop,
    interrupt() {
      stop();
      // A run that waits for a lost reply would never end.
      setTimeout(() => killWaiting(workers), STOPS_WITHIN_MS).unref();
    },
    async dismiss() {
      await Promise.all(workers.map((worker) => worker.dismiss()));
    },
    async kill() {
      await Promise.all(workers.map((worker) => worker.kill()));
    },
  };
}

/** @param {AnsweringProcess[]} workers */
function killWaiting(workers) {
  for (const worker of workers) if (worker.isWaiting()) void worker.kill();
}

/**
 * The calls whose answers are more than that of the first process.
 * @type {Record<string, (workers: AnsweringProcess[], params: any) => Promise<any>>}
 */
const OF_ALL = {
  async prepare(workers, job) {
    const count = workers.length;
    const ofAll = job.pairs ? { ...job, meeting: join(tmpdir(), `rpb-${randomUUID().slice(0, 8)}`) } : job;
    const facts = await Promise.all(
      workers.map((worker, index) => worker.call('prepare', jobOfPart(ofAll, { index, count }))),
    );
    return { ...facts[0], ...mergeBy({ connections: 'sum' }, facts) };
  },
  async serve(workers, tasks) {
    return mergeBy('sumOfAll', await Promise.all(workers.map((worker) => worker.call('serve', tasks))));
  },
  async 'after-run'(workers) {
    return addLeftovers(await Promise.all(workers.map((worker) => worker.call('after-run'))));
  },
};

/**
 * @param {Job} job of all of these processes; of the whole cell, or of its part on one machine
 * @param {Part} own @returns {Job} of one of them
 */
function jobOfPart(job, own) {
  const part = {
    index: job.part.index * own.count + own.index,
    count: job.part.count * own.count,
  };
  // Of a pair, one process sends.
  const sender = job.pairs ? { index: Math.floor(part.index / 2), count: part.count / 2 } : part;
  const load = job.load && { ...job.load, maxInFlight: share(job.load.maxInFlight, sender) };
  return { ...job, part, load };
}

/**
 * Adds up the reports of all processes for the same second.
 * @param {number} count @param {(second: Second) => void} onSecond @returns {(second: Second) => void}
 */
export function createSeconds(count, onSecond) {
  /** @type {Map<number, Second[]>} */
  const bySecond = new Map();
  return (second) => {
    const all = [...(bySecond.get(second.second) ?? []), second];
    bySecond.set(second.second, all);
    if (all.length < count) return;
    bySecond.delete(second.second);
    onSecond(mergeBy(SECOND, all));
  };
}

const ENTRY = new URL('../worker/entry.js', import.meta.url);

/** What all processes of cells have in common. @param {{path: string} | null} runtime the tool's own Node if null */
export const programOf = (runtime) => ({ name: 'the worker process', entry: ENTRY, nodeBin: runtime?.path });

/** One process that is not of a cell. @param {number[] | null} cpus the processors it may use; null for all */
export const startWorker = (cpus) =>
  startWorkers({ processes: 1, runtime: null, isPinned: true }, cpus, () => {});
