/** @import { ScenarioPlugin } from '../src/core/plugins/types.js' */

/** @satisfies {ScenarioPlugin} */
export default {
  id: 'shared-connection',
  title: 'shared connection',
  summary: 'all tasks issue their commands on one connection',
  connections: () => 1,
  tasksAtOnce: (tasks) => tasks,

  async open({ connect }) {
    const connection = await connect();
    return { forTask: () => connection, close: () => connection.close() };
  },
};
