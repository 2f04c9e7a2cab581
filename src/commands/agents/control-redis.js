import { messageOf, UsageError } from '../../errors.js';
import { sharedClock } from '../../process/shared-clock.js';
import { addressOf } from '../../process/sockets.js';
import { until } from '../../process/wait.js';
import { connectControl } from '../../server/control.js';
import { keysOf } from '../../server/own-keys.js';
import { TIME } from '../../server/replies.js';
import { isLoopback, labelOf, parseUrl, readTlsOptions } from '../../server/target.js';

/** @import { TlsFiles } from '../../server/target.js' */
/** @import { Target } from '../../server/types.js' */
/** @import { Job, Queue, QueueEvents, Worker } from 'bullmq' */

/** @typedef {Awaited<ReturnType<typeof openControlRedis>>} ControlRedis carries jobs between the commander and its agents */

const MOST_WAIT_MS = 500;

/**
 * @param {string} url @param {TlsFiles & {queueToken?: string}} access @param {string} origin the option that names it
 * @throws {UsageError | ServerError}
 */
export async function openControlRedis(url, { queueToken, ...files }, origin) {
  const named = parseUrl(url, origin);
  /** @type {Target} */
  const target = named.transport === 'tls' ? { ...named, tls: readTlsOptions(files) } : named;
  const control = await connectControl(target);
  let over = false;
  /** @type {(() => void)[]} */
  const endings = [];
  const { run_id: runId = null } = (await control.info())?.fields ?? {};
  return {
    target,
    runId,
    token: queueToken || null,
    /** It has no credentials. */
    label: labelOf(target),
    /** Nobody between can read secrets that travel through it. */
    isPrivate: isLoopback(target) || target.tls?.rejectUnauthorized === true,

    /** Milliseconds since 1970 by its clock. */
    time: () => control.ask(TIME, 'TIME'),

    command: control.command,

    async queueNames() {
      /** @type {Set<string>} */
      const names = new Set();
      for await (const keys of keysOf(control, `${CONTROL_PREFIX}:`))
        for (const key of keys) names.add(key.split(':')[1]);
      return [...names];
    },

    /** When a queue reconnects; null once it is closed. @param {number} times */
    retry: (times) => (over ? null : Math.min(times * 100, MOST_WAIT_MS)),

    /** @param {() => void} end */
    onClose: (end) => (over ? end() : void endings.push(end)),

    close() {
      over = true;
      for (const end of endings) end();
      control.close();
    },
  };
}

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
 * @template {Queue | QueueEvents | Worker} Any @param {Any} client @param {ControlRedis} control
 */
function attach(client, control) {
  const { close, lockManager, getBackend, on } = /** @type {any} */ (client);
  on.call(client, 'error', () => {});
  control.onClose(async () => {
    // It may wait for the control Redis, but it ends the loop of QueueEvents.
    close.call(client, true).catch(() => {});
    lockManager?.close();
    const { connection, blockingConnection } = getBackend.call(client);
    for (const each of [connection, blockingConnection])
      (await each?.client.catch(() => undefined))?.disconnect(false);
  });
  return client;
}

/** @type {(control: ControlRedis, name: string) => Promise<Queue>} */
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

/** A process lives as long as it renews its key, which expires after this long. */
export const LEASE_MS = 4000;
const RENEW_EVERY_MS = 1000;
const LOOK_EVERY_MS = 500;

/** @param {() => Promise<void>} look @param {number} everyMs @returns {() => void} ends it */
function repeat(look, everyMs) {
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    await look().catch(() => {});
    looking = false;
  }, everyMs);
  return () => clearInterval(timer);
}

/** @param {ControlRedis} control @param {string} key @param {string} value @returns {Promise<boolean>} false where it is held */
export const takeLease = async ({ command }, key, value) =>
  (await command('SET', key, value, 'NX', 'PX', `${LEASE_MS}`)) === 'OK';

/**
 * Shows that this process lives. @param {ControlRedis} control @param {string} key
 * @param {string} value nobody else's @param {(why: string) => void} onLost each time others must take it for dead
 * @returns {Promise<(() => Promise<void>) | null>} ends it; null where a living process holds that key
 */
export async function holdLease(control, key, value, onLost) {
  const { command, label } = control;
  const take = () => takeLease(control, key, value);
  const taken = await until(take, { everyMs: RENEW_EVERY_MS / 4, withinMs: LEASE_MS + RENEW_EVERY_MS });
  if (!taken) return null;
  let renewedAtMs = performance.now();
  const stop = repeat(async () => {
    const sentAtMs = performance.now();
    try {
      if ((await command('GET', key)) === value) await command('PEXPIRE', key, `${LEASE_MS}`);
      else {
        onLost(`it was not heard of at ${label} for ${LEASE_MS / 1000} s`);
        await take();
      }
      renewedAtMs = sentAtMs;
    } catch (error) {
      if (sentAtMs - renewedAtMs > LEASE_MS)
        onLost(`the control Redis at ${label} was lost: ${messageOf(error)}`);
    }
  }, RENEW_EVERY_MS);
  return async () => {
    stop();
    if ((await command('GET', key)) === value) await command('DEL', key);
  };
}

/**
 * Watches the lease of another process. @param {ControlRedis} control @param {string} key @param {string} value
 * @param {() => void} onEnd called once @returns {() => void} ends watching
 */
export function watchLease({ command }, key, value, onEnd) {
  const stop = repeat(async () => {
    if ((await command('GET', key)) === value) return;
    stop();
    onEnd();
  }, LOOK_EVERY_MS);
  return stop;
}

/** @typedef {Awaited<ReturnType<typeof createClock>>} Clock */

/** The shortest of so many was delayed least. */
const EXCHANGES = { first: 40, later: 10 };
/** Quartz clocks differ by a few ppm; NTP slews one by 500 ppm at most. */
const DRIFT = 50e-6;
const AGAIN_AFTER_MS = 5000;

/**
 * Compares two clocks: halfway through an exchange, give or take half of it, the other clock showed what it answered.
 * @param {() => Promise<number>} ask the other clock, in milliseconds @param {number} count
 * @param {() => number} [here] @returns {Promise<{offsetMs: number, errorMs: number}>} of the shortest exchange
 */
export async function compareClocks(ask, count, here = sharedClock) {
  let best = { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY };
  for (let done = 0; done < count; done++) {
    const sentMs = here();
    const thereMs = await ask();
    const errorMs = (here() - sentMs) / 2;
    if (errorMs < best.errorMs) best = { offsetMs: thereMs - (sentMs + errorMs), errorMs };
  }
  return best;
}

/** This machine's monotonic clock, set by that of the control Redis. @param {() => Promise<number>} ask */
export async function createClock(ask) {
  let known = await compareClocks(ask, EXCHANGES.first);
  let atMs = sharedClock();
  const errorMs = () => known.errorMs + (sharedClock() - atMs) * DRIFT;
  return {
    /** The time on the clock of the control Redis. */
    now: () => sharedClock() + known.offsetMs,
    offset: () => ({ offsetMs: known.offsetMs, errorMs: errorMs() }),

    /** Compares the clocks again, unless that was just done. */
    async refresh() {
      if (sharedClock() - atMs < AGAIN_AFTER_MS) return;
      const found = await compareClocks(ask, EXCHANGES.later);
      if (found.errorMs > errorMs()) return;
      known = found;
      atMs = sharedClock();
    },
  };
}
