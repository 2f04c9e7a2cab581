import { inspect, isDeepStrictEqual } from 'node:util';
import { messageOf } from '../errors.js';
import { CommandBatch } from '../plugins/shared/connections.js';
import { until } from '../process/wait.js';

/** @import { Connection } from '../plugins/types.js' */

/**
 * @typedef {Record<string, () => unknown>} ContractChecks by what must be true; they throw, or reject, where it is not
 * @typedef {(...command: string[]) => Promise<any>} Query asks the server directly, as redis-cli would
 */

/** @param {unknown} value */
export const shown = (value) =>
  inspect(value, { breakLength: Number.POSITIVE_INFINITY, maxStringLength: 60 });

/** @param {string} what @param {unknown} found @param {unknown} expected */
export function expectEqual(what, found, expected) {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: expected ${shown(expected)}, got ${shown(found)}`);
}

/** @param {string} what @param {() => unknown} act throws, or rejects @param {RegExp} message */
export async function expectError(what, act, message) {
  let error;
  try {
    await act();
  } catch (caught) {
    error = caught;
  }
  if (error === undefined) throw new Error(`${what}: expected an error, and there was none`);
  if (!message.test(messageOf(error))) {
    throw new Error(`${what}: expected an error like ${message}, got '${messageOf(error)}'`);
  }
}

/** @param {string} what @param {string[]} found */
export function expectNone(what, found) {
  if (found.length > 0) throw new Error(`${what}: expected none, got ${[...new Set(found)].join(', ')}`);
}

/** @template T @param {string} what @param {() => Promise<T>} read within three seconds @param {T} expected */
export async function expectSoon(what, read, expected) {
  await until(async () => isDeepStrictEqual(await read(), expected), { everyMs: 5, withinMs: 3000 });
  expectEqual(what, await read(), expected);
}

/** It goes to other processes. @param {unknown} parameter of a plugin */
export const parameterChecks = (parameter = null) => ({
  'means something that survives the way to a worker': () =>
    expectEqual('as JSON', JSON.parse(JSON.stringify(parameter)), parameter),
});

/** @param {string} what @param {unknown} condition */
export function expectThat(what, condition) {
  if (!condition) throw new Error(`expected ${what}`);
}

export const MEMBERS = /** @type {(keyof Connection)[]} */ (
  'get set hset exists del ping command pipeline transaction close destroy'.split(' ')
);
const SENDING = MEMBERS.slice(0, -2);

/** @param {Connection} connection @param {(send: () => Promise<any>) => Promise<any>} around @returns {Connection} */
function intercepted(connection, around) {
  /** @type {any} */
  const other = Object.create(connection);
  for (const name of SENDING) {
    other[name] = (/** @type {any[]} */ ...args) =>
      around(() => Promise.resolve(/** @type {any} */ (connection)[name](...args)));
  }
  return Object.assign(other, { batch: () => new CommandBatch(other) });
}

/**
 * Counts what has no reply yet. Of the replies that have come, the latest is given out first: otherwise the first would
 * always be there before the last, whether it is awaited or not.
 * @param {Connection} connection @returns {{connection: Connection, pending: () => number}}
 */
export function watchPending(connection) {
  /** @type {(() => void)[]} */
  const come = [];
  let pending = 0;
  const giveOut = () => {
    if (come.length === pending) come.pop()?.();
  };
  const watched = intercepted(connection, async (send) => {
    pending++;
    const reply = send();
    await reply.catch(() => {});
    await new Promise((resolve) => {
      come.push(() => resolve(undefined));
      setImmediate(giveOut);
    });
    pending--;
    setImmediate(giveOut);
    return reply;
  });
  return { connection: watched, pending: () => pending };
}

export const LOST = 'the connection was lost';

/** @param {Connection} connection @returns {Connection} one that rejects whatever is sent */
export const losing = (connection) => intercepted(connection, () => Promise.reject(new Error(LOST)));

/** @param {Record<string, any>} options @returns {{options: Record<string, any>, unread: () => string[]}} */
export function watchReads(options) {
  const unread = new Set(Object.keys(options));
  const watched = new Proxy(options, {
    get(target, name) {
      unread.delete(String(name));
      return Reflect.get(target, name);
    },
  });
  return { options: watched, unread: () => [...unread] };
}

export function watchProcess() {
  /** @type {string[]} */
  const listeners = [];
  /** @type {string[]} */
  const unhandled = [];
  const onWarning = (/** @type {Error} */ { name, message }) => {
    if (name === 'MaxListenersExceededWarning') listeners.push(message);
  };
  const onRejection = (/** @type {any} */ error) => void unhandled.push(String(error?.message ?? error));
  process.on('warning', onWarning);
  process.on('unhandledRejection', onRejection);
  return {
    listeners: () => [...listeners],
    unhandled: () => [...unhandled],
    stop() {
      process.off('warning', onWarning);
      process.off('unhandledRejection', onRejection);
    },
  };
}

/** @param {Query} query @returns {Promise<Record<string, number>>} calls by command, subcommands with their commands */
export async function callsOf(query) {
  /** @type {Record<string, number>} */
  const counts = {};
  const stats = String(await query('INFO', 'commandstats'));
  for (const [, name, calls] of stats.matchAll(/^cmdstat_([^:|]+)(?:\|[^:]*)?:calls=(\d+)/gm)) {
    counts[name] = (counts[name] ?? 0) + Number(calls);
  }
  return counts;
}
