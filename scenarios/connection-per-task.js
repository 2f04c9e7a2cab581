/** @import { ScenarioPlugin } from '../src/plugins/types.js' */

/** @satisfies {ScenarioPlugin} */
export default {
  id: 'connection-per-task',
  title: 'connection per task',
  summary: 'each task has a connection of its own for the whole run',
  words: () => ({ imperative: 'give each task a connection of its own' }),
  connections: (tasks) => tasks,
  tasksAtOnce: (tasks) => tasks,

  async open({ connectMany, tasks }) {
    const connections = await connectMany(tasks);
    return {
      forTask: (index) => connections[index],
      async serve(count) {
        if (count > connections.length) connections.push(...(await connectMany(count - connections.length)));
        await Promise.all(connections.splice(count).map((each) => each.close()));
      },
      close: async () => void (await Promise.all(connections.map((each) => each.close()))),
    };
  },
};
