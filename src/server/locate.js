import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, ServerError, UsageError } from '../errors.js';

/** Optional; it compiles Redis when it is installed. */
const MEMORY_SERVER = 'redis-memory-server';
const NAMES = ['redis-server', 'valkey-server'];

/**
 * Finds a server to start: the one named, else redis-server or valkey-server on PATH, else the
 * binary of the npm package redis-memory-server where that is installed.
 *
 * @param {object} [options]
 * @param {string} [options.serverBin] a path, from --server-bin
 * @param {NodeJS.ProcessEnv} [options.env]
 * @returns {Promise<string>} the path of an executable
 * @throws {UsageError} when the named one is no executable server
 * @throws {ServerError} when there is none anywhere
 */
export async function locateServer({ serverBin, env = process.env } = {}) {
  if (serverBin !== undefined) return checked(resolve(serverBin));
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  const path = found ?? (await fromMemoryServer());
  if (path) return path;
  throw new ServerError(
    `found no Redis server to start: neither ${NAMES.join(' nor ')} is on PATH. ${installHint()}, ` +
      'or name a running one with --url',
  );
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @param {string} path */
async function checked(path) {
  const complain = (/** @type {string} */ found) =>
    new UsageError(`--server-bin: expected the path of a redis-server, ${found}`);
  if (!existsSync(path)) throw complain(`but '${path}' does not exist`);
  if (!isExecutable(path)) throw complain(`but '${path}' is not executable`);
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 5000 }).catch((error) => {
    throw complain(`but '${path} --version' failed: ${messageOf(error)}`);
  });
  if (!/server/i.test(stdout)) throw complain(`but '${path} --version' printed '${stdout.split('\n')[0]}'`);
  return path;
}

/** @returns {Promise<string | undefined>} */
async function fromMemoryServer() {
  const require = createRequire(import.meta.url);
  try {
    const { default: binary } = require(`${MEMORY_SERVER}/lib/util/RedisBinary.js`);
    return await binary.getPath();
  } catch (error) {
    if (/** @type {any} */ (error).code === 'MODULE_NOT_FOUND') return undefined;
    throw new ServerError(`${MEMORY_SERVER} is installed but has no server: ${messageOf(error)}`);
  }
}

function installHint() {
  if (process.platform === 'darwin') return 'Install one with: brew install redis';
  if (existsSync('/etc/debian_version')) return 'Install one with: sudo apt-get install redis-server';
  if (existsSync('/etc/alpine-release')) return 'Install one with: sudo apk add redis';
  if (existsSync('/etc/fedora-release') || existsSync('/etc/redhat-release')) {
    return 'Install one with: sudo dnf install redis (or valkey)';
  }
  return 'Install redis-server or valkey-server, or the npm package redis-memory-server';
}
