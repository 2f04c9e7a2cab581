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

/** It goes to other processes. @param {unknown} parameter of a plugin */
export const parameterChecks = (parameter = null) => ({
  'means something that survives the way to a worker': () =>
    expectEqual('as JSON', JSON.parse(JSON.stringify(parameter)), parameter),
});

/** @param {string} what @param {unknown} condition */
export function expectThat(what, condition) {
  if (!condition) throw new Error(`expected ${what}`);
}
