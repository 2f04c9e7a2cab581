/** @import { Lease, ScenarioContext } from '../src/plugins/types.js' */

export default {
  id: 'shared-connection',
  title: 'shared connection',
  summary: 'all tasks issue their commands on one connection',
  words: () => ({ imperative: 'share one connection' }),
  connections: () => 1,
  /** @param {number} tasks */
  tasksAtOnce: (tasks) => tasks,

  /** @param {ScenarioContext} context @returns {Promise<Lease>} */
  async open({ connect }) {
    const connection = await connect();
    return { forTask: () => connection, serve: async () => {}, close: () => connection.close() };
  },
};
