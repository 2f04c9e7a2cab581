import { InterruptedError, messageOf, UsageError } from '../../errors.js';
import { run } from '../../process/spawn.js';

/** A list of releases takes a few hundred kilobytes. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
/** By default npm retries for over a minute before it reports that there is no network. */
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
const UNREACHABLE = /^(E(CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|AI_AGAIN|NETUNREACH|HOSTUNREACH)|E5\d\d)$/;

/**
 * Runs the user's own npm, with its registry, proxy and credentials.
 *
 * @param {string[]} args @param {AbortSignal} [signal] @returns {Promise<any>} what it printed, as JSON
 * @throws {NpmError | UsageError | InterruptedError}
 */
export async function npm(args, signal) {
  // npm has no use for the server's URL, which may hold a password.
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

/** npm's own error. */
export class NpmError extends Error {
  /** @param {string} message @param {string | null} code such as E404 */
  constructor(message, code) {
    super(message);
    /** Whether there is no such package or release, as far as the registry knows. */
    this.unknown = code === 'E404' || code === 'ETARGET';
    this.unreachable = code !== null && UNREACHABLE.test(code);
  }
}

/** @param {string} printed @returns {NpmError | null} */
function readError(printed) {
  try {
    const { code, summary } = JSON.parse(printed).error;
    return new NpmError(messageOf(new Error(summary || code)), code);
  } catch {
    return null;
  }
}

/**
 * The releases of a package in the registry.
 *
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<{versions: string[], tags: Record<string, string>}>}
 * @throws {NpmError | UsageError | InterruptedError}
 */
export async function published(name, signal) {
  const { versions, 'dist-tags': tags } = await npm(['view', name, 'versions', 'dist-tags'], signal);
  // npm prints a single release as a string instead of a list.
  return { versions: [versions].flat(), tags };
}
