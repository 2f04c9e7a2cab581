import assert from 'node:assert/strict';
import { loadCatalogue } from '../../src/index.js';
import { createBatchMeter } from '../../src/worker/batch-meter.js';
import { loadClient } from '../../src/worker/client-library.js';
import { startManaged } from '../helpers/managed-server.js';
import { until } from '../helpers/until.js';

/** @typedef {import('../../src/types.js').Lease} Lease */

const { clients, scenarios, pipelining, packages } = await loadCatalogue();
const installed = [...clients.values()].filter(
  (client) => client.package === null || client.package in packages,
);

/**
 * @param {import('../../src/types.js').ClientPlugin} client
 * @param {{requires?: string[]}} plugin
 */
const can = (client, { requires = [] }) =>
  requires.every((capability) => client.capabilities.has(capability));

describe('every scenario', () => {
  /** @type {Awaited<ReturnType<typeof startManaged>>} */
  let server;
  before(async () => {
    server = await startManaged();
    await server.query('SET', 'key', 'value');
  });
  after(() => server.stop());

  const allClosed = () =>
    until('all connections to be closed', async () => (await server.connections()) === 0);

  for (const scenario of scenarios.values()) {
    for (const client of installed.filter((each) => can(each, scenario))) {
      for (const { tasks, poolSize } of [
        { tasks: 1, poolSize: 3 },
        { tasks: 8, poolSize: 3 },
        { tasks: 3, poolSize: 5 },
      ]) {
        describe(`${scenario.id} with ${client.id}, ${tasks} tasks, a pool of ${poolSize}`, () => {
          const options = { poolSize };
          const expected = scenario.connections(tasks, options);
          let opened = 0;
          /** @type {Lease} */
          let lease;
          beforeEach(async () => {
            opened = 0;
            const library = await loadClient(client);
            lease = await scenario.open({
              tasks,
              options,
              connect: () => {
                opened++;
                return client.connect(server.targets.tcp, client.variants.default, library);
              },
            });
          });
          afterEach(async () => {
            await lease.close();
            await allClosed();
          });

          it('gives every task a connection that works', async () => {
            const replies = await Promise.all(
              Array.from({ length: tasks }, (_, index) =>
                onLease(lease, index, (connection) => connection.get('key')),
              ),
            );
            assert.deepEqual(replies, Array(tasks).fill('value'));
          });

          it(`has ${expected} connections on the server when all tasks are at work`, async () => {
            // A lent connection cannot be held by more tasks than there are connections.
            const held = lease.forTask ? tasks : Math.min(tasks, expected);
            if (!scenario.opensDuringRun) {
              // The kernel accepts a connection before the server does.
              await until(
                `${expected} open connections`,
                async () => (await server.connections()) === expected,
              );
            }
            /** @type {() => void} */
            let release = () => {};
            const released = new Promise((resolve) => {
              release = () => resolve(undefined);
            });
            /** @type {Set<unknown>} */
            const ids = new Set();
            let atWork = 0;
            const work = Promise.all(
              Array.from({ length: tasks }, (_, index) =>
                onLease(lease, index, async (connection) => {
                  ids.add(await connection.command(['CLIENT', 'ID']));
                  atWork++;
                  await released;
                }),
              ),
            );
            try {
              await until(`${held} tasks to be at work`, () => atWork >= held);
              assert.equal(await server.connections(), expected);
              assert.equal(ids.size, Math.min(tasks, expected), 'each of them is used');
            } finally {
              release();
              await work;
            }
            assert.equal(atWork, tasks);
          });

          it(`${scenario.opensDuringRun ? 'opens a connection for each use' : 'opens no connection while it is used'}`, async () => {
            const before = opened;
            for (let round = 0; round < 3; round++) {
              await Promise.all(
                Array.from({ length: tasks }, (_, index) =>
                  onLease(lease, index, (connection) => connection.ping()),
                ),
              );
            }
            if (scenario.opensDuringRun) assert.equal(opened - before, 3 * tasks);
            else assert.deepEqual([before, opened], [expected, expected]);
          });

          it('passes on the error of a task, and the others go on', async () => {
            await assert.rejects(
              onLease(lease, 0, (connection) => connection.hset('key', 'field', 'x')),
              /WRONGTYPE/,
            );
            assert.equal(await onLease(lease, tasks - 1, (connection) => connection.get('key')), 'value');
          });
        });
      }

      it(`${scenario.id} with ${client.id} tells that no connection can be opened`, async () => {
        let calls = 0;
        const attempt = async () => {
          const lease = await scenario.open({
            tasks: 2,
            options: { poolSize: 2 },
            connect: async () => {
              calls++;
              throw new Error('out of order');
            },
          });
          await onLease(lease, 0, (connection) => connection.ping());
        };
        await assert.rejects(attempt(), /out of order/);
        assert.ok(calls > 0);
      });
    }
  }
});

describe('every pipelining mode', () => {
  /** @type {Awaited<ReturnType<typeof startManaged>>} */
  let server;
  before(async () => {
    server = await startManaged();
  });
  after(() => server.stop());

  for (const mode of pipelining.values()) {
    const parameter = mode.parse?.(mode.syntax?.split(':')[1]) ?? null;

    it(`${mode.id} means something that survives the way to a worker`, () => {
      assert.deepEqual(JSON.parse(JSON.stringify(parameter)), parameter);
    });

    for (const client of installed.filter((each) => can(each, mode))) {
      it(`${mode.id} with ${client.id} gives each command its own reply`, async () => {
        const library = await loadClient(client);
        const inner = await client.connect(server.targets.tcp, client.variants.default, library);
        const connection = mode.wrap?.(inner, parameter, createBatchMeter()) ?? inner;
        try {
          const keys = Array.from({ length: 20 }, (_, index) => `${mode.id}:${client.id}:${index}`);
          const stored = await Promise.all(keys.map((key) => connection.set(key, `value of ${key}`)));
          assert.deepEqual(stored, Array(keys.length).fill('OK'));
          const replies = await Promise.all(keys.map((key) => connection.get(key)));
          assert.deepEqual(
            replies,
            keys.map((key) => `value of ${key}`),
          );
          await assert.rejects(async () => connection.hset(keys[0], 'field', 'x'), /WRONGTYPE/);
          assert.equal(await connection.get('missing'), null);
        } finally {
          await connection.close();
        }
        await until('the connection to be closed', async () => (await server.connections()) === 0);
      });
    }
  }
});

/**
 * @template T
 * @param {Lease} lease
 * @param {number} index of the task
 * @param {(connection: import('../../src/types.js').Connection) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function onLease(lease, index, use) {
  if (lease.forTask) return use(lease.forTask(index));
  assert.ok(lease.borrow, 'a lease has forTask or borrow');
  return lease.borrow(use);
}
