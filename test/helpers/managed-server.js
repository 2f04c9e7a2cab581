import { createClient } from 'redis';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';
import { keepPorts } from './free-port.js';

/** A managed server, and a connection of the test's own to inspect it. */
export async function startManaged() {
  const server = await startManagedServer(await locateServer());
  const { host, port } = server.targets.tcp;
  const client = createClient({ RESP: 2, disableClientInfo: true, socket: { host, port } });
  client.on('error', () => {});
  await client.connect();

  /** @param {...string} command @returns {Promise<any>} as redis-cli would get it */
  const query = (...command) => client.sendCommand(command);

  return {
    targets: server.targets,
    query,

    /** @returns {Promise<number>} connections, without those of this helper and of the tool's control */
    async connections() {
      const info = String(await query('INFO', 'clients'));
      return Number(/connected_clients:(\d+)/.exec(info)?.[1]) - 2;
    },

    /** @returns {Promise<string[]>} the id of every connection, those of the helper and of the control included */
    async connectionIds() {
      const list = String(await query('CLIENT', 'LIST'));
      return Array.from(list.matchAll(/^id=(\d+)/gm), ([, id]) => id);
    },

    async stop() {
      client.destroy();
      server.control.close();
      await server.stop();
      keepPorts(Number(port));
    },
  };
}
