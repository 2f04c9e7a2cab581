import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { parseInfo } from '../../src/server/counters.js';
import { locateServer } from '../../src/server/sources.js';
import { freePort, keepPorts } from './free-port.js';
import { until } from './until.js';

/**
 * Starts an external Redis server: memory only, on 127.0.0.1 and a unix socket.
 *
 * @param {{password?: string, args?: string[]}} [options]
 */
export async function startRedis({ password, args = [] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'rpb-redis-'));
  const port = await freePort();
  const socket = join(folder, 'redis.sock');
  const settings = {
    port,
    bind: '127.0.0.1',
    unixsocket: socket,
    dir: folder,
    save: '',
    appendonly: 'no',
    ...(password === undefined ? {} : { requirepass: password }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const binary = await locateServer();
  // A tool that runs in this process meanwhile has its own, and its processes are known by that.
  const env = { ...process.env };
  const launch = () => spawn(binary, [...flags, ...args], { stdio: 'ignore', env });
  let server = launch();
  let exited = once(server, 'exit');
  const answers = () =>
    until('the external server to answer', () => connect({ port, password }).catch(() => null));
  let client = await answers();

  /**
   * @param {...string} command such as `'GET', 'key'`
   * @returns {Promise<any>} as redis-cli would get it (RESP2)
   */
  const query = (...command) => /** @type {NonNullable<typeof client>} */ (client).sendCommand(command);

  return {
    port,
    socket,
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    folder,
    get pid() {
      return /** @type {number} */ (server.pid);
    },
    query,
    info: async () => parseInfo(await query('INFO', 'all')),

    /** @returns {Promise<Record<string, string>>} every key of database 0 with its serialized value */
    async contents() {
      /** @type {string[]} */
      const keys = await query('KEYS', '*');
      const values = await Promise.all(keys.sort().map((key) => query('DUMP', key)));
      return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
    },

    /** @param {string} command @returns {Promise<number>} calls since the server started */
    async calls(command) {
      const stat = (await this.info())[`cmdstat_${command}`];
      return Number(/calls=(\d+)/.exec(stat ?? '')?.[1] ?? 0);
    },

    /** Kills it, as a crash would. */
    async kill() {
      server.kill('SIGKILL');
      await exited;
    },

    /** Kills it and starts an empty one in its place. */
    async restart() {
      await this.kill();
      server = launch();
      exited = once(server, 'exit');
      if (client?.isOpen) client.destroy();
      client = await answers();
    },

    async stop() {
      if (client?.isOpen) client.destroy();
      server.kill('SIGKILL');
      await exited;
      keepPorts(port);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param {{port: number, password?: string}} address */
async function connect({ port, password }) {
  const client = createClient({
    RESP: 2,
    password,
    disableClientInfo: true,
    socket: { host: '127.0.0.1', port, reconnectStrategy: false },
  });
  client.on('error', () => {});
  await client.connect();
  await client.ping();
  return client;
}
