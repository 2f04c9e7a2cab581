import { UsageError } from '../errors.js';
import { identifyServer, locateNamed } from './locate.js';
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
