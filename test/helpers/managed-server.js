import { createClient } from 'redis';
import { locateServer } from '../../src/server/locate.js';
import { startManagedServer } from '../../src/server/managed.js';

/** The tool's own server, and a connection beside it to ask it what happened. */
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

    /** @returns {Promise<number>} connections of others than this helper and the tool's control */
    async connections() {
      const info = String(await query('INFO', 'clients'));
      return Number(/connected_clients:(\d+)/.exec(info)?.[1]) - 2;
    },

    /** @returns {Promise<string[]>} the id of every connection there is, the helper's own and the control's too */
    async connectionIds() {
      const list = String(await query('CLIENT', 'LIST'));
      return Array.from(list.matchAll(/^id=(\d+)/gm), ([, id]) => id);
    },

    async stop() {
      client.destroy();
      server.control.close();
      await server.stop();
    },
  };
}
