import assert from 'node:assert/strict';
import { messageOf } from '../../src/errors.js';
import { openBatch } from '../../src/plugins/shared/connections.js';
import { parseInfo } from '../../src/server/counters.js';
import { loadClient } from '../../src/worker/cell-parts.js';
import { createSocketCount } from '../../src/worker/meters/open-sockets.js';
import { clientReleases, skipMissing } from '../helpers/client-releases.js';
import { startCluster } from '../helpers/cluster.js';
import { CONNECTION_LOST } from '../helpers/lost-connection.js';
import { NIGHTLY, testedVariants } from '../helpers/nightly.js';
import { until } from '../helpers/until.js';

/**
 * @import { Connection } from '../../src/plugins/types.js'
 * @import { Target } from '../../src/server/types.js'
 */

const { tested, missing } = await clientReleases();
const able = tested.filter(({ client }) => client.capabilities.has('cluster'));
const variants = able.flatMap(({ name, client, entry }) =>
  testedVariants(client.variants).map(([variant, options]) => ({ name, client, entry, variant, options })),
);
/** Keys in slots of the first, second and third of three nodes. */
const KEYS = ['b', 'c', 'a'];

/**
 * Moves the slot of the first key. The node that has it now needs the highest epoch: otherwise a message of the one that
 * had it before, still on its way, may take it back, and each sends clients to the other for ever. It takes a higher one
 * only than those that it has heard of.
 * @param {Awaited<ReturnType<typeof startCluster>>} cluster @param {number} to
 */
async function moveSlot(cluster, to) {
  const epochOf = async (/** @type {number} */ node, /** @type {'my' | 'current'} */ which) =>
    Number(parseInfo(String(await cluster.query(node, 'CLUSTER', 'INFO')))[`cluster_${which}_epoch`]);
  const taken = await Promise.all([...KEYS.keys()].map((node) => epochOf(node, 'my')));
  await until(
    'it to have heard of all epochs',
    async () => (await epochOf(to, 'current')) >= Math.max(...taken),
  );
  const id = await cluster.query(to, 'CLUSTER', 'MYID');
  const slot = String(await cluster.query(to, 'CLUSTER', 'KEYSLOT', KEYS[0]));
  const set = (/** @type {number} */ node) => cluster.query(node, 'CLUSTER', 'SETSLOT', slot, 'NODE', id);
  await set(to);
  await cluster.query(to, 'CLUSTER', 'BUMPEPOCH');
  for (const node of KEYS.keys()) await set(node);
}

describe('every client of a cluster', () => {
  /** @type {Awaited<ReturnType<typeof startCluster>>} */
  let cluster;
  before(async () => {
    cluster = await startCluster({ tls: true });
  });
  after(() => cluster.stop());
  beforeEach(() => cluster.queryAll('FLUSHALL'));

  skipMissing(missing);

  for (const { name, client, entry, variant, options } of variants) {
    for (const transport of /** @type {('tcp' | 'tls')[]} */ (NIGHTLY ? ['tcp', 'tls'] : ['tcp'])) {
      describe(`${name}:${variant} over ${transport}`, () => {
        /** @type {Connection} */
        let connection;
        /** @type {() => number} */
        let openSockets;
        before(async () => {
          const target = /** @type {Target} */ (transport === 'tls' ? cluster.tlsTarget : cluster.target);
          const sockets = createSocketCount(target);
          const others = Number(sockets());
          openSockets = () => Number(sockets()) - others;
          connection = await client.connect(target, options, await loadClient(client, entry));
        });
        after(async () => {
          await connection.close();
          await until('all connections to be closed', async () =>
            (await cluster.connections()).every((count) => count === 0),
          );
        });

        it('is connected to every node once all have answered PING', async () => {
          assert.equal(await connection.ping(), 'PONG');
          // GLIDE keeps two to each.
          assert.ok((await cluster.connections()).every((count) => count >= 1 && count <= 2));
        });

        it('has as many connections counted as all nodes have accepted', async () => {
          for (const key of KEYS) await connection.get(key);
          const accepted = await cluster.connections();
          assert.equal(
            openSockets(),
            accepted.reduce((sum, count) => sum + count),
          );
        });

        it('sends each command to the node of its key, at the first attempt', async () => {
          await cluster.queryAll('CONFIG', 'RESETSTAT');
          for (const [node, key] of KEYS.entries()) {
            assert.equal(await connection.set(key, `value ${key}`), 'OK');
            assert.equal(await cluster.query(node, 'GET', key), `value ${key}`);
            assert.equal(await connection.get(key), `value ${key}`);
            assert.equal(await connection.exists(key), 1);
            assert.equal(await connection.del(key), 1);
            assert.equal(await connection.get(key), null);
            assert.equal(await connection.hset(key, 'field', 'x'), 1);
            assert.equal(await connection.command(['HGET', key, 'field']), 'x');
          }
          for (const node of KEYS.keys()) {
            assert.equal((await cluster.info(node)).total_error_replies, '0');
          }
        });

        it('command knows where keys stand, and sends those without a key to one node', async () => {
          assert.equal(await connection.command(['EVAL', 'return KEYS[1]', '1', KEYS[2]]), KEYS[2]);
          assert.match(String(await connection.command(['INFO', 'server'])), /^run_id:[0-9a-f]{40}\r$/m);
        });

        it('a transaction goes to the node of its keys, in a batch as well', async () => {
          const [one, other] = [`{${KEYS[1]}}one`, `{${KEYS[2]}}other`];
          assert.deepEqual(
            await connection.transaction([
              ['SET', one, 'x'],
              ['GET', one],
            ]),
            ['OK', 'x'],
          );
          const batch = openBatch(connection);
          batch.set(KEYS[0], 'y');
          batch.transaction([['GET', one]]);
          batch.transaction([['GET', other]]);
          batch.get(KEYS[0]);
          assert.deepEqual(await batch.exec(), ['OK', ['x'], [null], 'y']);
        });

        it('a pipeline over all nodes has its replies in order', async () => {
          const replies = await connection.pipeline([
            ...KEYS.map((key) => /** @type {[string, ...string[]]} */ (['SET', key, `value ${key}`])),
            ['PING'],
            ...KEYS.toReversed().map((key) => /** @type {[string, ...string[]]} */ (['GET', key])),
          ]);
          assert.deepEqual(replies, ['OK', 'OK', 'OK', 'PONG', 'value a', 'value c', 'value b']);
          for (const [node, key] of KEYS.entries()) {
            assert.deepEqual(await cluster.query(node, 'KEYS', '*'), [key]);
          }
        });

        it('a pipeline reaches each node as one batch', async () => {
          await connection.ping();
          await cluster.queryAll('CONFIG', 'RESETSTAT');
          const many = Array.from({ length: 30 }, (_, index) => `{${KEYS[index % 3]}}${index}`);
          await connection.pipeline(many.map((key) => ['SET', key, 'x']));
          const reads = await Promise.all(
            KEYS.map(async (_, node) => Number((await cluster.info(node)).total_reads_processed)),
          );
          // Beside the batch there are the end of RESETSTAT and this INFO itself.
          assert.ok(
            reads.every((count) => count <= 3),
            `${reads}`,
          );
        });

        it('a pipeline tells an error reply, and the connection goes on', async () => {
          await connection.set(KEYS[0], 'text');
          const replies = await connection
            .pipeline([
              ['INCR', KEYS[0]],
              ['SET', KEYS[1], '1'],
              ['INCR', KEYS[1]],
            ])
            .catch((error) => [error]);
          assert.match(messageOf(replies[0]), /not an integer/);
          assert.equal(await connection.get(KEYS[1]), '2');
        });

        it('many at once get each their own reply', async () => {
          const keys = Array.from({ length: 300 }, (_, index) => `many:${index}`);
          await Promise.all(keys.map((key) => connection.set(key, `value of ${key}`)));
          const replies = await Promise.all(keys.map((key) => connection.get(key)));
          assert.deepEqual(
            replies,
            keys.map((key) => `value of ${key}`),
          );
        });

        it('an error reply rejects, and the connection goes on', async () => {
          await connection.set(KEYS[1], 'x');
          await assert.rejects(connection.hset(KEYS[1], 'field', 'x'), /WRONGTYPE/);
          assert.equal(await connection.get(KEYS[1]), 'x');
        });
      });
    }

    describe(`${name}:${variant}, where something is wrong`, () => {
      const library = () => loadClient(client, entry);

      it('a slot that has moved is followed', async () => {
        const connection = await client.connect(cluster.target, options, await library());
        try {
          await connection.ping();
          await moveSlot(cluster, 2);
          assert.equal(await connection.set(KEYS[0], 'moved'), 'OK');
          assert.equal(await cluster.query(2, 'GET', KEYS[0]), 'moved');
        } finally {
          connection.destroy();
          await cluster.query(2, 'FLUSHALL');
          await moveSlot(cluster, 0);
        }
      });

      it('a certificate that does not verify rejects with the reason', async () => {
        const target = { .../** @type {Target} */ (cluster.tlsTarget) };
        target.tls = { rejectUnauthorized: true };
        await assert.rejects(client.connect(target, options, await library()), (error) => {
          assert.match(messageOf(error), /certificate/);
          return true;
        });
      });

      it('where nothing listens, connect rejects with the reason', async () => {
        const target = { ...cluster.target, nodes: [{ host: '127.0.0.1', port: 1 }] };
        await assert.rejects(client.connect(target, options, await library()), (error) => {
          assert.match(messageOf(error), /ECONNREFUSED/);
          return true;
        });
      });

      it('destroy leaves no connection open', async () => {
        const connection = await client.connect(cluster.target, options, await library());
        await connection.ping();
        connection.destroy();
        await until('all connections to be closed', async () =>
          (await cluster.connections()).every((count) => count === 0),
        );
      });
    });
  }

  describe('when a node has died', () => {
    /** @type {Awaited<ReturnType<typeof startCluster>>} */
    let mortal;
    /** @type {Connection[]} */
    let connections;
    before(async () => {
      mortal = await startCluster();
      connections = await Promise.all(
        variants.map(async ({ client, entry, options }) =>
          client.connect(mortal.target, options, await loadClient(client, entry)),
        ),
      );
      await Promise.all(connections.map((connection) => connection.ping()));
      await mortal.nodes[0].stop();
    });
    after(() => mortal.stop());

    for (const [index, { name, variant }] of variants.entries()) {
      it(`${name}:${variant} fails, and does not wait, and destroy does not throw`, async () => {
        const connection = connections[index];
        await assert.rejects(
          async () => {
            // The first may still find the socket open.
            for (let attempt = 0; attempt < 3; attempt++) await connection.set(KEYS[0], 'x');
          },
          // GLIDE goes on looking for the node until its time is up.
          (error) => CONNECTION_LOST.test(String(error)) || messageOf(error) === 'timed out',
        );
        assert.equal(await connection.set(KEYS[1], 'x'), 'OK');
        connection.destroy();
        await assert.rejects(connection.set(KEYS[1], 'x'), CONNECTION_LOST);
      });
    }
  });
});
