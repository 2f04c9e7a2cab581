import assert from 'node:assert/strict';
import { messageOf } from '../../src/errors.js';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { createRequestStep, FETCH, STORE } from '../../src/plugins/shared/requests.js';
import { difference } from '../../src/server/counters.js';
import { openServer } from '../../src/server/open.js';
import { loadClient } from '../../src/worker/cell-parts.js';
import { createItems } from '../../src/worker/items.js';
import { learnReplies } from '../../src/worker/learn-replies.js';
import { NIGHTLY } from '../helpers/nightly.js';

/** @import { Replies } from '../../src/options/types.js' */
/** @import { Connection, CycleContext, Item, Items, PipeliningPlugin, Step, WorkloadPlugin } from '../../src/plugins/types.js' */
/** @import { Server, Target } from '../../src/server/types.js' */

const { clients, pipelining, ways, workloads, packages } = await loadCatalogue();
const command = /** @type {WorkloadPlugin} */ (workloads.get('command'));
const installed = [...clients.values()].filter(
  (client) => client.package === null || client.package in packages,
);

/** What a request is sent through; a batch of a mode's own takes none. */
const modes = [...pipelining.values()].filter(
  ({ id, batchSize }) => batchSize === undefined && (NIGHTLY || id === 'none'),
);
/** What comes back does not depend on the mode, so that Buffers are read in one. @type {[mode: string, Replies][]} */
const CASES = [
  ...modes.map(({ id }) => /** @type {[string, Replies]} */ ([id, 'string'])),
  ['implicit', 'buffer'],
];

const COUNT = 4;

/** @param {Replies} replies */
const itemsFor = (replies) =>
  createItems({
    ...{ keyPrefix: 'rpb:ways', keySize: 12, valueSize: 40, shortestValue: 40, value: 'text', keys: 10 },
    ...{ keyDistribution: 'sequential', oneSlot: false, seed: 1, replies },
  });

for (const topology of /** @type {const} */ (['standalone', 'cluster'])) {
  describe(`every way to code a request (${topology})`, () => {
    /** @type {Server} */
    let server;
    before(async () => {
      server = await openServer(null, { topology });
    });
    after(() => server.close());

    for (const way of [...ways.values()].filter(({ send }) => send !== undefined)) {
      for (const client of installed) {
        if (topology === 'cluster' && !client.capabilities.has('cluster')) continue;
        if (!(way.requires ?? []).every((each) => client.capabilities.has(each))) continue;
        for (const [id, replies] of CASES) {
          const mode = /** @type {PipeliningPlugin} */ (pipelining.get(id));
          const ofReplies = replies === 'buffer' ? (way.requiresForBuffers ?? []) : [];
          const needed = [...ofReplies, ...(mode.requires ?? [])];
          if (!needed.every((each) => client.capabilities.has(each))) continue;
          it(`${way.id} with ${client.id}, ${id}, ${replies}s: right replies, counted as the server does, and wrong ones seen`, async () => {
            const target = /** @type {Target} */ (server.targets.tcp);
            const manners = { buffers: replies === 'buffer' };
            const options = Object.assign(
              {},
              ...(mode.requires ?? []).map((each) => client.switches?.[each]),
            );
            const library = await loadClient(client, null);
            const connected = await client.connect(target, options, library, manners);
            const connection = mode.wrap?.(connected, 100, { sent() {} }) ?? connected;
            try {
              await checkWay(connection, itemsFor(replies));
            } finally {
              await connection.close();
            }
          });
        }
      }

      /**
       * @param {Connection} connection @param {Item[]} items @param {Step[]} steps
       * what each sends is what the server counts
       */
      async function checkCounts(connection, items, steps) {
        for (const step of steps) {
          step.takeCalls?.();
          const before = await server.snapshot();
          for (const item of items) assert.ok(step.accept(await step.send(connection, item), item), item.key);
          const seen = difference(before, await server.snapshot());
          const { info: _, ping: _ping, ...counted } = seen?.calls ?? {};
          const own = Object.fromEntries(Object.entries(counted).filter(([, times]) => times > 0));
          assert.deepEqual(own, step.takeCalls?.());
        }
      }

      /** @param {Connection} connection @param {Items} all */
      async function checkWay(connection, all) {
        const items = all.all();
        const context = { role: 0, keys: items.length, processes: 1, itemsOf: () => [] };
        const given = { ...context, way, items: () => items, isSpread: topology === 'cluster' };
        await checkKeys(connection, items, given);
        if (!way.ofMany) await checkSequence(connection, all, given);
      }

      /** @param {Connection} connection @param {Items} all @param {CycleContext} given */
      async function checkSequence(connection, all, given) {
        const items = all.all();
        const parameter = command.parse?.('EXPIRE {key} 60 ; GET {key} ; STRLEN {key}', {});
        const [step] = (command.cycle?.(parameter, given) ?? []).flat();
        for (const { key, value } of items) await connection.set(key, value);
        const remarks = await learnReplies(connection, all, [step]);
        assert.deepEqual(remarks, [{ kind: 'types-only', command: 'expire' }]);
        await checkCounts(connection, [items[0], items[8]], [step]);
        await connection.set(items[2].key, 'another');
        const replies = await step.send(connection, items[2]);
        assert.equal(step.accept(replies, items[2]), false);
        assert.equal(step.wrongText?.(replies, items[2], String), 'command 2 of 3 (GET) replied another');
        await connection.del(items[2].key);
        await connection.hset(items[2].key, 'field', '1');
        const failed = Promise.resolve(step.send(connection, items[2])).catch(messageOf);
        assert.match(String(await failed), /WRONGTYPE/);
        await connection.del(items[2].key);
      }

      /** @param {Connection} connection @param {Item[]} items @param {CycleContext} all */
      async function checkKeys(connection, items, all) {
        const [store, fetch] = [STORE, FETCH].map((kind) => createRequestStep(kind, COUNT, all));
        for (const item of items) assert.ok(store.accept(await store.send(connection, item), item), item.key);
        // The last one goes on with the first key.
        await checkCounts(connection, [items[0], items[8]], [fetch, store]);
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
