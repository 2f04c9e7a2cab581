import assert from 'node:assert/strict';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionChecks } from '../../src/contract/connection-checks.js';
import { messageOf } from '../../src/errors.js';
import { loadClient } from '../../src/worker/cell-parts.js';
import { createClientEvents } from '../../src/worker/client-events.js';
import { clientReleases, skipMissing } from '../helpers/client-releases.js';
import { CLOSED_PORT, keepPorts } from '../helpers/free-port.js';
import { CONNECTION_LOST } from '../helpers/lost-connection.js';
import { startManaged } from '../helpers/managed-server.js';
import { NIGHTLY, testedVariants } from '../helpers/nightly.js';
import { startRedis } from '../helpers/redis-server.js';
import { startTcpServer } from '../helpers/tcp-server.js';
import { until } from '../helpers/until.js';

/**
 * @import { Connection } from '../../src/plugins/types.js'
 * @import { Target } from '../../src/server/types.js'
 */

const { tested, missing } = await clientReleases();
const overUnix = tested.find(({ client }) => client.capabilities.has('unix'))?.client;

describe('every client', () => {
  /** @type {Awaited<ReturnType<typeof startManaged>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let locked;
  before(async () => {
    [server, locked] = await Promise.all([startManaged(), startRedis({ password: 'right' })]);
  });
  after(() => Promise.all([server.stop(), locked.stop()]));

  skipMissing(missing);

  for (const { name, client, entry } of tested) {
    for (const [variant, options] of testedVariants(client.variants)) {
      const transports = /** @type {const} */ (['tcp', 'unix']).filter(
        (transport) =>
          transport === 'tcp' || (client.capabilities.has(transport) && (NIGHTLY || client === overUnix)),
      );
      for (const transport of transports) {
        describe(`${name}:${variant} over ${transport}`, () => {
          /** @type {Connection} */
          let connection;
          before(async () => {
            await server.query('FLUSHALL');
            connection = await client.connect(
              server.targets[transport],
              options,
              await loadClient(client, entry),
            );
          });
          after(() => connection.destroy());
          for (const [title, run] of Object.entries(
            connectionChecks({
              connection: () => connection,
              query: (...command) => server.query(...command),
              prefix: 'contract:',
              hasPipeline: client.capabilities.has('pipeline'),
            }),
          )) {
            it(title, run);
          }
          it('effectiveOptions are those of the variant and hold its address', () => {
            const shown = /** @type {Record<string, any>} */ (connection.effectiveOptions);
            assert.equal(typeof shown, 'object');
            assert.notEqual(Object.keys(shown).length, 0);
            for (const [name, value] of Object.entries(options)) {
              // A strategy for reconnecting is only for connections that recover.
              if (!['object', 'function'].includes(typeof value)) assert.equal(shown[name], value, name);
            }
          });
        });
      }

      // A client that closes late takes 10 s for these, and its variants do not differ in them.
      if (variant !== 'default' && !client.capabilities.has('prompt-close')) continue;
      describe(`${name}:${variant}, opening and closing`, () => {
        /** @type {string[]} of connections that are not this test's: some clients take seconds to close theirs */
        let earlier;
        beforeEach(async () => {
          earlier = await server.connectionIds();
        });
        const connections = async () =>
          (await server.connectionIds()).filter((id) => !earlier.includes(id)).length;
        const closed = () => until('its connections to be closed', async () => (await connections()) === 0);
        const promptlyClosed = async () => {
          if (client.capabilities.has('prompt-close')) await closed();
        };
        const isBlocked = async () => /blocked_clients:1/.test(String(await server.query('INFO', 'clients')));
        const connectionsEver = async () =>
          Number(/total_connections_received:(\d+)/.exec(String(await server.query('INFO', 'stats')))?.[1]);
        const connect = async (/** @type {Target} */ target = server.targets.tcp) =>
          client.connect(target, options, await loadClient(client, entry));

        it('is ready when it has connected, with one connection', async () => {
          const connection = await connect();
          assert.equal(await connections(), 1);
          assert.equal(await connection.ping(), 'PONG');
          connection.destroy();
          await promptlyClosed();
        });
        it('close waits for what is in flight', async () => {
          await server.query('SET', 'in-flight', 'x'.repeat(100_000));
          const connection = await connect();
          const replies = Promise.all(Array.from({ length: 50 }, () => connection.get('in-flight')));
          const results = Promise.allSettled([replies, connection.close()]);
          const [got, close] = await results;
          assert.equal(close.status, 'fulfilled');
          assert.equal(got.status, 'fulfilled', String(/** @type {any} */ (got).reason));
          await promptlyClosed();
        });
        it('close closes the connection', async () => {
          const connection = await connect();
          await connection.ping();
          await connection.close();
          await closed();
        });
        const atOnce = client.capabilities.has('prompt-close') ? 'at once' : 'once nothing is in flight';
        it(`destroy closes ${atOnce}, and what is in flight rejects`, async () => {
          const connection = await connect();
          const waiting = assert.rejects(connection.command(['BLPOP', 'no-list', '0']), CONNECTION_LOST);
          await until('BLPOP to wait', isBlocked);
          connection.destroy();
          await waiting;
          if (!client.capabilities.has('prompt-close')) await server.query('LPUSH', 'no-list', 'x');
          await closed();
        });
        const itIfWatched = client.ownSockets ? null : it;
        itIfWatched?.('what it emits is counted when it loses its connection', async () => {
          const events = createClientEvents();
          const { watch } = events.ofConnection();
          const library = await loadClient(client, entry);
          const connection = await client.connect(server.targets.tcp, options, library, { watch });
          const id = String(await connection.command(['CLIENT', 'ID']));
          assert.deepEqual(events.take(), { errors: 0, firstError: null, reconnections: 0, ends: 0 });
          await server.query('CLIENT', 'KILL', 'ID', id);
          await until('it to notice', async () => {
            const { errors = 0, ends = 0 } = events.take() ?? {};
            return errors + ends > 0;
          });
          connection.destroy();
          await promptlyClosed();
        });
        it('a lost connection is an error for what is in flight', async () => {
          const connection = await connect();
          const id = String(await connection.command(['CLIENT', 'ID']));
          const waiting = assert.rejects(connection.command(['BLPOP', 'no-list', '0']), CONNECTION_LOST);
          await until('BLPOP to wait', isBlocked);
          await server.query('CLIENT', 'KILL', 'ID', id);
          await waiting;
          connection.destroy();
          await promptlyClosed();
        });
        const reopened = client.reconnects ? 'opened again, which the server counts' : 'not opened again';
        it(`a lost connection is ${reopened}`, async () => {
          const connection = await connect();
          const id = String(await connection.command(['CLIENT', 'ID']));
          const before = await connectionsEver();
          await server.query('CLIENT', 'KILL', 'ID', id);
          if (client.reconnects) {
            await until('another connection', async () => (await connectionsEver()) > before);
            connection.destroy();
            await promptlyClosed();
            return;
          }
          await closed();
          await assert.rejects(async () => {
            // The loss may be noticed with the first command only.
            await connection.ping();
            await connection.ping();
          }, CONNECTION_LOST);
          assert.equal(await connections(), 0);
          connection.destroy();
        });
        it('uses the database of the target', async () => {
          const connection = await connect({ ...server.targets.tcp, database: 5 });
          try {
            await connection.set('in-five', 'x');
          } finally {
            await connection.close();
          }
          assert.match(String(await server.query('INFO', 'keyspace')), /^db5:keys=1,/m);
          await server.query('FLUSHALL');
        });
        it('gets in with the right password', async () => {
          const connection = await connect(lockedTarget('right'));
          assert.equal(await connection.ping(), 'PONG');
          await connection.close();
        });
        it('a wrong password rejects without showing it, and leaves nothing open', async () => {
          const before = await connectionsOf(locked);
          await assert.rejects(connect(lockedTarget('S3cret')), (error) => {
            assert.match(messageOf(error), /WRONGPASS|invalid/i);
            assert.ok(!messageOf(error).includes('S3cret'));
            return true;
          });
          await until(
            'the refused connection to be closed',
            async () => (await connectionsOf(locked)) === before,
          );
        });
        it('no password where one is needed rejects at connecting or with the first command', async () => {
          await assert.rejects(async () => {
            const connection = await connect(lockedTarget(undefined));
            try {
              await connection.ping();
            } finally {
              connection.destroy();
            }
          }, /NOAUTH/);
        });
        it('a closed port rejects with the reason', async () => {
          /** @type {Target} */
          const target = { transport: 'tcp', host: '127.0.0.1', port: CLOSED_PORT };
          await assert.rejects(connect(target), (error) => {
            assert.match(messageOf(error), /ECONNREFUSED/);
            return true;
          });
        });
        if (client.capabilities.has('unix')) {
          it('a socket that is not there rejects with the reason', async () => {
            await assert.rejects(
              connect({ transport: 'unix', path: join(tmpdir(), 'no-such.sock') }),
              (error) => {
                assert.match(messageOf(error), /ENOENT/);
                return true;
              },
            );
          });
        }
        it('a server that hangs up at once rejects', async () => {
          const rude = await startTcpServer(
            (socket) => void once(socket, 'data').then(() => socket.destroy()),
          );
          try {
            await assert.rejects(async () => {
              const connection = await connect({ transport: 'tcp', host: '127.0.0.1', port: rude.port });
              try {
                await connection.ping();
              } finally {
                connection.destroy();
              }
            }, CONNECTION_LOST);
          } finally {
            await rude.stop();
            keepPorts(rude.port);
          }
        });

        /** @param {string | undefined} password @returns {Target} */
        const lockedTarget = (password) => ({
          transport: 'tcp',
          host: '127.0.0.1',
          port: locked.port,
          password,
        });
      });
    }
  }
});

/** @param {Awaited<ReturnType<typeof startRedis>>} server */
const connectionsOf = async (server) => Number((await server.info()).connected_clients);
