/** @import { ScenarioSource } from '../src/plugins/types.js' */

/** @satisfies {ScenarioSource} */
export default {
  summary: 'all tasks issue their commands on one connection',
  connections: () => 1,
  tasksAtOnce: (tasks) => tasks,

  async open({ connect }) {
    const connection = await connect();
    return { forTask: () => connection, close: () => connection.close() };
  },
};
