import { attempt, UsageError } from '../errors.js';
import { readTlsOptions, refuseTlsOptions } from './tls-options.js';

/** @import { Settings, Transport } from '../options/types.js' */
/** @import { TlsFiles } from './tls-options.js' */
/** @import { ManagedProcess, NodeAddress, Target } from './types.js' */

const SCHEMES = new Map([
  ['redis:', 'tcp'],
  ['rediss:', 'tls'],
  ['unix:', 'unix'],
]);

/**
 * Reads the address of an external server.
 * @param {string} text `redis://[[user]:password@]host[:port][/database]`, `rediss://…` or `unix:///path`
 * @param {string} [origin] where the text came from, for the error message
 * @throws {UsageError} when it is no such URL; the message never holds the text, which may hold a password
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
 * The external servers given in the options.
 * @param {{url?: string, socket?: string, sentinel?: string, masterName?: string, agents?: Settings['agents']} &
 *   TlsFiles} options `url` may be several: `a=redis://…,b=redis://…`
 * @param {string} [origin] where the URL came from
 * @returns {{name: string | null, target: Target}[]} none where none is given: then managed ones are started
 * @throws {UsageError}
 */
export function externalTargets({ url, socket, sentinel, masterName, agents, ...files }, origin) {
  const named =
    sentinel !== undefined
      ? [{ name: null, target: watchedTarget(sentinel, String(masterName)) }]
      : socket === undefined
        ? (url?.split(NEXT_URL) ?? []).map((each) => readNamed(each, origin))
        : [{ name: null, target: socketTarget(socket) }];
  // They hold for a control Redis as well.
  const byTls = named.some(({ target }) => target.transport === 'tls') || `${agents}`.startsWith('rediss:');
  if (!byTls) refuseTlsOptions(files);
  return named.map(({ name, target }) => ({
    name,
    target: target.transport === 'tls' ? { ...target, tls: readTlsOptions(files) } : target,
  }));
}

/**
 * @param {string} text `host:port,…`, with a user or a password `redis://user:password@host:port,…`, or `rediss://…`
 * @param {string} master its name, or `redis://user:password@name/database` @returns {Target} where either says TLS, both use it
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

/** The one that Redis suggests. */
const SENTINEL_PORT = 26_379;

/** A comma before another URL; a password may hold others. */
const NEXT_URL = /,\s*(?=(?:[\w.@-][\w.@ -]*=)?(?:rediss?|unix):\/\/)/;

/** @param {string} text `redis://…`, or with a name before it: `near=redis://…` @param {string} [origin] */
function readNamed(text, origin) {
  const [, name = null, url] = /^(?:([\w.@-][\w.@ -]*)=(?=\w+:))?(.*)$/s.exec(text) ?? [];
  return { name, target: parseUrl(url, origin) };
}

/**
 * The external server given in the options, where there can be one only.
 * @param {Parameters<typeof externalTargets>[0]} options @param {string} [origin] where the URL came from
 * @returns {Target | null} null when none is given @throws {UsageError}
 */
export function externalTarget(options, origin = '--url') {
  const found = externalTargets(options, origin);
  if (found.length > 1) throw new UsageError(`${origin}: expected one server here, got ${found.length}`);
  return found[0]?.target ?? null;
}

/** @param {string} path of a unix socket @returns {Target} */
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
    // After an unescaped '/' in a password this is the rest of the password.
    const found = text.includes('@') ? 'something else' : `'${text}'`;
    throw new UsageError(`${origin}: expected a database number after the host and its '/', got ${found}`);
  }
  return Number(text);
}

/**
 * A cluster by the addresses of its masters.
 * @param {Target[]} masters the same but for host and port @returns {Target}
 */
export const clusterTarget = (masters) => ({
  ...masters[0],
  topology: 'cluster',
  nodes: masters.map(nodeAddress),
});

/**
 * A primary that clients find by asking Sentinels.
 * @param {Target} primary @param {Pick<Target, 'host' | 'port'>[]} sentinels @param {string} masterName what they call it @returns {Target}
 */
export const sentinelTarget = (primary, sentinels, masterName) => ({
  ...primary,
  topology: 'sentinel',
  nodes: [nodeAddress(primary)],
  sentinels: sentinels.map(nodeAddress),
  masterName,
});

/**
 * @param {Target} target @param {Target[]} replicas @returns {Target} the same, which also says where its replicas are
 */
export const withReplicas = (target, replicas) => ({ ...target, replicas: replicas.map(nodeAddress) });

/** @param {Pick<ManagedProcess, 'targets' | 'announced'>} process @returns {NodeAddress} where other servers and Sentinels reach it */
export const placeOf = ({ targets: { tcp, tls }, announced }) => announced ?? nodeAddress(tls ?? tcp);

/** @param {Pick<Target, 'host' | 'port'>} target */
export const nodeAddress = ({ host, port }) => ({ host: `${host}`, port: Number(port) });

/** @param {Target} target @returns {string} where it is, without credentials */
export const labelOf = ({ transport, host, port, path }) =>
  transport === 'unix' ? `${path}` : host?.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** @param {Target} target @returns {boolean} whether the server is certainly on this machine */
export const isLoopback = ({ transport, host }) =>
  transport === 'unix' || host === 'localhost' || host === '::1' || /^127\./.test(host ?? '');
