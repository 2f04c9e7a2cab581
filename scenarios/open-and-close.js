/** @import { ScenarioPlugin } from '../src/core/plugins/types.js' */

/** @satisfies {ScenarioPlugin} */
export default {
  id: 'open-and-close',
  title: 'open and close',
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
