import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, join, resolve } from 'node:path';
import { attempt, messageOf, ServerError, UsageError } from '../errors.js';
import { run } from '../process/spawn.js';

/** Optional; compiles Redis at installation. */
const MEMORY_SERVER = 'redis-memory-server';
const NAMES = ['redis-server', 'valkey-server'];

/**
 * Looks at --server-bin, then PATH, then redis-memory-server.
 * @param {object} [options] @param {string} [options.serverBin] @param {NodeJS.ProcessEnv} [options.env]
 */
export async function locateServer({ serverBin, env = process.env } = {}) {
  if (serverBin !== undefined) return checked(resolve(serverBin), '--server-bin');
  const found = NAMES.map((name) => onPath(name, env)).find((path) => path !== undefined);
  const path = found ?? (await fromMemoryServer());
  if (path) return path;
  throw new ServerError(
    `found no Redis server to start: neither ${NAMES.join(' nor ')} is on PATH. ${installHint()}, ` +
      'or name a running one with --url',
  );
}

/** @param {string} given @param {string} flag */
export const locateNamed = (given, flag) =>
  checked(
    (flag === '--server' && !given.includes('/') && onPath(given, process.env)) || resolve(given),
    flag,
  );

/** @param {string} path @returns {Promise<string>} such as `redis 7.0.15` */
export async function identifyServer(path) {
  const text = await versionOf(path);
  const [, software = basename(path)] = /^(\w+) server/i.exec(text) ?? [];
  const [, version] = /\bv=([\w.-]+)/.exec(text) ?? [];
  return [software.toLowerCase(), version].filter(Boolean).join(' ');
}

/** @param {string} name @param {NodeJS.ProcessEnv} env */
const onPath = (name, env) =>
  (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isExecutable);

/** @param {string} path */
const versionOf = (path) => run(path, ['--version'], { timeout: 5000 });

/** @param {string} path */
const isExecutable = (path) =>
  attempt(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);

/** @param {string} path @param {string} flag */
async function checked(path, flag) {
  const complain = (/** @type {string} */ found) =>
    new UsageError(`${flag}: expected the path of a redis-server, ${found}`);
  if (!existsSync(path)) throw complain(`but '${path}' does not exist`);
  if (!isExecutable(path)) throw complain(`but '${path}' is not executable`);
  const text = await versionOf(path).catch((error) => {
    throw complain(`but '${path} --version' failed: ${messageOf(error)}`);
  });
  if (!/server/i.test(text)) throw complain(`but '${path} --version' printed '${text.split('\n')[0]}'`);
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
