import assert from 'node:assert/strict';
import { loadCatalogue } from '../../src/index.js';
import { loadClient } from '../../src/worker/client-library.js';
import { startManaged } from '../helpers/managed-server.js';

const { clients, workloads, packages } = await loadCatalogue();
const installed = [...clients.values()].filter(
  (client) => client.package === null || client.package in packages,
);

/** Replies that no step of any workload may take for right. */
const WRONG = [undefined, null, '', 'wrong', 'ok', Number.NaN, -7, [], {}, new Error('ERR')];

describe('every workload', () => {
  /** @type {Awaited<ReturnType<typeof startManaged>>} */
  let server;
  before(async () => {
    server = await startManaged();
  });
  after(() => server.stop());

  for (const workload of workloads.values()) {
    it(`${workload.id} has steps, each with a command in lower case`, () => {
      assert.ok(workload.steps.length > 0);
      for (const { command } of workload.steps) assert.match(command, /^[a-z]+$/);
    });

    for (const client of installed) {
      describe(`${workload.id} with ${client.id}`, () => {
        const item = { key: `${workload.id}:${client.id}`, value: 'the value' };
        /** @type {import('../../src/types.js').Connection} */
        let connection;
        before(async () => {
          connection = await client.connect(
            server.targets.tcp,
            client.variants.default,
            await loadClient(client),
          );
        });
        after(() => connection.close());
        beforeEach(async () => {
          await server.query('FLUSHALL');
          if (workload.needsData) await connection.set(item.key, item.value);
        });

        it('accepts the right replies, in every iteration', async () => {
          for (let iteration = 0; iteration < 3; iteration++) {
            for (const step of workload.steps) {
              const reply = await step.send(connection, item);
              assert.equal(step.accept(reply, item), true, `${step.command} replied ${reply}`);
            }
          }
        });

        it('refuses wrong ones', async () => {
          for (const step of workload.steps) {
            const right = await step.send(connection, item);
            const wrong = [...WRONG, `${right}x`, String(right).slice(1)].filter((reply) => reply !== right);
            for (const reply of wrong) {
              assert.equal(step.accept(reply, item), false, `${step.command} took ${String(reply)}`);
            }
          }
        });

        it('sends the commands that it says, one for each step', async () => {
          await server.query('CONFIG', 'RESETSTAT');
          for (const step of workload.steps) await step.send(connection, item);
          const stats = String(await server.query('INFO', 'commandstats'));
          /** @type {Record<string, number>} */
          const expected = {};
          for (const { command } of workload.steps) expected[command] = (expected[command] ?? 0) + 1;
          for (const [command, calls] of Object.entries(expected)) {
            assert.match(stats, new RegExp(`^cmdstat_${command}:calls=${calls},`, 'm'));
          }
        });

        it(`${workload.needsData ? 'notices that its data is gone' : 'needs no data'}`, async () => {
          await server.query('FLUSHALL');
          let refused = 0;
          for (const step of workload.steps) {
            if (!step.accept(await step.send(connection, item), item)) refused++;
          }
          if (workload.needsData) assert.ok(refused > 0);
          else assert.equal(refused, 0);
        });
      });
    }
  }
});
