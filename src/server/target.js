import { attempt, UsageError } from '../errors.js';
import { readTlsOptions, refuseTlsOptions } from './tls-options.js';

/** @import { Settings, Transport } from '../options/types.js' */
/** @import { TlsFiles } from './tls-options.js' */
/** @import { ManagedProcess, Target } from './types.js' */

const SCHEMES = new Map([
  ['redis:', 'tcp'],
  ['rediss:', 'tls'],
  ['valkey:', 'tcp'],
  ['valkeys:', 'tls'],
  ['unix:', 'unix'],
]);

/**
 * @param {string} text `redis://[[user]:password@]host[:port][/database]`, `rediss://…`, `valkey[s]://…` or `unix:///path`
 * @param {string} [origin] @throws {UsageError} never with the text: it may hold a password
 */
export function parseUrl(text, origin = '--url') {
  const example = 'redis://127.0.0.1:6379';
  const wrong = (/** @type {string} */ found) =>
    new UsageError(`${origin}: expected a URL such as ${example}, got ${found}`);
  if (!URL.canParse(text)) throw wrong(text.includes('@') ? 'something that is no URL' : `'${text}'`);
  const url = new URL(text);
  const transport = /** @type {Transport | undefined} */ (SCHEMES.get(url.protocol));
  if (!transport) throw wrong(`one that starts with '${url.protocol}'`);
  if (!canDecode(url)) throw wrong("one with a '%' that is not written as '%25'");
  if (transport === 'unix') return socketTarget(decodeURIComponent(url.pathname));
  if (!url.hostname) throw wrong('one without a host');
  return {
    transport,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || 6379),
    ...credentialsOf(url),
    database: databaseOf(url, origin),
  };
}

/**
 * @param {{url?: string, socket?: string, sentinel?: string, masterName?: string, agents?: Settings['agents']} &
 *   TlsFiles} options several URLs: `a=redis://…,b=redis://…`
 * @param {string} [origin] @returns {{name: string | null, target: Target}[]}
 */
export function externalTargets({ url, socket, sentinel, masterName, agents, ...files }, origin) {
  const named =
    sentinel !== undefined
      ? [{ name: null, target: watchedTarget(sentinel, String(masterName)) }]
      : socket === undefined
        ? (url?.split(NEXT_URL) ?? []).map((each) => readNamed(each, origin))
        : [{ name: null, target: socketTarget(socket) }];
  // TLS options also apply to a control Redis.
  const byTls =
    named.some(({ target }) => target.transport === 'tls') || /^(rediss|valkeys):/.test(`${agents}`);
  if (!byTls) refuseTlsOptions(files);
  return named.map(({ name, target }) => ({
    name,
    target: target.transport === 'tls' ? { ...target, tls: readTlsOptions(files) } : target,
  }));
}

/**
 * @param {string} text `host:port,…` or `redis[s]://user:password@host:port,…`
 * @param {string} master its name, or `redis://user:password@name/database`
 */
function watchedTarget(text, master) {
  const [, scheme, credentials = '', places = ''] = /^(\w+:\/\/)?(.*@)?(.*)$/s.exec(text) ?? [];
  if (credentials !== '' && scheme === undefined)
    throw new UsageError('--sentinel: expected redis:// or rediss:// where there is a user or a password');
  const sentinels = places.split(',').map((place) => {
    const withPort = /:\d+$/.test(place.trim()) ? place.trim() : `${place.trim()}:${SENTINEL_PORT}`;
    return parseUrl(`${scheme ?? 'redis://'}${credentials}${withPort}`, '--sentinel');
  });
  const [{ transport, host, port, username, password }] = sentinels;
  const { host: masterName, ...server } = master.includes('://')
    ? parseUrl(master, '--master-name')
    : { host: master, transport };
  const byTls = [transport, server.transport].includes('tls');
  const own = { sentinelUsername: username, sentinelPassword: password };
  return {
    ...sentinelTarget(
      { ...server, host, port, transport: byTls ? 'tls' : 'tcp' },
      sentinels,
      String(masterName),
    ),
    ...own,
  };
}

/** Redis's default. */
const SENTINEL_PORT = 26_379;

/** A comma before another URL; passwords may hold commas. */
const NEXT_URL = /,\s*(?=(?:[\w.@-][\w.@ -]*=)?(?:rediss?|unix):\/\/)/;

/** @param {string} text `redis://…` or `near=redis://…` @param {string} [origin] */
function readNamed(text, origin) {
  const [, name = null, url] = /^(?:([\w.@-][\w.@ -]*)=(?=\w+:))?(.*)$/s.exec(text) ?? [];
  return { name, target: parseUrl(url, origin) };
}

/** @param {Parameters<typeof externalTargets>[0]} options @param {string} [origin] @returns {Target | null} */
export function externalTarget(options, origin = '--url') {
  const found = externalTargets(options, origin);
  if (found.length > 1) throw new UsageError(`${origin}: expected one server here, got ${found.length}`);
  return found[0]?.target ?? null;
}

/** @param {string} path @returns {Target} */
const socketTarget = (path) => ({ transport: 'unix', path });

/** @param {URL} url */
const canDecode = ({ username, password, pathname }) =>
  attempt(() => [username, password, pathname].map(decodeURIComponent).length > 0, false);

/** @param {URL} url */
const credentialsOf = ({ username, password }) => ({
  username: decodeURIComponent(username) || undefined,
  password: decodeURIComponent(password) || undefined,
});

/** @param {URL} url @param {string} origin */
function databaseOf({ pathname }, origin) {
  const text = pathname.slice(1);
  if (text === '') return undefined;
  if (!/^\d+$/.test(text)) {
    // After an unescaped '/' in a password, this is the rest of the password.
    const found = text.includes('@') ? 'something else' : `'${text}'`;
    throw new UsageError(`${origin}: expected a database number after the host and its '/', got ${found}`);
  }
  return Number(text);
}

/** @param {Target[]} masters differ in host and port only @returns {Target} */
export const clusterTarget = (masters) => ({
  ...masters[0],
  topology: 'cluster',
  nodes: masters.map(nodeAddress),
});

/**
 * @param {Target} primary @param {Pick<Target, 'host' | 'port'>[]} sentinels @param {string} masterName
 * @returns {Target}
 */
export const sentinelTarget = (primary, sentinels, masterName) => ({
  ...primary,
  topology: 'sentinel',
  nodes: [nodeAddress(primary)],
  sentinels: sentinels.map(nodeAddress),
  masterName,
});

/** @param {Target} target @param {Target[]} replicas @returns {Target} */
export const withReplicas = (target, replicas) => ({ ...target, replicas: replicas.map(nodeAddress) });

/** @param {Pick<ManagedProcess, 'targets'>} process */
export const placeOf = ({ targets: { tcp, tls } }) => nodeAddress(tls ?? tcp);

/** @param {Pick<Target, 'host' | 'port'>} target */
export const nodeAddress = ({ host, port }) => ({ host: `${host}`, port: Number(port) });

/** @param {Target} target @returns {string} never credentials */
export const labelOf = ({ transport, host, port, path }) =>
  transport === 'unix' ? `${path}` : host?.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** @param {Target} target @returns {boolean} whether it is certainly on this machine */
export const isLoopback = ({ transport, host }) =>
  transport === 'unix' || host === 'localhost' || host === '::1' || /^127\./.test(host ?? '');
