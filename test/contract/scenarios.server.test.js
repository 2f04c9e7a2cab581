import assert from 'node:assert/strict';
import { leaseChecks } from '../../src/contract/connection-checks.js';
import { messageOf } from '../../src/errors.js';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { expandScenario } from '../../src/run/plan/cells.js';
import { loadClient } from '../../src/worker/cell-parts.js';
import { borrowOf, createConnector } from '../../src/worker/connections.js';
import { createBatchMeter } from '../../src/worker/failures.js';
import { CLOSED_PORT } from '../helpers/free-port.js';
import { startManaged } from '../helpers/managed-server.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { until } from '../helpers/until.js';

/**
 * @import { ClientPlugin, Lease, ScenarioOptions, ScenarioPlugin } from '../../src/plugins/types.js'
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
const pairings = (scenario, tasks = NIGHTLY ? [1, 3, 8] : [8]) =>
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
          if (client.capabilities.has('prompt-close')) {
            await until('its connections to be closed', async () => (await connections()) === 0);
          }
          assert.deepEqual(connector.open(), []);
        });

        for (const [what, run] of Object.entries(
          leaseChecks({
            scenario,
            opened: () => ({ lease, connector }),
            tasks,
            expected,
            connections,
            key: 'key',
          }),
        )) {
          it(what, run);
        }
      });
    }
  }

  // All at once, because some clients try again for seconds.
  it('tells that no connection can be opened, with every client', async () => {
    const attempts = [...scenarios.values()].flatMap((scenario) =>
      pairings(scenario, [2]).map(async ({ client, options, title }) => {
        const connector = await connectorOf(client, {
          transport: 'tcp',
          host: '127.0.0.1',
          port: CLOSED_PORT,
        });
        const attempt = async () => {
          const lease = await scenario.open({ ...connector, tasks: 2, options });
          await borrowOf(lease, 0)((connection) => connection.ping());
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
    let inFlight = 0;
    let most = 0;
    const task = async () => {
      for (let iteration = 0; iteration < 5; iteration++) {
        await borrowOf(
          lease,
          0,
        )(async (connection) => {
          most = Math.max(most, ++inFlight);
          await connection.get('key');
          inFlight--;
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
    const parameter = mode.parse?.(mode.id === 'window' ? '150' : '10', {}) ?? null;

    for (const client of installed.filter(({ capabilities }) =>
      (mode.requires ?? []).every((each) => capabilities.has(each)),
    )) {
      it(`${mode.id} with ${client.id} gives each command its own reply, and has all that a connection has`, async () => {
        const earlier = await server.connectionIds();
        const inner = await client.connect(
          server.targets.tcp,
          client.variants.default,
          await loadClient(client),
        );
        const connection = mode.wrap?.(inner, parameter, createBatchMeter()) ?? inner;
        const keys = Array.from({ length: 20 }, (_, index) => `${mode.id}:${client.id}:${index}`);
        const stored = await Promise.all(keys.map((key) => connection.set(key, `value of ${key}`)));
        assert.deepEqual([...new Set(stored)], ['OK']);
        assert.deepEqual(
          await Promise.all(keys.map((key) => connection.get(key))),
          keys.map((key) => `value of ${key}`),
        );
        assert.equal(await connection.exists(keys[0]), 1);
        assert.deepEqual(await connection.transaction([['GET', keys[0]]]), [`value of ${keys[0]}`]);
        assert.equal(await connection.ping(), 'PONG');
        await assert.rejects(connection.hset(keys[0], 'field', 'x'), /WRONGTYPE/);
        assert.equal(await connection.del(keys[0]), 1);
        assert.equal(await connection.get(keys[0]), null);
        await connection.close();
        if (client.capabilities.has('prompt-close')) {
          await until('the connection to be closed', async () =>
            (await server.connectionIds()).every((id) => earlier.includes(id)),
          );
        }
      });
    }

    it(`${mode.id} passes on that the connection was lost`, async () => {
      const inner = /** @type {any} */ ({ get: lose, pipeline: lose });
      const connection = mode.wrap?.(inner, parameter, createBatchMeter()) ?? inner;
      await assert.rejects(connection.get('key'), /lost/);
      await assert.rejects(connection.get('key'), /lost/);
    });
  }
});

const lose = () => Promise.reject(new Error('the connection was lost'));
