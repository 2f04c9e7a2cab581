import { createPrivateKey, X509Certificate } from 'node:crypto';
import { messageOf, Refusal, tryOr, UsageError } from '../errors.js';
import { readBoundedSync } from '../process/read-file.js';

/** @import { Transport } from '../options/types.js' */
/** @import { ManagedProcess, Target, TlsOptions } from './types.js' */

/** @typedef {{flag: string, url: string}} OtherServer that an option names by its URL, where it does */

/** @type {Record<string, Transport | undefined>} */
const SCHEMES = { 'redis:': 'tcp', 'rediss:': 'tls', 'valkey:': 'tcp', 'valkeys:': 'tls', 'unix:': 'unix' };

const EXAMPLE = 'redis://127.0.0.1:6379';

/**
 * @param {string} text `redis://[[user]:password@]host[:port][/database]`, `rediss://…`, `valkey[s]://…` or
 *   `unix://[[user]:password@]/path`; a database may also follow as `?db=1`
 * @param {string} [origin] @returns {Target} @throws {UsageError} quotes nothing: any part may belong to a password
 */
export function parseUrl(text, origin = '--url') {
  const wrong = (/** @type {string} */ found) =>
    new UsageError(`${origin}: expected a URL such as ${EXAMPLE}, got ${found}`);
  if (isUnescaped(text)) throw wrong(`one with an '@' after a '/', '?' or '#': ${ENCODE}`);
  const transport = SCHEMES[/^\w+:/.exec(text.trim().toLowerCase())?.[0] ?? ''];
  if (!transport) throw wrong(`one that starts with none of ${Object.keys(SCHEMES).join(', ')}`);
  // A URL has no user without a host.
  const whole = text.replace(/^(\s*unix:\/\/[^/?#]*@)(?=\/)/i, '$1localhost');
  if (!URL.canParse(whole)) throw wrong('something that is no URL');
  const url = new URL(whole);
  const parts = tryOr(() => [url.username, url.password, url.pathname].map(decodeURIComponent), null);
  if (parts === null) throw wrong("one with a '%' that is not written as '%25'");
  const [username, password, path] = parts;
  if (url.hash !== '' || !/^(\?db=\d+)?$/.test(url.search))
    throw wrong(
      "one with something after '?' or '#' that is not ?db=NUMBER; a client's options go with it: --clients 'ioredis{family:6}'",
    );
  const inPath = transport === 'unix' ? '' : url.pathname.slice(1);
  const database = inPath || url.search.replace('?db=', '');
  if (inPath && url.search) throw wrong('one with two databases');
  if (!/^\d*$/.test(database))
    throw wrong("one whose '/' after the host is not followed by a database number");
  const login = {
    username: username || undefined,
    password: password || undefined,
    database: database === '' ? undefined : Number(database),
  };
  if (transport === 'unix') {
    if (url.hostname !== '' && whole === text) throw wrong('one with a host: unix:///path has three slashes');
    if (!path.startsWith('/')) throw wrong('one without the path of a socket: unix:///path');
    return { transport, path, ...login };
  }
  if (!url.hostname) throw wrong('one without a host');
  return {
    transport,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || 6379),
    ...login,
  };
}

const ENCODE = "percent-encode the password ('/' as %2F, '?' as %3F, '#' as %23)";

/** Whether an @ follows what ends user and password. A path may have one. @param {string} text */
function isUnescaped(text) {
  const [, scheme = '', login = '', rest = ''] = /^\s*(\w+:(?:\/\/)?)?([^/?#]*)(.*)$/s.exec(text) ?? [];
  const inPath = /^unix:/i.test(scheme) && (login === '' || login.includes('@'));
  return inPath ? /[?#].*@/s.test(rest) : rest.includes('@');
}

/**
 * @param {{url?: string, socket?: string, sentinel?: string, masterName?: string} & TlsFiles} options several URLs:
 *   `a=redis://…,b=redis://…`
 * @param {string} [origin]
 * @param {OtherServer[]} [others] to which the TLS options apply too
 * @returns {{name: string | null, target: Target}[]}
 */
export function externalTargets({ url, socket, sentinel, masterName, ...files }, origin, others = []) {
  if (socket !== undefined && /^\w+:\/\//.test(socket))
    throw new UsageError('--socket: expected the path of a socket, got a URL; give that to --url');
  /** @type {{name: string | null, target: Target}[]} */
  const named =
    sentinel !== undefined
      ? [{ name: null, target: watchedTarget(sentinel, String(masterName)) }]
      : socket !== undefined
        ? [{ name: null, target: { transport: 'unix', path: socket } }]
        : (url?.split(NEXT_URL) ?? []).map((each) => {
            // `redis://…` or `near=redis://…`
            const [, name = null, own] = /^(?:([\w.@-][\w.@ -]*)=(?=\w+:))?(.*)$/s.exec(each) ?? [];
            return { name, target: parseUrl(own, origin) };
          });
  const byTls =
    named.some(({ target }) => target.transport === 'tls') ||
    others.some((other) => /^(rediss|valkeys):/.test(other.url));
  if (!byTls) refuseTlsOptions(files, ['--url', ...others.map(({ flag }) => flag)]);
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
  if (sentinels.some((each) => each.transport === 'unix' || each.database !== undefined))
    throw new UsageError('--sentinel: expected hosts and ports, without a path or a database');
  // Sentinel names them so; anything else may hold a password.
  const { host: masterName, ...server } = /^[\w.-]*$/.test(master)
    ? { host: master, transport }
    : parseUrl(master, '--master-name');
  if (masterName === undefined)
    throw new UsageError('--master-name: expected a name, got the path of a socket');
  const byTls = [transport, server.transport].includes('tls');
  return {
    ...sentinelTarget({ ...server, host, port, transport: byTls ? 'tls' : 'tcp' }, sentinels, masterName),
    sentinelUsername: username,
    sentinelPassword: password,
  };
}

/** @param {Partial<Record<Transport, Target>>} targets */
export const transportsTo = (targets) => /** @type {Transport[]} */ (Object.keys(targets));

/** Redis's default. */
const SENTINEL_PORT = 26_379;

/** A comma before another URL; passwords may hold commas. */
const NEXT_URL = /,\s*(?=(?:[\w.@-][\w.@ -]*=)?(?:rediss?|unix):\/\/)/;

/** @param {Parameters<typeof externalTargets>[0]} options @param {string} [origin] @returns {Target | null} */
export function externalTarget(options, origin = '--url') {
  const found = externalTargets(options, origin);
  if (found.length > 1) throw new UsageError(`${origin}: expected one server here, got ${found.length}`);
  return found[0]?.target ?? null;
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

/** @typedef {{tlsCa?: string, tlsCert?: string, tlsKey?: string, tlsInsecure?: boolean, tlsServername?: string}} TlsFiles */

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @param {TlsFiles} files @returns {TlsOptions} @throws {UsageError} if a file has no valid content */
export function readTlsOptions({ tlsCa, tlsCert, tlsKey, tlsInsecure = false, tlsServername }) {
  const cert = tlsCert && readCertificates('--tls-cert', tlsCert);
  const key = tlsKey && readKey(tlsKey);
  if (cert && key && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new UsageError(
      `--tls-key: expected the private key of '${tlsCert}', but '${tlsKey}' belongs to another`,
    );
  }
  return {
    ...(tlsCa !== undefined && { ca: readCertificates('--tls-ca', tlsCa) }),
    ...(cert !== undefined && { cert, key }),
    ...(tlsServername !== undefined && { servername: tlsServername }),
    rejectUnauthorized: !tlsInsecure,
  };
}

/** @param {TlsFiles} files @param {string[]} flags of URLs @throws {UsageError} */
function refuseTlsOptions(files, flags) {
  const [given] = Object.entries(files).find(([name, value]) => /^tls[A-Z]/.test(name) && value) ?? [];
  if (given === undefined) return;
  throw new UsageError(
    `--tls-${given.slice('tls'.length).toLowerCase()} is about the TLS connection to an external server; expected a ${flags.length === 1 ? flags[0] : `${flags.join(', or ')},`} that starts with rediss://`,
  );
}

/** @param {string} flag @param {string} file @returns {string} only the certificates, in PEM */
const readCertificates = (flag, file) =>
  readPem(flag, file, 'certificates', (text) => {
    const certificates = text.match(CERTIFICATE) ?? [];
    for (const each of certificates) new X509Certificate(each);
    return certificates.map((each) => `${each}\n`).join('');
  });

/** Encrypted keys are not supported; errors never hold the file's content. @param {string} file @returns {string} */
const readKey = (file) =>
  readPem('--tls-key', file, 'a private key', (text) =>
    text.includes('PRIVATE KEY')
      ? String(createPrivateKey(text).export({ type: 'pkcs8', format: 'pem' }))
      : '',
  );

/** @param {string} flag @param {string} file @param {string} what @param {(text: string) => string} read */
function readPem(flag, file, what, read) {
  const wrong = (/** @type {string} */ found) =>
    new UsageError(`${flag}: expected a file of ${what} in PEM form, but '${file}' ${found}`);
  let found;
  try {
    found = read(readBoundedSync(file).toString());
  } catch (error) {
    throw wrong(error instanceof Refusal ? error.message : `cannot be read: ${messageOf(error)}`);
  }
  if (found === '') throw wrong('holds none');
  return found;
}
