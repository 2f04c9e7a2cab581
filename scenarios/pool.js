import { setImmediate } from 'node:timers/promises';

/** @import { ConnectionPool, Lease, ScenarioContext } from '../src/plugins/types.js' */

export default {
  id: 'pool',
  title: 'pool',
  summary:
    'a pool of --pool-size connections, generic-pool or --pool native; one is borrowed for each iteration',
  ownOptions: {
    pool: {
      flag: '--pool <list>',
      help: "generic-pool, or the client's own (native)",
      value: { enum: ['generic', 'native'] },
      default: ['generic'],
    },
    poolSize: {
      flag: '--pool-size <list>',
      help: 'its connections',
      // Each is a socket here and one on the server, whose own default limit is 10,000.
      value: { type: 'integer', minimum: 1, maximum: 10_000 },
      default: [3],
    },
  },
  /** @param {{pool: string, poolSize: number}} options */
  words: ({ pool, poolSize }) => ({
    imperative:
      `use ${pool === 'native' ? "the client's own pool" : 'a pool'} of ` +
      `${poolSize} ${poolSize === 1 ? 'connection' : 'connections'}`,
    options: {
      pool: { row: `(${pool})` },
      poolSize: { row: `of ${poolSize}`, always: true },
    },
  }),
  /** @param {{pool: string}} options @param {string} topology */
  requires: ({ pool }, topology) =>
    pool === 'generic' ? [] : [topology === 'standalone' ? 'native-pool' : `native-${topology}-pool`],
  /** @param {number} _tasks @param {{poolSize: number}} options */
  connections: (_tasks, { poolSize }) => poolSize,
  /** @param {number} _tasks @param {{poolSize: number}} options */
  tasksAtOnce: (_tasks, { poolSize }) => poolSize,

  /** @param {ScenarioContext} context @returns {Promise<Lease>} */
  async open({ connect, connectMany, connectPool, options: { pool, poolSize } }) {
    const { borrow, close } =
      pool === 'native' ? await connectPool(poolSize) : await openGenericPool(connect, connectMany, poolSize);
    return { borrow, serve: async () => {}, close };
  },
};

/**
 * @param {ScenarioContext['connect']} connect
 * @param {ScenarioContext['connectMany']} connectMany
 * @param {number} size
 * @returns {Promise<ConnectionPool>}
 */
async function openGenericPool(connect, connectMany, size) {
  // Loaded here, because --help reads this file for its options.
  const { createPool } = await import('generic-pool');
  // generic-pool retries a failing create for ever, so the connections are opened here, where a failure is
  // noticed, and handed to the pool.
  const opened = await connectMany(size);
  const pool = createPool(
    { create: async () => opened.pop() ?? connect(), destroy: (connection) => connection.close() },
    { min: size, max: size },
  );
  // pool.ready() polls every 100 ms; with the connections at hand one turn of the event loop fills the pool.
  await setImmediate();
  return {
    async borrow(use) {
      const connection = await pool.acquire();
      try {
        return await use(connection);
      } finally {
        // Broken ones too: pool.use() would drop them and then try for ever to open others.
        pool.release(connection);
      }
    },
    async close() {
      await pool.drain();
      await pool.clear();
    },
  };
}
