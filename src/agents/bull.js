import { messageOf, UsageError } from '../errors.js';
import { addressOf } from '../server/sockets.js';

/** @import { EventEmitter } from 'node:events' */
/** @import { Processor, Queue, QueueEvents, Worker } from 'bullmq' */
/** @import { ControlRedis } from './types.js' */

/** Of every key in the control Redis. Keys of benchmarks start with `rpb:`. */
export const CONTROL_PREFIX = 'rpb-agents';

/**
 * Locks are what BullMQ knows of who lives: one that is not renewed for this long has run out, and is found by the
 * second of two checks. An agent that dies is noticed within 7 seconds.
 */
export const LOCK_MS = 4000;
const CHECK_EVERY_MS = 1500;

/** Events that were not read yet: an agent has a few calls in flight. */
const MOST_EVENTS = 500;

/** A job is never tried again: what was measured twice would be counted once. */
const JOB = { attempts: 1, removeOnComplete: true, removeOnFail: true };

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
    retryStrategy: retry,
  },
});

/**
 * Errors of a connection come again and again until it is back; who waits for an answer has a limit of his own.
 * Closing waits for a control Redis that may be gone, and what then still tries to reach it would keep this process.
 * @template {Queue | QueueEvents | Worker} Any @param {Any} any @param {ControlRedis} control
 */
function attach(any, control) {
  /** @type {EventEmitter} */ (any).on('error', () => {});
  const { close, lockManager, getBackend } = /** @type {any} */ (any);
  control.onClose(async () => {
    // It waits for jobs, which may wait for the control Redis; but it ends the loop of QueueEvents.
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

/**
 * @param {ControlRedis} control @param {string} name
 * @returns {Promise<QueueEvents>} those that came before it listened, too
 */
export async function createEvents(control, name) {
  const { QueueEvents } = await loadBull();
  const events = attach(new QueueEvents(name, { ...optionsOf(control), lastEventId: '0-0' }), control);
  await events.waitUntilReady();
  return events;
}

/**
 * @param {ControlRedis} control @param {string} name of the queue @param {string} own name
 * @param {Processor | null} work null for one that only looks for jobs whose locks have run out
 */
export async function createWorker(control, name, own, work) {
  const { Worker } = await loadBull();
  const worker = attach(
    new Worker(name, work, {
      ...optionsOf(control),
      name: own,
      autorun: work !== null,
      // Calls that only wait take nothing.
      concurrency: 1000,
      lockDuration: LOCK_MS,
      stalledInterval: CHECK_EVERY_MS,
      maxStalledCount: 0,
    }),
    control,
  );
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
