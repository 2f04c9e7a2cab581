import assert from 'node:assert/strict';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { openBatch } from '../../src/plugins/shared/connections.js';
import { loadClient } from '../../src/worker/cell-parts.js';
import { startManaged } from '../helpers/managed-server.js';

/** @import { Connection, Item } from '../../src/plugins/types.js' */

const { clients, workloads, packages } = await loadCatalogue();
const installed = [...clients.values()].filter(
  (client) => client.package === null || client.package in packages,
);

/** @type {Record<string, string>} */
const EXAMPLES = {
  ...{ command: 'LPUSH {key} {value}', mix: 'get=95,get@100kb=5', 'per-process': 'set,exists' },
  ...{
    fetch: '20',
    store: '20',
    'cache-aside': 'hit=90',
    scan: '1000',
    publish: '3',
    queue: 'apart',
    stream: 'apart',
  },
};

/** @param {{id: string, parse?: (argument: string | undefined, options: any) => any}} plugin */
const exampleOf = ({ id, parse }) => parse?.(EXAMPLES[id], {}) ?? null;

const NOWHERE = /** @type {Connection} */ (new Proxy({}, { get: () => () => Promise.resolve(null) }));

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
    const parameter = workload.open ? null : exampleOf(workload);
    // One that brings its own items, or is code, has a file of its own to be tested with; requests are tested in every way.
    if ((workload.open ?? workload.iterate ?? workload.request?.(parameter)) !== undefined) continue;
    const roles = workload.processes?.(parameter) ?? 1;
    /** Whatever the size, a workload works on the item of the test. @type {Item[]} */
    const own = [];
    const context = { role: 0, keys: 4, processes: 1, itemsOf: () => own };
    /** What all processes of the workload do, one after the other. */
    const makeIterations = () =>
      Array.from(
        { length: roles },
        (_, role) => workload.cycle?.(parameter, { ...context, role }) ?? [],
      ).flat();
    const iterations = makeIterations();
    const steps = iterations.flat();
    const preparation = workload.prepare?.(parameter, context) ?? [];
    const checksReplies = workload.id !== 'command';

    it(`${workload.id} has steps in every iteration, each with a command in lower case`, () => {
      assert.ok(iterations.length > 0);
      assert.ok(iterations.every((each) => each.length > 0));
      for (const { command } of [...steps, ...preparation]) assert.match(command, /^[a-z]+$/);
    });

    it(`${workload.id} takes only the right reply to each of its commands`, () => {
      if (workload.id === 'command') return;
      for (const step of steps) {
        // Of the replies that a command may get at all, one is right for a key, or several are.
        const possible = {
          ...{ get: ['a', 'b', null], set: ['OK', 'KO'], exists: [0, 1], hset: [0, 1] },
          ...{ append: [5, 'five'], lpush: [1, 0], xadd: ['1700000000000-0', '1'], publish: [1, '1'] },
        }[step.command];
        const item = { index: 0, key: 'key', hash: 'hash', value: 'a' };
        own[0] = item;
        const right = (possible ?? []).filter((reply) => {
          step.restart?.();
          step.send(NOWHERE, item);
          return step.accept(reply, item);
        });
        step.takeAnswers?.();
        const mayLack = workload.startsEmpty?.(parameter) && ['get', 'exists'].includes(step.command);
        assert.equal(right.length, mayLack ? 2 : 1, `${step.command}: ${right}`);
      }
    });

    it(`${workload.id} means something that survives the way to a worker`, () => {
      assert.deepEqual(JSON.parse(JSON.stringify(parameter)), parameter);
    });

    it(`${workload.id} starts empty where its processes have roles of their own`, () => {
      assert.ok(Number.isInteger(roles) && roles >= 1);
      // One process would store what another removes, or has not yet. Messages leave nothing behind.
      if (roles > 1 && workload.receive === undefined)
        assert.ok(workload.startsEmpty?.(parameter) && preparation.length === 0);
    });

    it(`${workload.id} counts what EXISTS is answered, and shares no counts with another cell`, () => {
      const item = { index: 0, key: 'key', hash: 'hash', value: 'value' };
      own[0] = item;
      const asking = new Set(steps.filter(({ command }) => command === 'exists'));
      const others = new Set(makeIterations().flat());
      for (const step of steps) assert.equal(step.takeAnswers !== undefined, asking.has(step));
      for (const step of asking) {
        for (const reply of [1, 1, 0, 'wrong', null]) step.accept(reply, item);
        for (const other of others) {
          if (other.takeAnswers) assert.deepEqual(other.takeAnswers(), { true: 0, false: 0 });
        }
        assert.deepEqual(step.takeAnswers?.(), { true: 2, false: 1 });
        assert.deepEqual(step.takeAnswers?.(), { true: 0, false: 0 });
      }
    });

    for (const client of installed) {
      describe(`${workload.id} with ${client.id}`, () => {
        const item = { key: `${workload.id}:${client.id}`, hash: 'the hash', value: 'the value', index: 0 };
        /** @type {Connection} */
        let connection;
        before(async () => {
          own[0] = item;
          connection = await client.connect(
            server.targets.tcp,
            client.variants.default,
            await loadClient(client),
          );
        });
        after(() => connection.close());
        beforeEach(async () => {
          await server.query('FLUSHALL');
          for (const step of steps) step.restart?.();
          for (const step of preparation) {
            const reply = await step.send(connection, item);
            assert.equal(step.accept(reply, item), true, `${step.command} replied ${reply}`);
          }
        });

        it('accepts the right replies, in every iteration', async () => {
          for (let iteration = 0; iteration < 3; iteration++) {
            for (const step of steps) {
              const reply = await step.send(connection, item);
              assert.equal(step.accept(reply, item), true, `${step.command} replied ${reply}`);
            }
          }
        });

        it('refuses wrong ones', async function () {
          if (!checksReplies) this.skip();
          for (const step of steps) {
            const right = await step.send(connection, item);
            const wrong = [...WRONG, `${right}x`, String(right).slice(1)].filter((reply) => reply !== right);
            for (const reply of wrong) {
              assert.equal(step.accept(reply, item), false, `${step.command} took ${String(reply)}`);
            }
          }
        });

        it('sends the commands that it says, one for each step', async () => {
          await server.query('CONFIG', 'RESETSTAT');
          for (const step of steps) await step.send(connection, item);
          const stats = String(await server.query('INFO', 'commandstats'));
          /** @type {Record<string, number>} */
          const expected = {};
          for (const { command } of steps) expected[command] = (expected[command] ?? 0) + 1;
          for (const [command, calls] of Object.entries(expected)) {
            assert.match(stats, new RegExp(`^cmdstat_${command}:calls=${calls},`, 'm'));
          }
        });

        it(`${preparation.length > 0 ? 'notices that its data is gone' : 'needs no data'}`, async () => {
          await server.query('FLUSHALL');
          for (const step of steps) step.restart?.();
          let refused = 0;
          for (const step of steps) {
            if (!step.accept(await step.send(connection, item), item)) refused++;
          }
          if (preparation.length > 0) assert.ok(refused > 0);
          else assert.equal(refused, 0);
        });

        it('gets the same replies in a batch', async () => {
          const batch = openBatch(connection);
          for (const step of [...steps, ...steps]) step.send(batch, item);
          const replies = await batch.exec();
          assert.equal(replies.length, 2 * steps.length);
          for (const [index, step] of [...steps, ...steps].entries()) {
            assert.equal(
              step.accept(replies[index], item),
              true,
              `${step.command} replied ${replies[index]}`,
            );
          }
        });

        it('sends nothing of a batch before all of it', async () => {
          await server.query('CONFIG', 'RESETSTAT');
          const batch = openBatch(connection);
          for (const step of steps) step.send(batch, item);
          // Answered when everything that was sent before it is.
          await connection.ping();
          const stats = String(await server.query('INFO', 'commandstats'));
          for (const { command } of steps)
            assert.doesNotMatch(stats, new RegExp(`^cmdstat_${command}:`, 'm'));
          await batch.exec();
        });

        it('notices a single command that fails in a batch', async () => {
          await server.query('FLUSHALL');
          await server.query('SET', item.hash, 'no hash');
          const batch = openBatch(connection);
          batch.set(item.key, item.value);
          batch.hset(item.hash, 'field', 'value');
          batch.get(item.key);
          const outcome = await batch.exec().catch((error) => [error]);
          assert.match(String(outcome.find((reply) => reply instanceof Error)), /WRONGTYPE/);
        });
      });
    }
  }
});
