import { messageOf, UsageError } from '../core/errors.js';
import { addressOf } from '../core/server/sockets.js';

/** @import { Job, Queue, QueueEvents, Worker } from 'bullmq' */
/** @import { ControlRedis } from './control-redis.js' */

/** Keys of benchmarks start with `rpb:`. */
export const CONTROL_PREFIX = 'rpb-agents';
const AGENT = 'agent.';

/** @param {string} name of an agent */
export const agentQueue = (name) => `${AGENT}${name}`;
/** @param {string} queue of an agent */
export const leaseOf = (queue) => `${CONTROL_PREFIX}:${queue}:lease`;
/** @param {string} name */
export const commanderLease = (name) => leaseOf(`commander.${name}`);
/** @param {string[]} queues @returns {string[]} the names of the agents among them */
export const agentsAmong = (queues) =>
  queues.flatMap((queue) => (queue.startsWith(AGENT) ? queue.slice(AGENT.length) : [])).sort();

/** @returns {Promise<typeof import('bullmq')>} @throws {UsageError} where it is not installed */
export async function loadBull() {
  try {
    return (await import('bullmq')).default;
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
 * Connection errors repeat until it is back, and callers have time limits of their own. Closing would wait for a control
 * Redis that may be gone, and reconnecting would keep this process, so connections are dropped.
 * @template {Queue | QueueEvents | Worker} Any @param {Any} any @param {ControlRedis} control
 */
function attach(any, control) {
  const { close, lockManager, getBackend, on } = /** @type {any} */ (any);
  on.call(any, 'error', () => {});
  control.onClose(async () => {
    // It may wait for the control Redis, but it ends the loop of QueueEvents.
    close.call(any, true).catch(() => {});
    lockManager?.close();
    const { connection, blockingConnection } = getBackend.call(any);
    for (const each of [connection, blockingConnection])
      (await each?.client.catch(() => undefined))?.disconnect(false);
  });
  return any;
}

/** @param {ControlRedis} control @param {string} name @returns {Promise<Queue>} */
export async function createQueue(control, name) {
  const { Queue } = await loadBull();
  // Unread events: an agent has a few calls in flight.
  return attach(new Queue(name, { ...optionsOf(control), streams: { events: { maxLen: 500 } } }), control);
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
 * @param {(job: Job) => Promise<unknown>} work never done twice: what was measured twice would be counted once
 */
export async function createWorker(control, name, own, work) {
  const { UnrecoverableError, Worker } = await loadBull();
  /** @param {Job} job */
  const once = (job) =>
    work(job).catch((error) => {
      throw new UnrecoverableError(messageOf(error));
    });
  const keep = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } };
  // A call that waits costs nothing. What a dead agent had begun fails.
  const how = { name: own, concurrency: 1000, maxStalledCount: 0, ...keep };
  const worker = attach(new Worker(name, once, { ...optionsOf(control), ...how }), control);
  // Whoever reaches the queue chooses a job's options: attempts, a schedule that adds the next one, a parent to tell.
  const bare = /** @type {any} */ (worker);
  bare.createJob = (/** @type {any} */ job, /** @type {string} */ id) =>
    bare.Job.fromJSON(worker, { name: job.name, data: job.data, opts: '{}' }, id);
  await worker.waitUntilReady();
  return worker;
}
