import { setImmediate } from 'node:timers/promises';

/** @import { ConnectionPool, ScenarioContext, ScenarioSource } from '../src/plugins/types.js' */

/** @satisfies {ScenarioSource} */
export default {
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
  words: ({ pool, poolSize }) => ({
    options: {
      pool: { row: `(${pool})` },
      poolSize: { row: `of ${poolSize}`, always: true },
    },
  }),
  requires: ({ pool }, topology) =>
    pool === 'generic' ? [] : [topology === 'standalone' ? 'native-pool' : `native-${topology}-pool`],
  connections: (_tasks, { poolSize }) => poolSize,
  tasksAtOnce: (_tasks, { poolSize }) => poolSize,

  async open(context) {
    const { pool, poolSize } = context.options;
    const { borrow, close } = await (pool === 'native'
      ? context.connectPool(poolSize)
      : openGenericPool(context, poolSize));
    return { borrow, close };
  },
};

/** @param {ScenarioContext} context @param {number} size @returns {Promise<ConnectionPool>} */
async function openGenericPool({ connect, connectMany }, size) {
  // Loaded here, because --help reads this file for its options.
  const { createPool } = await import('generic-pool');
  // generic-pool retries a failing create for ever, so the connections are opened here and handed to it.
  const opened = await connectMany(size);
  const pool = createPool(
    { create: async () => opened.pop() ?? connect(), destroy: (connection) => connection.close() },
    { min: size, max: size },
  );
  // pool.ready() polls every 100 ms; with open connections one turn of the event loop fills the pool.
  await setImmediate();
  return {
    async borrow(use) {
      const connection = await pool.acquire();
      try {
        return await use(connection);
      } finally {
        // Broken ones too: pool.use() would drop them and try for ever to open others.
        pool.release(connection);
      }
    },
    async close() {
      await pool.drain();
      await pool.clear();
    },
  };
}
