import { UsageError } from '../core/errors.js';
import { openServer } from '../core/server/open.js';
import { isKeyPrefix } from '../core/server/own-keys.js';
import { topologyOf } from '../core/server/reach.js';
import { sweepLeftovers } from '../core/server/stored-keys.js';
import { externalTarget, labelOf } from '../core/server/target.js';
import { userStateFolder } from '../core/store/result-store.js';
import { SERVER_OPTIONS } from '../options/option-table.js';
import { readOptions } from '../options/read.js';

/** @import { ReachSettings } from '../options/types.js' */
/** @import { Server } from '../core/server/types.js' */
/** @import { Swept } from '../core/server/types.js' */
/** @import { BenchmarkHooks, BenchmarkOptions } from '../benchmark/types.js' */

/**
 * Removes the keys of killed benchmarks that this user's state folder lists.
 * @param {Pick<BenchmarkOptions, keyof ReachSettings> & {prefix?: string}} [given] `prefix`: of keys to remove that it does not
 * list, such as `rpb:1a2b`
 * @param {Pick<BenchmarkHooks, 'urlOrigin' | 'stateFolder'>} [hooks]
 * @returns {Promise<{server: string, swept: Swept[], unknown: {prefix: string, keys: number}[]}>} `unknown`: keys of this
 * tool that the state folder does not list @throws {UsageError | ServerError}
 */
export async function clean({ prefix, ...given } = {}, { urlOrigin, stateFolder = userStateFolder() } = {}) {
  const target = externalTarget(readOptions(SERVER_OPTIONS, given), urlOrigin);
  if (target === null) throw new UsageError('clean: expected the server to clean, by --url or --socket');
  if (prefix !== undefined && !isKeyPrefix(prefix)) {
    throw new UsageError(`--prefix: expected 'rpb:' and four characters, such as rpb:1a2b, got '${prefix}'`);
  }
  const server = await openServer(target, { topology: await topologyOf(target) });
  try {
    const swept = stateFolder === null ? [] : await sweepLeftovers(server, stateFolder);
    if (prefix !== undefined) swept.push(...(await sweepPrefix(server, prefix, swept)));
    const known = new Set(swept.map((each) => each.prefix));
    const found = [...(await server.findPrefixes())].map(([prefix, keys]) => ({ prefix, keys }));
    return { server: labelOf(target), swept, unknown: found.filter((each) => !known.has(each.prefix)) };
  } finally {
    await server.close();
  }
}

/** @param {Server} server @param {string} prefix @param {Swept[]} swept so far @returns {Promise<Swept[]>} */
async function sweepPrefix(server, prefix, swept) {
  if (swept.some((each) => each.prefix === prefix)) return [];
  const removed = (await server.removeKeys([prefix])).get(prefix) ?? 0;
  return [{ prefix, at: null, inUse: false, removed, failure: null }];
}
