import assert from 'node:assert/strict';
import getPort from 'get-port';
import { loadCatalogue, messageOf } from '../../src/index.js';
import { expandScenario } from '../../src/plan/scenario-axes.js';
import { createBatchMeter } from '../../src/worker/batch-meter.js';
import { loadClient } from '../../src/worker/client-library.js';
import { createConnector } from '../../src/worker/connector.js';
import { startManaged } from '../helpers/managed-server.js';
import { until } from '../helpers/until.js';

/**
 * @import {
 *   ClientPlugin, Connection, Lease, ScenarioOptions, ScenarioPlugin,
 * } from '../../src/plugins/types.js'
 * @import { Target } from '../../src/server/types.js'
 */

const { clients, scenarios, pipelining, packages } = await loadCatalogue();
const installed = [...clients.values()].filter(
  (client) => client.package === null || client.package in packages,
);

/** As many values of each scenario's own options as tell whether it is heeded. */
const AXES = Object.fromEntries(
  [...scenarios.values()].flatMap(({ ownOptions = {} }) =>
    Object.entries(ownOptions).map(
      ([
        name,
        {
          value,
          default: [usual],
        },
      ]) => [name, value && 'enum' in value ? value.enum : [usual, usual + 1]],
    ),
  ),
);

/**
 * Every client that can do it, with each combination of the scenario's own options and of tasks.
 *
 * @param {ScenarioPlugin} scenario
 * @param {number[]} [tasks]
 */
const pairings = (scenario, tasks = [1, 3, 8]) =>
  expandScenario(scenario.id, scenarios, AXES).flatMap(({ scenarioOptions: options }) =>
    installed
      .filter((client) =>
        (scenario.requires?.(options, 'standalone') ?? []).every((each) => client.capabilities.has(each)),
      )
      .flatMap((client) =>
        tasks.map((count) => ({
          ...{ client, options, tasks: count },
          title: [`${count} tasks`, ...Object.entries(options).map((each) => each.join(' '))].join(', '),
        })),
      ),
  );

/**
 * @param {ClientPlugin} client
 * @param {Target} target
 */
async function connectorOf(client, target) {
  const library = await loadClient(client);
  const { default: options } = client.variants;
  return createConnector({
    connect: () => client.connect(target, options, library),
    connectPool: async (pool) => {
      assert.ok(client.connectPool, `${client.id} has the capability native-pool`);
      return client.connectPool(target, options, library, pool);
    },
    wrap: (connection) => connection,
  });
}

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
    for (const { client, tasks, options, title } of pairings(scenario)) {
      describe(`${scenario.id} with ${client.id}, ${title}`, () => {
        const expected = scenario.connections(tasks, options);
        /** @type {ReturnType<typeof createConnector>} */
        let connector;
        /** @type {Lease} */
        let lease;
        /** @type {string[]} of connections that are not this test's */
        let earlier;
        const connections = async () =>
          (await server.connectionIds()).filter((id) => !earlier.includes(id)).length;
        beforeEach(async () => {
          earlier = await server.connectionIds();
          connector = await connectorOf(client, server.targets.tcp);
          lease = await scenario.open({ ...connector, tasks, options });
        });
        afterEach(async () => {
          await lease.close();
          if (client.capabilities.has('prompt-close')) await allClosed();
          assert.deepEqual(connector.open(), []);
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
            await until(`${expected} open connections`, async () => (await connections()) === expected);
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
            assert.equal(await connections(), expected);
            assert.equal(ids.size, Math.min(tasks, expected), 'each of them is used');
          } finally {
            release();
            await work;
          }
          assert.equal(atWork, tasks);
        });

        it(`${scenario.opensDuringRun ? 'opens a connection for each use' : 'opens no connection while it is used'}`, async () => {
          const before = connector.opened();
          for (let round = 0; round < 3; round++) {
            await Promise.all(
              Array.from({ length: tasks }, (_, index) =>
                onLease(lease, index, (connection) => connection.ping()),
              ),
            );
          }
          const opened = connector.opened() - before;
          if (scenario.opensDuringRun) assert.equal(opened, 3 * tasks);
          else assert.deepEqual([before, opened], [expected, 0]);
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
  }

  // All at once, because some clients try again for seconds.
  it('tells that no connection can be opened, with every client', async () => {
    const port = await getPort({ host: '127.0.0.1' });
    const attempts = [...scenarios.values()].flatMap((scenario) =>
      pairings(scenario, [2]).map(async ({ client, options, title }) => {
        const connector = await connectorOf(client, { transport: 'tcp', host: '127.0.0.1', port });
        const attempt = async () => {
          const lease = await scenario.open({ ...connector, tasks: 2, options });
          await onLease(lease, 0, (connection) => connection.ping());
        };
        await assert.rejects(attempt(), (error) => {
          assert.match(messageOf(error), /ECONNREFUSED/, `${scenario.id} with ${client.id}, ${title}`);
          return true;
        });
      }),
    );
    assert.ok(attempts.length >= scenarios.size);
    await Promise.all(attempts);
  });

  it('bounded never has more commands under way than its bound, and has as many', async () => {
    const bounded = /** @type {ScenarioPlugin} */ (scenarios.get('bounded'));
    const connector = await connectorOf(installed[0], server.targets.tcp);
    const options = /** @type {ScenarioOptions} */ ({ maxInFlight: 3 });
    const lease = await bounded.open({ ...connector, tasks: 8, options });
    let underWay = 0;
    let most = 0;
    const task = async () => {
      for (let iteration = 0; iteration < 5; iteration++) {
        await onLease(lease, 0, async (connection) => {
          most = Math.max(most, ++underWay);
          await connection.get('key');
          underWay--;
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, task));
    await lease.close();
    assert.equal(most, 3);
  });
});

describe('every pipelining mode', () => {
  /** @type {Awaited<ReturnType<typeof startManaged>>} */
  let server;
  before(async () => {
    server = await startManaged();
  });
  after(() => server.stop());

  for (const mode of pipelining.values()) {
    const parameter = mode.parse?.(mode.syntax?.split(':')[1], {}) ?? null;

    it(`${mode.id} means something that survives the way to a worker`, () => {
      assert.deepEqual(JSON.parse(JSON.stringify(parameter)), parameter);
    });

    for (const client of installed.filter(({ capabilities }) =>
      (mode.requires ?? []).every((each) => capabilities.has(each)),
    )) {
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
        if (client.capabilities.has('prompt-close')) {
          await until('the connection to be closed', async () => (await server.connections()) === 0);
        }
      });
    }
  }
});

/**
 * @template T
 * @param {Lease} lease
 * @param {number} index of the task
 * @param {(connection: Connection) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function onLease(lease, index, use) {
  if (lease.forTask) return use(lease.forTask(index));
  assert.ok(lease.borrow, 'a lease has forTask or borrow');
  return lease.borrow(use);
}
