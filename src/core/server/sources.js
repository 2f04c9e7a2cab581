import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, join, resolve } from 'node:path';
import { attempt, messageOf, ServerError, UsageError } from '../errors.js';
import { run } from '../process/spawn.js';
import { checkSettings } from './managed.js';
import { externalTargets, labelOf } from './target.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { TlsFiles } from './target.js' */
/** @import { ServerSource, Target } from './types.js' */

/** @type {ServerSource} */
const ONLY_ONE = {
  server: null,
  serverConfig: null,
  serverCopy: 1,
  external: null,
  binary: null,
  settings: [],
  transports: ['tcp', 'unix', 'tls'],
};

/**
 * Neither starts nor contacts any server.
 * @param {Pick<Settings, 'url' | 'socket' | 'sentinel' | 'masterName' | 'agents' | 'server' | 'serverBin' |
 *   'serverConfig'> & TlsFiles} settings
 * @param {string} [urlOrigin] where the URL came from @returns {Promise<ServerSource[]>}
 */
export async function findSources(settings, urlOrigin) {
  const externals = externalTargets(settings, urlOrigin);
  if (externals.length > 0)
    return externals.length === 1 ? [external(externals[0].target)] : nameTargets(externals);
  const binaries = await binariesOf(settings);
  const configs = settings.serverConfig ?? [{ name: null, lines: [] }];
  for (const { lines } of configs) checkSettings(lines);
  return binaries.flatMap(({ name, copy, path }) =>
    configs.map((config) => ({
      ...ONLY_ONE,
      server: binaries.length > 1 ? name : null,
      serverConfig: configs.length > 1 ? config.name : null,
      serverCopy: copy,
      binary: path,
      settings: config.lines,
    })),
  );
}

/** @param {Target} target @returns {ServerSource} */
const external = (target) => ({ ...ONLY_ONE, external: target, transports: [target.transport] });

/** Default names: host, or host:port if hosts repeat. @param {{name: string | null, target: Target}[]} all */
function nameTargets(all) {
  const hostOf = (/** @type {Target} */ { host, path }) => host ?? String(path);
  const hosts = all.map(({ target }) => hostOf(target));
  const names = all.map(({ name, target }) => {
    const host = hostOf(target);
    return name ?? (hosts.filter((each) => each === host).length > 1 ? labelOf(target) : host);
  });
  checkNames('--url', names, 'name=redis://host:port');
  return all.map(({ target }, index) => ({ ...external(target), server: names[index] }));
}

/** @param {string} flag @param {string[]} names @param {string} form example for the message */
function checkNames(flag, names, form) {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new UsageError(`${flag}: two servers have the name '${twice}'; give each its own, as in ${form}`);
}

/** @typedef {{name: string, copy: number, path: string | null}} Binary `copy` starts at 1; null path: found later */

/** @param {Pick<Settings, 'server' | 'serverBin'>} settings @returns {Promise<Binary[]>} */
async function binariesOf({ server, serverBin }) {
  if (server === undefined) {
    const path = serverBin === undefined ? null : await locateNamed(serverBin, '--server-bin');
    return [{ name: '', copy: 1, path }];
  }
  /** @type {Awaited<ReturnType<typeof readBinary>>[]} */
  const found = [];
  // One after the other, so that an invalid entry leaves none running.
  for (const entry of server) found.push(await readBinary(entry));
  const named = [...new Map(found.map((each) => [`${each.name}\0${each.path}`, each])).values()];
  checkNames(
    '--server',
    named.map(({ name }) => name),
    'old=/opt/redis-7/bin/redis-server,new=/opt/redis-8/bin/redis-server',
  );
  return found.map(({ name, path, own }, index) => {
    const before = found.slice(0, index).filter((other) => other.name === name).length;
    if (own && before > 0) checkNames('--server', [name, name], 'a=redis-server,b=redis-server');
    return { name, copy: before + 1, path };
  });
}

/** @param {string} entry path or name on PATH, optionally named: `old=/opt/redis/redis-server` */
async function readBinary(entry) {
  const [, own, given] = /^(?:([\w.@-][\w.@ -]*)=)?(.+)$/s.exec(entry) ?? [];
  const path = await locateNamed(given, '--server');
  return { name: own ?? (await identifyServer(path)), path, own: own !== undefined };
}

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
const locateNamed = (given, flag) =>
  checked(
    (flag === '--server' && !given.includes('/') && onPath(given, process.env)) || resolve(given),
    flag,
  );

/** @param {string} path @returns {Promise<string>} such as `redis 7.0.15` */
async function identifyServer(path) {
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
