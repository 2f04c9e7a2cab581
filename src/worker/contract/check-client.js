import { loadPlugin } from '../../plugins/registry.js';
import { completeConnection } from '../../plugins/shared/complete-connection.js';
import { loadClient } from '../cell-parts.js';
import { connectionChecks } from './connection-checks.js';
import { expectEqual, expectError, expectNone, expectSoon } from './expect.js';
import { watchReads } from './watched.js';

/** @import { ClientPlugin, Connection } from '../../plugins/types.js' */
/** @import { Target } from '../../server/types.js' */
/** @import { Asked } from './check-own.js' */
/** @import { ContractChecks, Query } from './expect.js' */

/** @param {Asked} asked */
export async function checkClient({ id, pluginFolders, target, prefix, query, check, opening }) {
  const client = await loadPlugin('clients', id, pluginFolders);
  for (const [variant, options] of Object.entries(client.variants)) {
    const reads = watchReads(options);
    const connect = () => connectTo(client, target, reads.options);
    const about = Object.keys(client.variants).length > 1 ? `${id}:${variant}: ` : '';
    const opened = await opening('connects', connect, about);
    if (opened === undefined) continue;
    const checks = connectionChecks({
      connection: () => opened,
      query,
      prefix: `${prefix}${variant}:`,
      hasPipeline: client.capabilities.has('pipeline'),
    });
    const reading = Object.keys(options).length > 0 && {
      'reads the options of its variant': () =>
        expectNone('options that connect() never read', reads.unread()),
    };
    await check({ ...reading, ...checks }, about);
    opened.destroy();
    await check(closingChecks({ client, connect, query, prefix, target, options }), about);
  }
}

/**
 * @param {{client: ClientPlugin, connect: () => Promise<Connection>, query: Query, prefix: string, target: Target,
 *   options: Record<string, any>}} under @returns {ContractChecks}
 */
const closingChecks = ({ client, connect, query, prefix, target, options }) => ({
  async 'close waits for what is in flight'() {
    await query('SET', `${prefix}long`, 'x'.repeat(100_000));
    const connection = await connect();
    const replies = Promise.all(Array.from({ length: 50 }, () => connection.get(`${prefix}long`)));
    await Promise.all([replies, connection.close()]);
  },
  async 'close closes the connection (capability prompt-close)'() {
    const before = await connectionsOf(query);
    const connection = await connect();
    await connection.ping();
    await connection.close();
    if (client.capabilities.has('prompt-close'))
      await expectSoon('connections', () => connectionsOf(query), before);
  },
  async 'destroy closes at once'() {
    const connection = await connect();
    connection.destroy();
    await expectError('a command afterwards', () => connection.ping(), /./);
  },
  async 'uses the database of the target'() {
    const connection = await connectTo(client, { ...target, database: 5 }, options);
    await connection.set(`${prefix}in-five`, 'x');
    await connection.close();
    expectEqual('the key in database 0', await query('EXISTS', `${prefix}in-five`), 0);
  },
  async [client.reconnects
    ? 'a lost connection is opened again (reconnects: true)'
    : 'a lost connection is an error, and not opened again (or say reconnects: true)']() {
    const connection = await connect();
    const own = String(await connection.command(['CLIENT', 'ID']));
    await query('CLIENT', 'KILL', 'ID', own);
    if (client.reconnects) {
      await expectSoon('the reply to PING', () => connection.ping().catch(() => null), 'PONG');
    } else {
      const twice = async () => {
        // The loss may be noticed with the first command only.
        await connection.ping();
        await connection.ping();
      };
      await expectError('a command after the loss', twice, /./);
    }
    connection.destroy();
  },
});

/** @param {Query} query */
export const connectionsOf = async (query) =>
  Number(/connected_clients:(\d+)/.exec(String(await query('INFO', 'clients')))?.[1]);

/** @param {ClientPlugin} client @param {Target} target @param {Record<string, any>} options */
export const connectTo = async (client, target, options) =>
  completeConnection(await client.connect(target, options, await loadClient(client)), client.id);
