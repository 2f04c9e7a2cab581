import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { messageOf, ServerError, tryOr, UsageError } from '../errors.js';
import { run } from '../process/spawn.js';
import { checkSettings } from './managed.js';
import { externalTargets, labelOf } from './target.js';

/** @import { Settings, Transport } from '../options/types.js' */
/** @import { OtherServer, TlsFiles } from './target.js' */
/** @import { Target } from './types.js' */

/**
 * `server` and `serverConfig` are null if there is only one; `binary` is null if found on PATH
 * @typedef {{server: string | null, serverConfig: string | null, external: Target | null, binary: string | null,
 *   settings: string[], transports: Transport[]}} ServerSource
 */

/** @type {ServerSource} */
const ONLY_ONE = {
  server: null,
  serverConfig: null,
  external: null,
  binary: null,
  settings: [],
  transports: ['tcp', 'unix', 'tls'],
};

/**
 * Neither starts nor contacts any server.
 * @param {Pick<Settings, 'url' | 'socket' | 'sentinel' | 'masterName' | 'server' | 'serverBin' | 'serverConfig'> &
 *   TlsFiles} settings
 * @param {string} [urlOrigin] where the URL came from
 * @param {OtherServer[]} [others] to which TLS options apply too
 * @returns {Promise<ServerSource[]>}
 */
export async function findSources(settings, urlOrigin, others) {
  const externals = externalTargets(settings, urlOrigin, others);
  if (externals.length > 0)
    return externals.length === 1 ? [external(externals[0].target)] : nameTargets(externals);
  const binaries = await binariesOf(settings);
  const configs = settings.serverConfig ?? [{ name: null, lines: [] }];
  for (const { lines } of configs) checkSettings(lines);
  return binaries.flatMap(({ name, path }) =>
    configs.map((config) => ({
      ...ONLY_ONE,
      server: binaries.length > 1 ? name : null,
      serverConfig: configs.length > 1 ? config.name : null,
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
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw sameName('--url', twice);
  return all.map(({ target }, index) => ({ ...external(target), server: names[index] }));
}

const NAMED = {
  '--url': 'name=redis://host:port',
  '--server': 'old=/opt/redis-7/bin/redis-server,new=/opt/redis-8/bin/redis-server',
};

/** @param {keyof typeof NAMED} flag @param {string} name */
const sameName = (flag, name) =>
  new UsageError(`${flag}: two servers have the name '${name}'; give each its own, as in ${NAMED[flag]}`);

/**
 * Without a path it is found later.
 * @param {Pick<Settings, 'server' | 'serverBin'>} settings
 * @returns {Promise<{name: string, path: string | null}[]>}
 */
async function binariesOf({ server, serverBin }) {
  if (server === undefined) {
    const path = serverBin === undefined ? null : (await identify(resolve(serverBin), '--server-bin')).path;
    return [{ name: '', path }];
  }
  /** @type {{name: string, path: string}[]} */
  const found = [];
  // One after the other, so that an invalid entry leaves none running.
  for (const entry of server) {
    // A path or a name on PATH, which may have a name of its own: `old=/opt/redis/redis-server`.
    const [, own, given] = /^(?:([\w.@-][\w.@ -]*)=)?(.+)$/s.exec(entry) ?? [];
    const inPath = given.includes('/') ? undefined : onPath(given, process.env);
    const { path, name } = await identify(inPath ?? resolve(given), '--server');
    if (found.some((other) => other.name === (own ?? name))) throw sameName('--server', own ?? name);
    found.push({ path, name: own ?? name });
  }
  return found;
}

const NAMES = ['redis-server', 'valkey-server'];

/**
 * Looks at --server-bin, then PATH.
 * @param {object} [options] @param {string} [options.serverBin] @param {NodeJS.ProcessEnv} [options.env]
 */
export async function locateServer({ serverBin, env = process.env } = {}) {
  if (serverBin !== undefined) return (await identify(resolve(serverBin), '--server-bin')).path;
  const path = NAMES.map((name) => onPath(name, env)).find((found) => found !== undefined);
  if (path) return path;
  throw new ServerError(
    `found no Redis server to start: neither ${NAMES.join(' nor ')} is on PATH. Install one (apt-get install ` +
      'redis-server, apk add redis, dnf install valkey, brew install redis), or name a running one with --url',
  );
}

/** @param {string} name @param {NodeJS.ProcessEnv} env */
const onPath = (name, env) =>
  (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isExecutable);

/** @param {string} path */
const isExecutable = (path) =>
  tryOr(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);

/** `name`: such as `redis 7.0.15`. @param {string} path @param {string} flag */
async function identify(path, flag) {
  const complain = (/** @type {string} */ found) =>
    new UsageError(`${flag}: expected the path of a redis-server, ${found}`);
  if (!existsSync(path)) throw complain(`but '${path}' does not exist`);
  if (!isExecutable(path)) throw complain(`but '${path}' is not executable`);
  const text = await run(path, ['--version'], { timeout: 5000 }).catch((error) => {
    throw complain(`but '${path} --version' failed: ${messageOf(error)}`);
  });
  if (!/server/i.test(text)) throw complain(`but '${path} --version' printed '${text.split('\n')[0]}'`);
  const [, software = basename(path)] = /^(\w+) server/i.exec(text) ?? [];
  const [, version] = /\bv=([\w.-]+)/.exec(text) ?? [];
  return { path, name: [software.toLowerCase(), version].filter(Boolean).join(' ') };
}
