import { EXIT, UsageError } from '../../errors.js';
import { count } from '../../numbers.js';
import { SERVER_OPTIONS } from '../../options/option-table.js';
import { readOptions, withEnvironment } from '../../options/read.js';
import { openServer } from '../../server/open.js';
import { isKeyPrefix } from '../../server/own-keys.js';
import { topologyOf } from '../../server/reach.js';
import { sweepLeftovers } from '../../server/stored-keys.js';
import { externalTarget, labelOf } from '../../server/target.js';
import { userStateFolder } from '../../store/result-store.js';
import { addOptions } from '../options.js';

/** @import { ReachSettings } from '../../options/types.js' */
/** @import { Swept } from '../../server/stored-keys.js' */
/** @import { BenchmarkHooks, BenchmarkOptions } from '../../commands/benchmark/types.js' */
/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const clean = {
  define: (command) =>
    void addOptions(command, SERVER_OPTIONS).option(
      '--prefix <prefix>',
      'remove these keys too, which another machine or user stored: rpb:1a2b',
    ),

  async run(given, { stdout, env }) {
    const { options, urlOrigin } = withEnvironment(given, env);
    const { server, swept, unknown } = await removeLeftovers(options, { urlOrigin });
    const lines = [
      ...swept.map(sweptText),
      ...unknown.map(
        ({ prefix, keys }) =>
          `${prefix}: ${count(keys, 'key')} of a benchmark that this machine does not remember; if it is no longer ` +
          `running, --prefix ${prefix} removes them`,
      ),
    ];
    stdout.lines(lines.length > 0 ? lines : [`no keys of this tool are left on ${server}`]);
    return swept.some(({ failure }) => failure !== null) ? EXIT.server : EXIT.done;
  },
};

/** @param {Swept} swept */
function sweptText({ prefix, at, inUse, removed, failure }) {
  if (inUse)
    return `${prefix}: left alone, because the benchmark that stores these keys may still be running`;
  if (failure !== null) return `${prefix}: the keys could not be removed: ${failure}`;
  return `${prefix}: removed ${count(removed, 'key')}${at === null ? '' : ` of a benchmark of ${at.slice(0, 16).replace('T', ' ')}`}`;
}

/**
 * Removes the keys of killed benchmarks that this user's state folder lists.
 * @param {Pick<BenchmarkOptions, keyof ReachSettings> & {prefix?: string}} [given] `prefix`: of keys to remove that it does not
 * list, such as `rpb:1a2b`
 * @param {Pick<BenchmarkHooks, 'urlOrigin' | 'stateFolder'>} [hooks]
 * @returns {Promise<{server: string, swept: Swept[], unknown: {prefix: string, keys: number}[]}>} `unknown`: keys of this
 * tool that the state folder does not list @throws {UsageError | ServerError}
 */
export async function removeLeftovers(
  { prefix, ...given } = {},
  { urlOrigin, stateFolder = userStateFolder() } = {},
) {
  const target = externalTarget(readOptions(SERVER_OPTIONS, given), urlOrigin);
  if (target === null) throw new UsageError('clean: expected the server to clean, by --url or --socket');
  if (prefix !== undefined && !isKeyPrefix(prefix))
    throw new UsageError(`--prefix: expected 'rpb:' and four characters, such as rpb:1a2b, got '${prefix}'`);
  const server = await openServer(target, { topology: await topologyOf(target) });
  try {
    const swept = stateFolder === null ? [] : await sweepLeftovers(server, stateFolder);
    if (prefix !== undefined && swept.every((each) => each.prefix !== prefix)) {
      const removed = (await server.removeKeys([prefix])).get(prefix) ?? 0;
      swept.push({ prefix, at: null, inUse: false, removed, failure: null });
    }
    const known = new Set(swept.map((each) => each.prefix));
    const found = [...(await server.findPrefixes())].map(([prefix, keys]) => ({ prefix, keys }));
    return { server: labelOf(target), swept, unknown: found.filter((each) => !known.has(each.prefix)) };
  } finally {
    await server.close();
  }
}
