import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { attempt, messageOf, UsageError } from '../../errors.js';

/** @import { CachedRelease } from '../types.js' */

/** https://specifications.freedesktop.org/basedir-spec @param {NodeJS.ProcessEnv} [env] */
export const cacheFolder = (env = process.env) =>
  join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'redis-pipe-bench', 'clients');

/** @param {string} cache @throws {UsageError} if the cache is not writable */
export async function prepareCache(cache) {
  try {
    await mkdir(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `other releases of a client are kept in '${cache}', which cannot be written (${messageOf(error)}); ` +
        'make it writable, or set XDG_CACHE_HOME to another folder',
    );
  }
}

/** A scoped package has a slash in its name. */
const toFolderName = (/** @type {string} */ release) => release.replace('/', '+');
const toRelease = (/** @type {string} */ folderName) => folderName.replace('+', '/');

/** @param {string} cache @param {string} release such as `redis@5.8.3` */
export const folderOf = (cache, release) => join(cache, toFolderName(release));

/** @param {string} folder @returns {string} a temporary folder next to it, which `listCache` skips */
export const siblingOf = (folder) =>
  join(dirname(folder), `.${process.pid}-${Date.now()}-${folder.slice(dirname(folder).length + 1)}`);

/** The releases that were installed for measurements. @returns {Promise<{folder: string, releases: CachedRelease[]}>} */
export async function cachedReleases() {
  const folder = cacheFolder();
  return { folder, releases: listCache(folder) };
}

/** Removes them. @returns {ReturnType<typeof cachedReleases>} @throws {UsageError} */
export async function clearReleases() {
  const cached = await cachedReleases();
  try {
    await rm(cached.folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw new UsageError(`'${cached.folder}' could not be removed: ${messageOf(error)}`);
  }
  return cached;
}

/** @param {string} cache @returns {CachedRelease[]} sorted by name */
export function listCache(cache) {
  if (!isFolder(cache)) return [];
  return readdirSync(cache)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => ({ release: toRelease(name), bytes: sizeOf(join(cache, name)) }));
}

/** @param {string} path */
const isFolder = (path) => attempt(() => statSync(path).isDirectory(), false);

/** @param {string} folder @param {(file: string) => boolean} [isOwn] @returns {number} bytes */
export const sizeOf = (folder, isOwn = () => true) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(isOwn)
    .reduce((sum, file) => sum + statSync(file).size, 0);
