import assert from 'node:assert/strict';
import { createRemoteWorkers } from '../../../src/commands/agents/remote-workers.js';

/** @import { Clock } from '../../../src/commands/agents/control-redis.js' */

const CLOCK = /** @type {Clock} */ ({
  now: () => 0,
  offset: () => ({ offsetMs: 0, errorMs: 0 }),
  refresh: async () => {},
});

/** @param {number} count */
function createAgents(count) {
  /** @type {any[]} */
  const prepared = [];
  const links = Array.from({ length: count }, (_, index) => ({
    name: `load-${index}`,
    lost: () => null,
    async call(
      /** @type {string} */ method,
      /** @type {any} */ data,
      /** @type {any} */ _news,
      /** @type {number} */ withinMs,
    ) {
      if (method === 'prepare') prepared.push({ ...data, withinMs });
      return { facts: { connections: data.part?.count }, pid: 1 };
    },
  }));
  const startWorkers = createRemoteWorkers({
    links: /** @type {any} */ (links),
    clock: CLOCK,
    areLocal: false,
  });
  return { prepared, startWorkers };
}

const JOB = {
  tasks: 7,
  load: null,
  clientOptions: { password: 'hidden' },
  keyPrefix: 'rpb:0000',
  removal: ['DEL'],
  runIds: null,
  untriedBytes: 1e6,
  keys: 1000,
  keySize: 20,
  valueSize: 100_000,
  target: {
    ...{ transport: 'tls', host: 'target', port: 6379, username: 'bench', password: 'secret', database: 2 },
    tls: { ca: 'PEM', key: 'PRIVATE', rejectUnauthorized: false },
  },
};

describe('workers on other machines', () => {
  it('are told of a cell, a server by its name, and their part, and nothing else', async () => {
    const { prepared, startWorkers } = createAgents(1);
    // A caller beside several would need a server.
    const one = startWorkers({ id: 'a cell', processes: 1, runtime: null, machines: 1 }, null, () => {});
    assert.deepEqual(await one.call('prepare', JOB), { connections: 1 });
    const [{ withinMs, ...asked }] = prepared;
    assert.deepEqual(asked, {
      workersId: '1',
      cell: 'a cell',
      part: { index: 0, count: 1 },
      target: { transport: 'tls', at: 'target:6379', database: 2 },
      keyPrefix: 'rpb:0000',
      removal: ['DEL'],
      runIds: null,
      untriedBytes: 1e6,
      cpus: null,
    });
    // As long as 100 MB may take.
    assert.ok(withinMs > 60_000 && withinMs < 90_000);
  });
});
