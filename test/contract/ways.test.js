import assert from 'node:assert/strict';
import { loadCatalogue } from '../../src/index.js';
import { createRequestStep, FETCH, STORE } from '../../src/plugins/shared/requests.js';
import { difference } from '../../src/server/counters.js';
import { openServer } from '../../src/server/open.js';
import { loadClient } from '../../src/worker/cell-parts.js';
import { createItems } from '../../src/worker/items.js';

/** @import { Replies } from '../../src/options/types.js' */
/** @import { Connection, Item } from '../../src/plugins/types.js' */
/** @import { Server, Target } from '../../src/server/types.js' */

const { clients, ways, packages } = await loadCatalogue();
const installed = [...clients.values()].filter(
  (client) => client.package === null || client.package in packages,
);

const COUNT = 4;

/** @param {Replies} replies */
const itemsFor = (replies) =>
  createItems({
    ...{ keyPrefix: 'rpb:ways', keySize: 12, valueSize: 40, shortestValue: 40, value: 'text', keys: 10 },
    ...{ keyDistribution: 'sequential', oneSlot: false, seed: 1, replies },
  }).all();

for (const topology of /** @type {const} */ (['standalone', 'cluster'])) {
  describe(`every way to code a request (${topology})`, () => {
    /** @type {Server} */
    let server;
    before(async () => {
      server = await openServer(null, { topology });
    });
    after(() => server.close());

    for (const way of ways.values()) {
      for (const client of installed) {
        if (topology === 'cluster' && !client.capabilities.has('cluster')) continue;
        if (!(way.requires ?? []).every((each) => client.capabilities.has(each))) continue;
        for (const replies of /** @type {Replies[]} */ (['string', 'buffer'])) {
          const needed = replies === 'buffer' ? (way.requiresForBuffers ?? []) : [];
          if (!needed.every((each) => client.capabilities.has(each))) continue;
          it(`${way.id} with ${client.id}, ${replies}s: right replies, counted as the server does, and wrong ones seen`, async () => {
            const target = /** @type {Target} */ (server.targets.tcp);
            const manners = { buffers: replies === 'buffer' };
            const connection = await client.connect(target, {}, await loadClient(client, null), manners);
            try {
              await checkWay(connection, itemsFor(replies));
            } finally {
              await connection.close();
            }
          });
        }
      }

      /** @param {Connection} connection @param {Item[]} items */
      async function checkWay(connection, items) {
        const context = { role: 0, keys: items.length, processes: 1, itemsOf: () => [] };
        const all = { ...context, way, items: () => items, isSpread: topology === 'cluster' };
        const [store, fetch] = [STORE, FETCH].map((kind) => createRequestStep(kind, COUNT, all));
        for (const item of items) {
          await store.store?.(connection, item);
          assert.ok(store.accept(await store.send(connection, item), item), item.key);
        }
        await fetch.store?.(connection, items[0]);
        for (const step of [fetch, store]) {
          step.takeCalls?.();
          const before = await server.snapshot();
          // The last one goes on with the first key.
          for (const item of [items[0], items[8]]) {
            assert.ok(step.accept(await step.send(connection, item), item), item.key);
          }
          const seen = difference(before, await server.snapshot());
          const { info: _, ping: _ping, ...counted } = seen?.calls ?? {};
          const own = Object.fromEntries(Object.entries(counted).filter(([, times]) => times > 0));
          assert.deepEqual(own, step.takeCalls?.());
        }
        await connection.set(items[2].key, 'another');
        const replies = await fetch.send(connection, items[0]);
        assert.equal(fetch.accept(replies, items[0]), false, 'a wrong value');
        assert.equal(fetch.wrongText?.(replies, items[0], String), 'key 3 of 4 replied another');
        await connection.set(items[2].key, items[2].value);
        assert.equal(fetch.accept(await fetch.send(connection, items[1]), items[0]), false, 'other keys');
        await connection.del(items[3].key);
        await connection.hset(items[3].key, 'field', '1');
        const reply = Promise.resolve(fetch.send(connection, items[3]));
        const isRight = await reply.then(
          (found) => fetch.accept(found, items[3]),
          () => false,
        );
        assert.equal(isRight, false, 'a key of another type');
        await connection.del(items[3].key);
      }
    }
  });
}
