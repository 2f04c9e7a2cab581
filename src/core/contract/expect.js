import { inspect, isDeepStrictEqual } from 'node:util';
import { messageOf } from '../errors.js';
import { until } from '../process/wait.js';

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

/** @param {string} what @param {unknown} condition */
export function expectThat(what, condition) {
  if (!condition) throw new Error(`expected ${what}`);
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
