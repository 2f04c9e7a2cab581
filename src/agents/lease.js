import { deferred } from '../process/wait.js';
import { createEvents, createQueue, createWorker, LOCK_MS } from './bull.js';

/** @import { Worker } from 'bullmq' */
/** @import { AgentLease, ControlRedis } from './types.js' */

const JOB = 'lease';

/** A lock that has run out may already have been found. */
const RENEWED_WITHIN_MS = LOCK_MS + 1000;
const LOOK_EVERY_MS = 500;

/**
 * Notices that this process has been taken for dead, or that the control Redis does not answer any more.
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
 * Shows others that this process lives: a job that it keeps active until the end.
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
  /** @param {'ended' | 'silent'} how @returns {(event: {jobId: string}) => void} */
  const tell =
    (how) =>
    ({ jobId }) => {
      if (jobId !== job || reported) return;
      reported = true;
      onEnd(how);
    };
  events.on('stalled', tell('silent'));
  events.on('completed', tell('ended'));
  events.on('failed', tell('silent'));
  return async () => {
    reported = true;
    await Promise.all([checker.close(true), events.close()]);
  };
}
