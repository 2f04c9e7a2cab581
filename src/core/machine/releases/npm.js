import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, InterruptedError, messageOf, UsageError } from '../../errors.js';
import { run } from '../../process/spawn.js';
import { folderOf, prepareCache, siblingOf } from './cached-releases.js';
import { entryOf } from './entry.js';

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
