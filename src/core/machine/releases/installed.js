import { accessSync, constants, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { attempt, InterruptedError, messageOf, UsageError } from '../../errors.js';
import { readManifest } from '../../packages.js';
import { run } from '../../process/spawn.js';

/** https://specifications.freedesktop.org/basedir-spec @param {NodeJS.ProcessEnv} [env] */
export const cacheFolder = (env = process.env) =>
  join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'redis-pipe-bench', 'clients');

/** @param {string} cache @throws {UsageError} if the cache is not writable */
async function prepareCache(cache) {
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

/** @param {string} cache @param {string} release such as `redis@5.8.3` */
const folderOf = (cache, release) => join(cache, toFolderName(release));

/** @param {string} folder @returns {string} a temporary folder next to it, which `listCache` skips */
const siblingOf = (folder) =>
  join(dirname(folder), `.${process.pid}-${Date.now()}-${folder.slice(dirname(folder).length + 1)}`);

/** @param {string} cache @returns {string[]} the releases that it has */
export const listCache = (cache) =>
  attempt(() => readdirSync(cache), [])
    .filter((name) => !name.startsWith('.'))
    .map((name) => name.replace('+', '/'));

/** Imports a package by folder or name and prints the URL of its main file. */
const IMPORT = `
  const [from, what] = process.argv.slice(1);
  const { href } = require('node:url').pathToFileURL(require('node:module').createRequire(from).resolve(what));
  import(href).then(() => require('node:fs').writeSync(1, href));
`;

/** Own process, because Node caches modules and failed lookups. @param {string} folder @param {AbortSignal} [signal] */
export async function entryOf(folder, signal) {
  const manifest = readManifest(folder);
  if (manifest === null) throw new Error(`no package.json in '${folder}'`);
  const from = join(folder, 'package.json');
  try {
    const args = ['-e', IMPORT, from, manifest.exports ? manifest.name : folder];
    return await run(process.execPath, args, { signal });
  } catch (error) {
    const { stderr = '' } = /** @type {any} */ (error);
    throw new Error(/^\w*Error.*: (.*)/m.exec(stderr)?.[1] ?? messageOf(error));
  }
}

/** A list of releases takes a few hundred kilobytes. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
/** By default npm retries for over a minute before it reports that the network is down. */
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
const UNREACHABLE = /^(E(CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|AI_AGAIN|NETUNREACH|HOSTUNREACH)|E5\d\d)$/;

/** Uses the user's npm settings. @param {string[]} args @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function npm(args, signal) {
  // npm does not need the server's URL, which may hold a password.
  const env = { ...process.env, REDIS_URL: undefined };
  try {
    const options = { env, signal, maxBuffer: LONGEST_ANSWER };
    return JSON.parse(await run('npm', ['--json', ...PATIENCE, ...args], options));
  } catch (error) {
    if (signal?.aborted) throw new InterruptedError('interrupted while npm was running');
    const { code, stdout } = /** @type {any} */ (error);
    if (code === 'ENOENT') {
      throw new UsageError('other releases of a client are installed with npm, which is not on PATH');
    }
    throw readError(stdout) ?? new NpmError(`npm ${args[0]} failed: ${messageOf(error)}`, null);
  }
}

export class NpmError extends Error {
  /** @param {string} message @param {string | null} code such as E404 */
  constructor(message, code) {
    super(message);
    this.unknown = code === 'E404' || code === 'ETARGET';
    this.unreachable = code !== null && UNREACHABLE.test(code);
  }
}

/** @param {string} printed @returns {NpmError | null} */
const readError = (printed) =>
  attempt(() => {
    const { code, summary } = JSON.parse(printed).error;
    return new NpmError(messageOf(new Error(summary || code)), code);
  }, null);

/** @param {string} name @param {AbortSignal} [signal] @throws {NpmError | UsageError | InterruptedError} */
export async function published(name, signal) {
  const { versions, 'dist-tags': tags } = await npm(['view', name, 'versions', 'dist-tags'], signal);
  // npm prints a single release as a string instead of a list.
  return { versions: [versions].flat(), tags };
}

/**
 * Installs into a temporary folder and renames it, because several invocations may run at once.
 * @param {object} wanted @param {string} wanted.name @param {string} wanted.release
 * @param {string} wanted.spec release or tarball for npm @param {object} context @param {string} context.cache
 * @param {AbortSignal} [context.signal] @param {(release: string, cache: string) => void} [context.onInstall]
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
    await npm(['install', '--prefix', unfinished, ...INSTALL, '--', spec], signal);
    await entryOf(join(unfinished, 'node_modules', name), signal);
    await moveInto(place, unfinished, () => entryOf(folder, signal));
  } finally {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 3 });
  }
  return { folder, entry: await entryOf(folder, signal) };
}

/** The packages are only measured, so install scripts do not run. */
const INSTALL = '--ignore-scripts --no-audit --no-fund --no-save --no-package-lock'.split(' ');

/** @param {string} place @param {string} ready @param {() => Promise<unknown>} check */
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
