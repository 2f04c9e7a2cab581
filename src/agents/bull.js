import { messageOf, UsageError } from '../errors.js';
import { addressOf } from '../server/sockets.js';

/** @import { EventEmitter } from 'node:events' */
/** @import { Job, Queue, QueueEvents, Worker } from 'bullmq' */
/** @import { ControlRedis } from './control-redis.js' */

/** Keys of benchmarks start with `rpb:`. */
export const CONTROL_PREFIX = 'rpb-agents';

/**
 * BullMQ knows by locks which process lives: one that is not renewed for this long expires, and the second of two checks
 * finds it. A dead agent is noticed within 7 seconds.
 */
export const LOCK_MS = 4000;
const CHECK_EVERY_MS = 1500;

/** Unread ones: an agent has a few calls in flight. */
const MOST_EVENTS = 500;

const JOB = { removeOnComplete: true, removeOnFail: true };

/** @returns {Promise<typeof import('bullmq')>} @throws {UsageError} where it is not installed */
export async function loadBull() {
  try {
    const { default: bullmq } = await import('bullmq');
    return bullmq;
  } catch (error) {
    throw new UsageError(
      `agents are commanded through BullMQ, which is not installed here: npm install bullmq (${messageOf(error)})`,
    );
  }
}

/** @param {ControlRedis} control */
const optionsOf = ({ target, retry }) => ({
  prefix: CONTROL_PREFIX,
  connection: {
    ...addressOf(target),
    username: target.username,
    password: target.password,
    db: target.database,
    ...(target.tls && { tls: target.tls }),
    maxRetriesPerRequest: null,
    // For a connection that is closed twice, as BullMQ does, ioredis waits this long; it would be two seconds.
    disconnectTimeout: 50,
    retryStrategy: retry,
  },
});

/**
 * Ignores connection errors, which repeat until it is back: callers have time limits of their own. Closing would wait for a
 * control Redis that may be gone, and reconnecting would keep this process, so connections are dropped.
 * @template {Queue | QueueEvents | Worker} Any @param {Any} any @param {ControlRedis} control
 */
function attach(any, control) {
  /** @type {EventEmitter} */ (any).on('error', () => {});
  const { close, lockManager, getBackend } = /** @type {any} */ (any);
  control.onClose(async () => {
    // It may wait for the control Redis, but it ends the loop of QueueEvents.
    close.call(any, true).catch(() => {});
    lockManager?.close();
    const { connection, blockingConnection } = getBackend.call(any);
    for (const each of [connection, blockingConnection]) {
      const client = await each?.client.catch(() => undefined);
      client?.disconnect(false);
    }
  });
  return any;
}

/** @param {ControlRedis} control @param {string} name @returns {Promise<Queue>} */
export async function createQueue(control, name) {
  const { Queue } = await loadBull();
  return attach(
    new Queue(name, {
      ...optionsOf(control),
      defaultJobOptions: JOB,
      streams: { events: { maxLen: MOST_EVENTS } },
    }),
    control,
  );
}

/** @param {ControlRedis} control @param {string} name @returns {Promise<QueueEvents>} earlier ones included */
export async function createEvents(control, name) {
  const { QueueEvents } = await loadBull();
  const events = attach(new QueueEvents(name, { ...optionsOf(control), lastEventId: '0-0' }), control);
  // It would read somebody else's key again every five seconds, and a process that is done would wait for that.
  events.on('error', ({ message }) => void (message.startsWith('WRONGTYPE') && events.close()));
  await events.waitUntilReady();
  return events;
}

/**
 * @param {ControlRedis} control @param {string} name of the queue @param {string} own name
 * @param {((job: Job) => Promise<unknown>) | null} work null for one that only looks for expired locks
 */
export async function createWorker(control, name, own, work) {
  const { UnrecoverableError, Worker } = await loadBull();
  /** A job is never retried: what was measured twice would be counted once. @param {Job} job */
  const once = (job) =>
    Promise.resolve(work?.(job)).catch((error) => {
      throw new UnrecoverableError(messageOf(error));
    });
  const worker = attach(
    new Worker(name, work && once, {
      ...optionsOf(control),
      name: own,
      autorun: work !== null,
      // A call that waits costs nothing.
      concurrency: 1000,
      lockDuration: LOCK_MS,
      stalledInterval: CHECK_EVERY_MS,
      maxStalledCount: 0,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    }),
    control,
  );
  // Whoever reaches the queue chooses a job's options: attempts, a schedule that adds the next one, a parent to tell.
  const bare = /** @type {any} */ (worker);
  bare.createJob = (/** @type {any} */ { name: method, data }, /** @type {string} */ id) =>
    bare.Job.fromJSON(worker, { name: method, data, opts: '{}' }, id);
  await worker.waitUntilReady();
  if (work === null) await worker.startStalledCheckTimer();
  return worker;
}

const AGENT = 'agent.';
const COMMANDER = 'commander.';

/** @param {string} name of an agent */
export const agentQueue = (name) => `${AGENT}${name}`;
/** @param {string} id */
export const commanderQueue = (id) => `${COMMANDER}${id}`;

/** @param {string[]} queues @returns {string[]} the names of the agents among them */
export const agentsAmong = (queues) =>
  queues.flatMap((queue) => (queue.startsWith(AGENT) ? queue.slice(AGENT.length) : [])).sort();
