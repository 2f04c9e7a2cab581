/** @import { ScenarioSource } from '../src/plugins/types.js' */

/** @satisfies {ScenarioSource} */
export default {
  summary: 'each task has a connection of its own for the whole run',
  connections: (tasks) => tasks,
  tasksAtOnce: (tasks) => tasks,

  async open({ connectMany, tasks }) {
    const connections = await connectMany(tasks);
    return {
      forTask: (index) => connections[index],
      close: async () => void (await Promise.all(connections.map((each) => each.close()))),
    };
  },
};
