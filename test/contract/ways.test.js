import assert from 'node:assert/strict';
import { loadCatalogue } from '../../src/index.js';
import { createRequestStep, FETCH, STORE } from '../../src/plugins/shared/requests.js';
import { difference } from '../../src/server/info.js';
import { openServer } from '../../src/server/open.js';
import { loadClient } from '../../src/worker/cell-parts.js';

/** @import { Connection, Item } from '../../src/plugins/types.js' */
/** @import { Server, Target } from '../../src/server/types.js' */

const { clients, ways, packages } = await loadCatalogue();
const installed = [...clients.values()].filter(
  (client) => client.package === null || client.package in packages,
);

/** @type {Item[]} */
const ITEMS = Array.from({ length: 10 }, (_, index) => ({
  ...{ index, key: `rpb:ways:${index}`, hash: 'rpb:ways', value: `value ${index}` },
}));
const COUNT = 4;

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
        it(`${way.id} with ${client.id}: right replies, counted as the server does, and wrong ones seen`, async () => {
          const library = await loadClient(client, null);
          const connection = await client.connect(/** @type {Target} */ (server.targets.tcp), {}, library);
          try {
            await checkWay(connection);
          } finally {
            await connection.close();
          }
        });
      }

      /** @param {Connection} connection */
      async function checkWay(connection) {
        const context = { role: 0, keys: ITEMS.length, processes: 1, itemsOf: () => [] };
        const all = { ...context, way, items: () => ITEMS, isSpread: topology === 'cluster' };
        const [store, fetch] = [STORE, FETCH].map((kind) => createRequestStep(kind, COUNT, all));
        for (const item of ITEMS) {
          await store.store?.(connection, item);
          assert.ok(store.accept(await store.send(connection, item), item), item.key);
        }
        await fetch.store?.(connection, ITEMS[0]);
        for (const step of [fetch, store]) {
          step.takeCalls?.();
          const before = await server.snapshot();
          // The last one goes on with the first key.
          for (const item of [ITEMS[0], ITEMS[8]]) {
            assert.ok(step.accept(await step.send(connection, item), item), item.key);
          }
          const seen = difference(before, await server.snapshot());
          const { info: _, ping: _ping, ...counted } = seen?.calls ?? {};
          const own = Object.fromEntries(Object.entries(counted).filter(([, times]) => times > 0));
          assert.deepEqual(own, step.takeCalls?.());
        }
        await connection.set(ITEMS[2].key, 'another');
        const replies = await fetch.send(connection, ITEMS[0]);
        assert.equal(fetch.accept(replies, ITEMS[0]), false, 'a wrong value');
        await connection.set(ITEMS[2].key, ITEMS[2].value);
        assert.equal(fetch.accept(await fetch.send(connection, ITEMS[1]), ITEMS[0]), false, 'other keys');
        await connection.del(ITEMS[3].key);
        await connection.hset(ITEMS[3].key, 'field', '1');
        const reply = Promise.resolve(fetch.send(connection, ITEMS[3]));
        const isRight = await reply.then(
          (found) => fetch.accept(found, ITEMS[3]),
          () => false,
        );
        assert.equal(isRight, false, 'a key of another type');
        await connection.del(ITEMS[3].key);
      }
    }
  });
}
