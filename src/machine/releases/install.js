import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../errors.js';
import { folderOf, prepareCache, siblingOf } from './cached-releases.js';
import { entryOf } from './manifest.js';
import { npm } from './npm.js';

/** @import { NpmError } from './npm.js' */

/**
 * Installs a release into its own folder, unless it is there. Several invocations may do so at once: each
 * installs into a temporary folder beside it and moves that into place.
 *
 * @param {object} wanted
 * @param {string} wanted.name of the package
 * @param {string} wanted.release its name in the cache: `redis@5.8.3`
 * @param {string} wanted.spec what npm installs: the same, or a tarball's path
 * @param {object} context
 * @param {string} context.cache
 * @param {AbortSignal} [context.signal]
 * @param {(release: string, cache: string) => void} [context.onInstall] told before npm is started
 * @returns {Promise<{folder: string, entry: string}>} of the package
 * @throws {NpmError | Error} when it cannot be installed or loaded
 */
export async function install({ name, release, spec }, { cache, signal, onInstall }) {
  const place = folderOf(cache, release);
  const folder = join(place, 'node_modules', name);
  const found = await entryOf(folder, signal).catch(() => null);
  // A damaged installation cannot be loaded and is replaced.
  if (found !== null) return { folder, entry: found };
  await prepareCache(cache);
  onInstall?.(release, cache);
  const unfinished = siblingOf(place);
  try {
    await npm(installArgs(unfinished, spec), signal);
    await entryOf(join(unfinished, 'node_modules', name), signal);
    await moveInto(place, unfinished, () => entryOf(folder, signal));
  } finally {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 3 });
  }
  return { folder, entry: await entryOf(folder, signal) };
}

/** Install scripts are not run: the packages are only measured. */
const installArgs = (/** @type {string} */ folder, /** @type {string} */ spec) => [
  'install',
  '--prefix',
  folder,
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-save',
  '--no-package-lock',
  '--',
  spec,
];

/**
 * @param {string} place
 * @param {string} ready the folder to move there
 * @param {() => Promise<unknown>} check rejects when what is already there cannot be used
 */
async function moveInto(place, ready, check) {
  try {
    await rename(ready, place);
  } catch (error) {
    if (!/EEXIST|ENOTEMPTY/.test(messageOf(error))) throw error;
    await check().catch(async () => {
      await rm(place, { recursive: true, force: true, maxRetries: 3 });
      await rename(ready, place);
    });
  }
}
