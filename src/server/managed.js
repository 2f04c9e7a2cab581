import { existsSync, renameSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgsStringToArgv } from 'string-argv';
import { ServerError, UsageError } from '../errors.js';
import { freePort } from '../machine/files-and-ports.js';
import { sharedClock, untilShared } from '../process/shared-clock.js';
import { startGuarded } from '../process/spawn.js';
import { until } from '../process/wait.js';
import { connectControl } from './control.js';
import { createPrivateFolder, fillPrivateFolder, recreatePrivateFolder } from './private-folder.js';

/** @import { Certificates, ManagedProcess } from './types.js' */

const CONFIG = fileURLToPath(new URL('../../redis.conf', import.meta.url));
const READY_WITHIN_MS = 10_000;
const POLL_EVERY_MS = 20;
/** Another process may take the port before the server binds it. */
const PORT_ATTEMPTS = 3;
/** Fixed in every version of Redis. */
const BUS_OFFSET = 10_000;

/**
 * @typedef {object} ManagedOptions
 * @property {Certificates} [certificates] enables TLS
 * @property {boolean} [cluster]
 * @property {string[]} [settings] redis.conf lines
 * @property {string[]} [args] for the first start only
 * @property {boolean} [replicatesByTls] default: `cluster`
 * @property {string[]} [watches] Sentinel configuration; makes it a Sentinel
 */

/** It keeps data in memory only, and ends when this process dies. @param {string} binary @param {ManagedOptions} [options] */
export async function startManagedServer(binary, options = {}) {
  for (let attempt = 1; ; attempt++) {
    const started = await tryStart(binary, options);
    if (started.server) return started.server;
    if (/'tls-.*Bad directive/s.test(started.log)) {
      throw new ServerError(
        `${binary} was built without TLS; name one built with it (make BUILD_TLS=yes) by --server-bin, ` +
          'or leave tls out of --transport',
      );
    }
    if (options.settings?.length && REFUSED.test(started.log))
      throw new UsageError(`--server-config: ${binary} refuses ${refusedIn(started.log)}`);
    if (attempt === PORT_ATTEMPTS || !/address already in use/i.test(started.log)) {
      throw new ServerError(
        `${binary} was started but did not become ready: ${lastLines(started.log) || 'it printed nothing'}`,
      );
    }
  }
}

/** @param {string} binary @param {ManagedOptions} options @returns {Promise<{server?: ManagedProcess, log: string}>} */
async function tryStart(binary, options) {
  const { args: once = [], certificates, watches } = options;
  const folder = await createPrivateFolder();
  // From a pipe: otherwise CONFIG REWRITE, which any local user may send, would overwrite a file.
  const source = watches ? [join(folder, 'sentinel.conf'), '--sentinel'] : ['-'];
  const { args, targets } = await fillPrivateFolder(folder, async () => {
    // A Sentinel writes its state to its own file.
    if (watches) await writeFile(source[0], ['bind 127.0.0.1', ...watches, ''].join('\n'), { mode: 0o600 });
    return configure(folder, options);
  });
  const launch = (/** @type {string[]} */ more) =>
    startGuarded([binary, ...source, ...args, ...more], { folder, input: CONFIG });
  let running = launch(once);
  const gone = new AbortController();
  void running.ended.then(() => gone.abort());
  const control = await until(() => connectControl(targets.unix).catch(() => null), {
    everyMs: POLL_EVERY_MS,
    withinMs: READY_WITHIN_MS,
    signal: gone.signal,
  });
  if (!control) {
    await running.stop();
    return { log: running.tail() };
  }
  const server = {
    targets,
    control,
    folder,
    stop: () => running.stop(),
    another: () => startManagedServer(binary, { ...options, args: [] }),
    async revive() {
      await running.ended;
      // The server's end removed it.
      await recreatePrivateFolder(folder);
      if (certificates) await fillPrivateFolder(folder, () => writeTlsFiles(folder, certificates));
      return (/** @type {string[]} */ more) => {
        running = launch(more);
      };
    },
  };
  return { server, log: running.tail() };
}

/** @param {string} folder @param {ManagedOptions} options */
async function configure(
  folder,
  { certificates, cluster = false, replicatesByTls = cluster, settings = [] },
) {
  const path = join(folder, 'redis.sock');
  // The bus port is derived from the port that other nodes connect to.
  const port = await freePort(cluster && !certificates ? BUS_OFFSET : 0);
  const args = [
    ...argumentsOf(settings),
    ...flagsOf({ '--port': `${port}`, '--unixsocket': path, '--unixsocketperm': '700', '--dir': folder }),
  ];
  /** @type {ManagedProcess['targets']} */
  const targets = { tcp: { transport: 'tcp', host: '127.0.0.1', port }, unix: { transport: 'unix', path } };
  if (cluster) {
    args.push('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1');
    // When a node is down, the others go on to serve their own keys, as those of managed services do.
    args.push('--cluster-require-full-coverage', 'no');
  }
  if (certificates) {
    const tlsPort = await freePort(cluster ? BUS_OFFSET : 0);
    args.push('--tls-port', `${tlsPort}`, ...(await writeTlsFiles(folder, certificates)));
    // Otherwise the node redirects its clients to plain ports.
    if (cluster) args.push('--tls-cluster', 'yes');
    if (replicatesByTls) args.push('--tls-replication', 'yes');
    const tls = { ca: certificates.ca, rejectUnauthorized: true };
    targets.tls = { transport: 'tls', host: '127.0.0.1', port: tlsPort, tls };
  }
  return { args, targets };
}

/** What a server logs that ends because of a setting. */
const REFUSED = /FATAL CONFIG FILE ERROR|# Module .* failed to load/;

/** @param {string} log @returns {string} which setting it refuses, and why */
function refusedIn(log) {
  const [, module, why] = /# Module (.*?) failed to load: (.*)/.exec(log) ?? [];
  if (module !== undefined) {
    const reason = why.replace(`${module}: `, '').replace(/\.$/, '');
    return `the module ${module}: ${reason}; name a file that this user may read and execute`;
  }
  const [, line, reason] = />>> '(.*)'\n(.*)/.exec(log) ?? [];
  return line === undefined ? `it: ${lastLines(log, 2)}` : `'${line}': ${reason}`;
}

/** @param {string} log @param {number} [most] */
const lastLines = (log, most = 3) => log.trim().split('\n').slice(-most).join(' | ');

/** @param {string} folder @param {Certificates} certificates @returns {Promise<string[]>} server options */
async function writeTlsFiles(folder, certificates) {
  const [ca, cert, key] = ['ca.crt', 'redis.crt', 'redis.key'].map((name) => join(folder, name));
  const files = { [ca]: certificates.ca, [cert]: certificates.cert, [key]: certificates.key };
  await Promise.all(Object.entries(files).map(([path, pem]) => writeFile(path, pem, { mode: 0o600 })));
  return flagsOf({
    '--tls-cert-file': cert,
    '--tls-key-file': key,
    '--tls-ca-cert-file': ca,
    // Most services connect without a client certificate.
    '--tls-auth-clients': 'no',
  });
}

/** Settings that the tool controls, that let others in, or that access files outside the private folder. */
const NOT_HERE =
  /^(port|bind|bind-source-addr|unixsocket|unixsocketperm|dir|daemonize|supervised|pidfile|logfile|include|user|aclfile|requirepass|masterauth|masteruser|primaryauth|primaryuser|rename-command|replicaof|slaveof|protected-mode|cluster-.*|tls-.*|sentinel.*|syslog-.*|crash-log-.*|enable-.*-command)$/i;
const NAME = /^[a-z][\w-]*$/i;

/** @param {string[]} lines as in redis.conf: `io-threads 4` @throws {UsageError} */
export function checkSettings(lines) {
  for (const line of lines) {
    const [name, ...values] = parseArgsStringToArgv(line);
    if (!NAME.test(name ?? '') || values.length === 0) {
      throw new UsageError(
        `--server-config: expected settings as in redis.conf, such as 'io-threads 4' or 'save ""', got '${line}'`,
      );
    }
    if (NOT_HERE.test(name))
      throw new UsageError(`--server-config: '${name}' is set by this tool; leave it out`);
    if (values.some((value) => value.startsWith('--'))) {
      throw new UsageError(
        `--server-config: expected one setting a line, got '${line}'; put ';' between settings`,
      );
    }
  }
}

/** @param {string[]} lines @returns {string[]} such as `--io-threads 4` */
const argumentsOf = (lines) =>
  lines.flatMap((line) => {
    const [name, ...values] = parseArgsStringToArgv(line);
    // The server runs in its private folder.
    if (/^loadmodule$/i.test(name)) values[0] = resolve(values[0]);
    return [`--${name}`, ...values];
  });

/** @param {Record<string, string>} values by flag @returns {string[]} */
function flagsOf(values) {
  return Object.entries(values).flat();
}

/** @param {ManagedProcess} server */
export async function stopServer(server) {
  server.control.close();
  await server.stop();
}

/** @param {ManagedProcess[]} servers */
export const stopAll = (servers) => Promise.all(servers.map(stopServer));

const DATA = ['appendonlydir', 'appendonly.aof'];

/** With everysec (default) Redis replies before writing while an fsync is in flight (flushAppendOnlyFile, aof.c). */
export const KEEPING_DATA = flagsOf({
  '--appendonly': 'yes',
  '--auto-aof-rewrite-percentage': '0',
  '--appendfsync': 'no',
});

/**
 * Resolves once the new process has started, which may be before it accepts commands.
 * @param {ManagedProcess} server @param {object} how @param {number} how.pid @param {number} how.atMs shared clock
 * @param {number} how.downMs @param {boolean} how.keepsData @param {string[]} how.args for the new process
 * @param {AbortSignal} how.signal
 */
export async function restart(server, { pid, atMs, downMs, keepsData, args, signal }) {
  // `server.folder` is removed with the process.
  const aside = keepsData ? await createPrivateFolder() : null;
  await untilShared(atMs, signal);
  if (aside !== null) moveData(server.folder, aside);
  process.kill(pid, 'SIGKILL');
  const killedAtMs = sharedClock();
  const launch = await server.revive();
  if (aside !== null) {
    moveData(aside, server.folder);
    await rm(aside, { recursive: true });
  }
  const startedAtMs = await untilShared(killedAtMs + downMs, signal);
  launch([...(keepsData ? KEEPING_DATA : []), ...args]);
  return { killedAtMs, startedAtMs };
}

/** @param {string} from @param {string} to on the same file system */
function moveData(from, to) {
  for (const name of DATA) if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name));
}
