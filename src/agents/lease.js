import { deferred } from '../process/wait.js';
import { createEvents, createQueue, createWorker, LOCK_MS } from './bull.js';

/** @import { Worker } from 'bullmq' */
/** @import { ControlRedis } from './control-redis.js' */
/** @import { AgentLease } from './types.js' */

const JOB = 'lease';

/** An expired lock may already have been found. */
const RENEWED_WITHIN_MS = LOCK_MS + 1000;
const LOOK_EVERY_MS = 500;

/**
 * Notices that others take this process for dead, or that the control Redis is lost.
 * @param {Worker} worker @param {string} job that it keeps active @param {() => void} onLost called once
 * @returns {() => void} ends watching
 */
export function watchOwn(worker, job, onLost) {
  let renewedAtMs = performance.now();
  /** @param {{jobIds: string[]}} renewed */
  const renew = ({ jobIds }) => {
    if (jobIds.includes(job)) renewedAtMs = performance.now();
  };
  /** @param {string[]} jobIds */
  const fail = (jobIds) => {
    if (jobIds.includes(job)) lose();
  };
  const timer = setInterval(() => {
    if (performance.now() - renewedAtMs > RENEWED_WITHIN_MS) lose();
  }, LOOK_EVERY_MS);
  const stop = () => {
    clearInterval(timer);
    worker.off('locksRenewed', renew);
    worker.off('lockRenewalFailed', fail);
  };
  const lose = () => {
    stop();
    onLost();
  };
  worker.on('locksRenewed', renew);
  worker.on('lockRenewalFailed', fail);
  return stop;
}

/**
 * Shows that this process lives by a job that it keeps active until the end.
 * @param {ControlRedis} control @param {string} name of a queue for nothing else
 * @param {() => void} onLost called when others must take it for dead
 */
export async function holdLease(control, name, onLost) {
  const queue = await createQueue(control, name);
  const [started, ended] = [deferred(), deferred()];
  const worker = await createWorker(control, name, name, async () => {
    started.resolve();
    await ended.promise;
  });
  await queue.add(JOB, {}, { jobId: JOB });
  await started.promise;
  const unwatch = watchOwn(worker, JOB, onLost);
  return {
    lease: { queue: name, job: JOB },
    async end() {
      unwatch();
      ended.resolve();
      await worker.close();
      await queue.obliterate({ force: true });
      await queue.close();
    },
  };
}

/**
 * Watches the lease of another process.
 * @param {ControlRedis} control @param {AgentLease} lease @param {(how: 'ended' | 'silent') => void} onEnd called once
 * @returns {Promise<() => Promise<void>>} ends watching
 */
export async function watchLease(control, { queue, job }, onEnd) {
  const checker = await createWorker(control, queue, 'watch', null);
  const events = await createEvents(control, queue);
  let reported = false;
  /** @param {string} jobId @param {'ended' | 'silent'} how */
  const tell = (jobId, how) => {
    if (jobId !== job || reported) return;
    reported = true;
    onEnd(how);
  };
  events.on('stalled', ({ jobId }) => tell(jobId, 'silent'));
  events.on('completed', ({ jobId }) => tell(jobId, 'ended'));
  events.on('failed', ({ jobId }) => tell(jobId, 'silent'));
  return async () => {
    reported = true;
    await Promise.all([checker.close(true), events.close()]);
  };
}
