import assert from 'node:assert/strict';
import { workloadChecks } from '../../../src/contract/check-own.js';
import { loadCatalogue } from '../../../src/options/catalogue.js';
import { loadClient } from '../../../src/worker/cell-parts.js';
import { startManaged } from '../../helpers/managed-server.js';

/** @import { Connection, WorkloadPlugin } from '../../../src/plugins/types.js' */

const { clients, workloads, packages } = await loadCatalogue();
const installed = [...clients.values()].filter(
  (client) => client.package === null || client.package in packages,
);
const workload = /** @type {WorkloadPlugin} */ (workloads.get('scan'));
const PREFIX = 'rpb:scan';

describe('the workload scan', () => {
  /** @type {Awaited<ReturnType<typeof startManaged>>} */
  let server;
  before(async () => {
    server = await startManaged();
  });
  after(() => server.stop());

  for (const client of installed) {
    describe(`with ${client.id}`, () => {
      /** @type {Connection} */
      let connection;
      before(async () => {
        await server.query('FLUSHALL');
        connection = await client.connect(
          server.targets.tcp,
          client.variants.default,
          await loadClient(client),
        );
      });
      after(() => connection.close());

      const parameter = workload.parse?.('10', {});
      const query = (/** @type {string[]} */ ...words) => server.query(...words);
      const given = { workload, parameter, connection: () => connection, query, prefix: PREFIX };
      for (const [title, check] of Object.entries(workloadChecks(given))) it(title, check);

      it('walks until the cursor is 0, and says how many keys were left out', async () => {
        const items = Array.from({ length: 40 }, (_, index) => ({
          ...{ index, key: `${PREFIX}:${index}`, hash: `${PREFIX}h`, value: 'value' },
        }));
        const context = { role: 0, keys: 40, processes: 1, itemsOf: () => [], items: () => items };
        const [[step]] = workload.cycle?.(parameter, { ...context, keyPrefix: `${PREFIX}:` }) ?? [];
        for (const { key, value } of items) await connection.set(key, value);
        for (let index = 0; index < 200; index++) await connection.set(`other:${index}`, 'x');
        const right = await step.send(connection, items[0]);
        assert.ok(step.accept(right, items[0]));
        assert.ok(Number(step.takeCalls?.().scan) >= 15);
        await connection.del(items[7].key);
        await connection.del(items[39].key);
        const wrong = await step.send(connection, items[0]);
        assert.equal(step.accept(wrong, items[0]), false);
        assert.equal(step.wrongText?.(wrong, items[0], String), 'SCAN left out keys: 2 of 40');
      });
    });
  }
});
