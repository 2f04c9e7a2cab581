/** @import { ScenarioSource } from 'redis-pipe-bench' */

/**
 * A scenario of your own: how the tasks of a service get their connections. This one works as it is: it shares some
 * connections, and each operation takes the one with the least in flight.
 *
 *   redis-pipe-bench check ./our-pool.js
 *   redis-pipe-bench --scenarios ./our-pool.js,shared-connection,pool --our-connections 2,4
 *
 * @type {ScenarioSource}
 */
const scenario = {
  summary: 'shared connections, each operation on the least busy one',

  // Options of its own: each value makes cells.
  ownOptions: {
    ourConnections: {
      flag: '--our-connections <list>',
      help: 'how many there are',
      value: { type: 'integer', minimum: 1, maximum: 1000 },
      default: [2],
    },
  },

  // How a row puts it.
  words: ({ ourConnections }) => ({
    options: { ourConnections: { row: `of ${ourConnections}`, always: true } },
  }),

  // How many connections are open at once.
  connections: (_tasks, { ourConnections }) => ourConnections,
  // How many tasks can be in an operation at once.
  tasksAtOnce: (tasks) => tasks,

  // Opens them. Either `forTask(index)` gives each task its connection for the whole run, or `borrow(use)` lends one for
  // each operation and resolves to what `use` resolves to.
  async open({ connectMany, options: { ourConnections } }) {
    const all = (await connectMany(ourConnections)).map((connection) => ({ connection, busy: 0 }));
    return {
      async borrow(use) {
        const least = all.reduce((one, other) => (other.busy < one.busy ? other : one));
        least.busy++;
        try {
          return await use(least.connection);
        } finally {
          least.busy--;
        }
      },
      close: async () => {
        await Promise.all(all.map(({ connection }) => connection.close()));
      },
    };
  },
};

export default scenario;
