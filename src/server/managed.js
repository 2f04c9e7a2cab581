import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServerError, UsageError } from '../errors.js';
import { freePort } from '../machine/files-and-ports.js';
import { startGuarded } from '../process/spawn.js';
import { until } from '../process/wait.js';
import { connectControl } from './control.js';
import { argumentsOf, refusalIn } from './own-settings.js';
import { createPrivateFolder, recreatePrivateFolder } from './private-folder.js';

/** @import { Certificates, Control, ManagedProcess, Target } from './types.js' */

const CONFIG = fileURLToPath(new URL('../../redis.conf', import.meta.url));
const READY_WITHIN_MS = 10_000;
const POLL_EVERY_MS = 20;
/** Another process may take a port between our finding it free and the server opening it. */
const PORT_ATTEMPTS = 3;
/** The bus port of a cluster node is this far above its port, in every version of Redis. */
const BUS_OFFSET = 10_000;

/**
 * @typedef {object} ManagedOptions
 * @property {Certificates} [certificates] to listen for TLS as well
 * @property {boolean} [cluster] whether it is a node of a cluster
 * @property {string[]} [settings] the user's, as in redis.conf
 * @property {string[]} [args] more options of the server, for its first start only
 * @property {boolean} [replicatesByTls] whether replicas and Sentinels use TLS as well; a cluster does
 * @property {string[]} [watches] lines of a Sentinel's configuration; then it is a Sentinel
 */

/**
 * Starts a managed server: in memory only, on free ports of 127.0.0.1 and on a unix socket in a private folder. It ends
 * with `stop`, and also when this process dies.
 * @param {string} binary path of a redis-server or valkey-server @param {ManagedOptions} [options]
 * @returns {Promise<ManagedProcess>} @throws {ServerError} when it does not come up
 * @throws {UsageError} when it refuses one of the user's settings
 */
export async function startManagedServer(binary, options = {}) {
  for (let attempt = 1; ; attempt++) {
    const started = await tryStart(binary, options);
    if (started.server) return started.server;
    const refusal = (options.settings ?? []).length > 0 ? refusalIn(started.log) : null;
    if (refusal !== null && !/^tls-/.test(refusal.line)) {
      throw new UsageError(
        `--server-config: ${binary} refuses '${refusal.line.replaceAll('"', '')}'${refusal.why && `: ${refusal.why}`}; expected settings that its redis.conf may have`,
      );
    }
    if (/'tls-.*Bad directive/s.test(started.log)) {
      throw new ServerError(
        `${binary} was built without TLS; name one built with it (make BUILD_TLS=yes) by --server-bin, ` +
          'or leave tls out of --transport',
      );
    }
    if (attempt === PORT_ATTEMPTS || !/address already in use/i.test(started.log)) {
      throw new ServerError(
        `${binary} was started but did not become ready: ${lastLines(started.log) || 'it printed nothing'}`,
      );
    }
  }
}

/** @param {string} binary @param {ManagedOptions} options @returns {Promise<{server?: ManagedProcess, log: string}>} */
async function tryStart(binary, options) {
  const folder = await createPrivateFolder();
  const { args, targets } = await configure(folder, options);
  // Read from a pipe: anybody on this machine could send CONFIG REWRITE, which would overwrite a file.
  const source = options.watches ? await sentinelConfig(folder, options.watches) : ['-'];
  const launch = (/** @type {string[]} */ more = []) =>
    startGuarded([binary, ...source, ...args, ...more], { folder, input: CONFIG });
  let running = launch(options.args);
  const control = await pong(targets.unix, running.ended);
  if (!control) {
    await running.stop();
    return { log: running.tail() };
  }
  return {
    log: running.tail(),
    server: {
      targets,
      control,
      stop: () => running.stop(),
      folder,
      async ended() {
        await running.ended;
      },
      another: () => startManagedServer(binary, { ...options, args: [] }),
      /** Its folder went with the server. */
      async revive(more = []) {
        await running.ended;
        await recreatePrivateFolder(folder);
        if (options.certificates) await writeTlsFiles(folder, options.certificates);
        return {
          launch() {
            running = launch(more);
          },
        };
      },
    },
  };
}

/**
 * A Sentinel keeps its state in a file of its own.
 * @param {string} folder private to the Sentinel @param {string[]} lines @returns {Promise<string[]>} arguments
 */
async function sentinelConfig(folder, lines) {
  const path = join(folder, 'sentinel.conf');
  await writeFile(path, ['bind 127.0.0.1', ...lines, ''].join('\n'), { mode: 0o600 });
  return [path, '--sentinel'];
}

/** A server's options besides redis.conf, and its addresses. @param {string} folder @param {ManagedOptions} options */
async function configure(
  folder,
  { certificates, cluster = false, replicatesByTls = cluster, settings = [] },
) {
  const path = join(folder, 'redis.sock');
  // The bus port is derived from the port that other nodes connect to.
  const port = await freePort(cluster && !certificates ? BUS_OFFSET : 0);
  const args = [
    ...argumentsOf(settings),
    ...['--port', `${port}`, '--unixsocket', path, '--unixsocketperm', '700', '--dir', folder],
  ];
  /** @type {ManagedProcess['targets']} */
  const targets = { tcp: { transport: 'tcp', host: '127.0.0.1', port }, unix: { transport: 'unix', path } };
  if (cluster) args.push('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1');
  if (certificates) {
    const tlsPort = await freePort(cluster ? BUS_OFFSET : 0);
    args.push('--tls-port', `${tlsPort}`, ...(await writeTlsFiles(folder, certificates)));
    // Otherwise a node redirects its clients to plain ports; a replica finds its primary at the port for TLS too.
    if (cluster) args.push('--tls-cluster', 'yes');
    if (replicatesByTls) args.push('--tls-replication', 'yes');
    const tls = { ca: certificates.ca, rejectUnauthorized: true };
    targets.tls = { transport: 'tls', host: '127.0.0.1', port: tlsPort, tls };
  }
  return { args, targets };
}

/**
 * @param {Target} target @param {Promise<unknown>} ended when the server has
 * @returns {Promise<Control | null>} once the server has answered PING
 */
function pong(target, ended) {
  const gone = new AbortController();
  void ended.then(() => gone.abort());
  const look = () => connectControl(target).catch(() => null);
  return until(look, { everyMs: POLL_EVERY_MS, withinMs: READY_WITHIN_MS, signal: gone.signal });
}

/** @param {string} log */
const lastLines = (log) => log.trim().split('\n').slice(-3).join(' | ');

/**
 * Writes the TLS files of a server, readable only by this user.
 * @param {string} folder private to the server @param {Certificates} certificates
 * @returns {Promise<string[]>} the server's options that name them
 */
async function writeTlsFiles(folder, certificates) {
  const [ca, cert, key] = ['ca.crt', 'redis.crt', 'redis.key'].map((name) => join(folder, name));
  const files = { [ca]: certificates.ca, [cert]: certificates.cert, [key]: certificates.key };
  await Promise.all(Object.entries(files).map(([path, pem]) => writeFile(path, pem, { mode: 0o600 })));
  return [
    ...['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', ca],
    // Most services connect to their Redis without a client certificate.
    ...['--tls-auth-clients', 'no'],
  ];
}
