/** @import { ScenarioSource } from '../src/plugins/types.js' */

/** @satisfies {ScenarioSource} */
export default {
  summary: '--connections shared connections, tasks spread over them in turn',
  ownOptions: {
    connections: {
      flag: '--connections <list>',
      help: 'the connections that tasks share',
      value: { type: 'integer', minimum: 1, maximum: 10_000 },
      default: [2],
    },
  },
  words: ({ connections }) => ({
    options: { connections: { row: `of ${connections}`, always: true } },
  }),
  connections: (_tasks, { connections }) => connections,
  tasksAtOnce: (tasks) => tasks,

  async open({ connectMany, options }) {
    const connections = await connectMany(options.connections);
    return {
      forTask: (index) => connections[index % connections.length],
      close: async () => void (await Promise.all(connections.map((each) => each.close()))),
    };
  },
};
