/** @import { ScenarioSource } from '../src/plugins/types.js' */

/** @satisfies {ScenarioSource} */
export default {
  summary: 'each iteration opens a connection, uses it and closes it; never more open than tasks',
  connections: (tasks) => tasks,
  tasksAtOnce: (tasks) => tasks,
  opensDuringRun: true,
  // Otherwise closed connections pile up on the server until it refuses more.
  requires: () => ['prompt-close'],

  async open({ connect }) {
    return {
      async borrow(use) {
        const connection = await connect();
        try {
          return await use(connection);
        } finally {
          await connection.close();
        }
      },
      close: async () => {},
    };
  },
};
