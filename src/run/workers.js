import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sum } from '../descriptive-statistics.js';
import { pinProcess } from '../machine/processors.js';
import { startAnswering } from '../process/answering.js';
import { removeLeftovers } from '../process/leftovers.js';
import { sharedClock } from '../process/shared-clock.js';
import { withoutNodeOptions } from '../process/spawn.js';
import { LONGEST_TIMER_MS } from '../process/wait.js';
import { mergeBy } from '../store/merge.js';
import { AFTER_RUN, addEmitted, mergeRuns, SECOND } from './merge-runs.js';
import { share } from './plan/loads.js';

/** @import { Cell } from './plan/types.js' */
/** @import { Job, Part, RunLength, Second, Stage } from '../worker/types.js' */
/** @import { AnsweringProcess } from '../process/answering.js' */
/** @import { MeasuredOfAll } from './types.js' */

/** Every process has been told by then. */
const START_IN_MS = 50;

/** An operation takes milliseconds; after this long it is stuck. */
const STOPS_WITHIN_MS = 1000;

/**
 * They may load on any CPU: on the one that all workers share, twelve took twice as long.
 * @param {Pick<Cell, 'processes' | 'runtime' | 'imported' | 'machines'> & {id?: string, isPinned?: boolean, env?: NodeJS.ProcessEnv}}
 *   cell `isPinned`: from the start, not only once prepared
 * @param {number[] | null} cpus shared; null for all @param {(second: Second) => void} onSecond
 * @param {(pid: number) => string} [leaves] by its client @param {(stage: Stage) => void} [onStage] of any process
 */
export function startWorkers(
  { processes: count, runtime, imported, isPinned = false, env },
  cpus,
  onSecond,
  leaves = undefined,
  onStage = () => {},
) {
  /** Processes that report seconds. */
  let sending = count;
  let addUp = createSeconds(count, onSecond);
  const workers = Array.from({ length: count }, () =>
    startAnswering({ ...programOf({ runtime, imported }), env }, isPinned ? cpus : null, {
      onMessage({ second, stage }) {
        if (second !== undefined) addUp(second);
        if (stage !== undefined) onStage(stage);
      },
      onEnd: (pid) => pid !== undefined && removeLeftovers(leaves?.(pid)),
    }),
  );
  const all = (/** @type {(worker: AnsweringProcess, index: number) => Promise<any>} */ work) =>
    Promise.all(workers.map(work));
  const stop = () => workers.forEach((worker) => void worker.send('stop'));

  /** @param {Job} job */
  async function prepare(job) {
    if (job.pairs) sending = count / 2;
    const ofAll = job.pairs ? { ...job, meeting: join(tmpdir(), `rpb-${randomUUID().slice(0, 8)}`) } : job;
    const facts = await all((worker, index) => worker.call('prepare', jobOfPart(ofAll, { index, count })));
    if (cpus !== null && !isPinned) await all(({ pid }) => pinProcess(Number(pid), cpus));
    return answerOfAll('prepare', facts);
  }
  return {
    pid: workers[0].pid,
    pids: workers.flatMap(({ pid }) => pid ?? []),

    /** @param {string} method @param {unknown} [params] @returns {Promise<any>} */
    async call(method, params) {
      if (method === 'prepare') return prepare(/** @type {Job} */ (params));
      return answerOfAll(method, await all((worker) => worker.call(method, params)));
    },

    /**
     * @param {RunLength & {timed: boolean, startAtMs?: number}} length `timed`: ends after `durationMs`; `startAtMs`: on the
     *   machine's shared clock, or soon @returns {Promise<MeasuredOfAll>}
     */
    run({ timed, startAtMs = count > 1 ? sharedClock() + START_IN_MS : undefined, ...length }) {
      // Drops seconds of the last run that not all processes reported.
      addUp = createSeconds(sending, onSecond);
      const startsInMs = startAtMs === undefined ? 0 : Math.max(0, startAtMs - sharedClock());
      // A timer in the worker would make the kernel set an alarm whenever its event loop sleeps, costing 5 % more CPU.
      const timer = timed
        ? setTimeout(stop, Math.min(startsInMs + Number(length.durationMs), LONGEST_TIMER_MS))
        : undefined;
      return all((worker) => worker.call('run', { ...length, startAtMs }))
        .then((runs) => (runs.length === 1 ? runs[0] : mergeRuns(runs)))
        .finally(() => clearTimeout(timer));
    },

    /** Ends the current run at its next iteration; its figures still arrive. */
    stop,
    /** Like `stop`, and kills the process if it does not respond. */
    interrupt() {
      stop();
      // A run that waits for a lost reply would never end.
      const killWaiting = () => all(async (worker) => worker.isWaiting() && worker.kill());
      setTimeout(killWaiting, STOPS_WITHIN_MS).unref();
    },
    /** Ends workers as if this process were gone: they remove their keys first. */
    dismiss: async () => void (await all((worker) => worker.dismiss())),
    kill: async () => void (await all((worker) => worker.kill())),
  };
}

/** @param {string} method @param {any[]} answers @returns {any} all of a list, or the first one's, unless all count */
export function answerOfAll(method, answers) {
  if (method === 'unanswered') return sum(answers);
  if (method === 'emitted') return addEmitted(answers);
  if (method === 'after-run') return mergeBy(AFTER_RUN, answers);
  return Array.isArray(answers[0]) ? answers.flat() : answers[0];
}

/** @param {Job} job of the cell, or its part on one machine @param {Part} own @returns {Job} for one process */
export function jobOfPart(job, own) {
  const part = {
    index: job.part.index * own.count + own.index,
    count: job.part.count * own.count,
  };
  // In a pair, one process sends.
  const sender = job.pairs ? { index: Math.floor(part.index / 2), count: part.count / 2 } : part;
  const load = job.load && { ...job.load, maxInFlight: share(job.load.maxInFlight, sender) };
  return { ...job, part, load };
}

/** Adds up all processes' reports per second. @param {number} count @param {(second: Second) => void} onSecond */
export function createSeconds(count, onSecond) {
  /** @type {Map<number, Second[]>} */
  const bySecond = new Map();
  return (/** @type {Second} */ second) => {
    const all = [...(bySecond.get(second.second) ?? []), second];
    bySecond.set(second.second, all);
    if (all.length < count) return;
    bySecond.delete(second.second);
    onSecond(mergeBy(SECOND, all));
  };
}

const ENTRY = new URL('../worker/entry.js', import.meta.url);

/** @param {Pick<Cell, 'runtime' | 'imported'>} cell */
export const programOf = ({ runtime, imported }) => ({
  name: 'the worker process',
  entry: ENTRY,
  nodeBin: runtime?.path,
  nodeArgs: imported?.args,
});

/** Starts a single process without a cell. @param {number[] | null} cpus null for all @param {NodeJS.ProcessEnv} [env] */
export const startWorker = (cpus, env) =>
  startWorkers({ processes: 1, runtime: null, isPinned: true, env }, cpus, () => {});

/** Starts a process that has a bare socket instead of a client. @param {number[] | null} cpus null for all */
export const startBareWorker = (cpus) => startWorker(cpus, withoutNodeOptions());
