import { setImmediate } from 'node:timers/promises';
import { createPool } from 'generic-pool';
import pLimit from 'p-limit';

const OPENING_AT_ONCE = 32;

export default {
  id: 'pool',
  title: 'pool',
  summary: 'a generic-pool of --pool-size connections; a task borrows one for each iteration',
  /** @param {number} _tasks @param {{poolSize: number}} options */
  connections: (_tasks, { poolSize }) => poolSize,

  /** @param {import('../src/types.js').ScenarioContext} context @returns {Promise<import('../src/types.js').Lease>} */
  async open({ connect, options: { poolSize } }) {
    // generic-pool retries a failing create for ever, so the connections are opened here, where a
    // failure is heard, and the pool is given them.
    const limit = pLimit(OPENING_AT_ONCE);
    const opened = await limit.map(Array.from({ length: poolSize }), () => connect());
    const pool = createPool(
      { create: async () => opened.pop() ?? connect(), destroy: (connection) => connection.close() },
      { min: poolSize, max: poolSize },
    );
    // pool.ready() looks every 100 ms; with the connections at hand one turn of the event loop fills it.
    await setImmediate();
    return {
      async borrow(use) {
        const connection = await pool.acquire();
        try {
          return await use(connection);
        } finally {
          // A broken one too: pool.use() would drop it and then try for ever to open another.
          pool.release(connection);
        }
      },
      async close() {
        await pool.drain();
        await pool.clear();
      },
    };
  },
};
