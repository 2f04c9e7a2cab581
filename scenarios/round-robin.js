/** @import { Lease, ScenarioContext } from '../src/plugins/types.js' */

export default {
  id: 'round-robin',
  title: 'round robin',
  summary: '--connections shared connections, tasks spread over them in turn',
  ownOptions: {
    connections: {
      flag: '--connections <list>',
      help: 'the connections that tasks share',
      value: { type: 'integer', minimum: 1, maximum: 10_000 },
      default: [2],
    },
  },
  /** @param {{connections: number}} options */
  words: ({ connections }) => ({
    imperative: `spread the tasks over ${connections} shared connections`,
    options: { connections: { row: `of ${connections}`, always: true } },
  }),
  /** @param {number} _tasks @param {{connections: number}} options */
  connections: (_tasks, { connections }) => connections,
  /** @param {number} tasks */
  tasksAtOnce: (tasks) => tasks,

  /** @param {ScenarioContext} context @returns {Promise<Lease>} */
  async open({ connectMany, options }) {
    const connections = await connectMany(options.connections);
    return {
      forTask: (index) => connections[index % connections.length],
      serve: async () => {},
      close: async () => void (await Promise.all(connections.map((each) => each.close()))),
    };
  },
};
