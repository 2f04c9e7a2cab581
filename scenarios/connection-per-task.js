import pLimit from 'p-limit';

// A server accepts connections one by one; opening hundreds at once only fills its backlog.
const OPENING_AT_ONCE = 32;

export default {
  id: 'connection-per-task',
  title: 'connection per task',
  summary: 'each task has a connection of its own for the whole run',
  /** @param {number} tasks */
  connections: (tasks) => tasks,

  /** @param {import('../src/types.js').ScenarioContext} context @returns {Promise<import('../src/types.js').Lease>} */
  async open({ connect, tasks }) {
    const limit = pLimit(OPENING_AT_ONCE);
    const connections = await limit.map(Array.from({ length: tasks }), () => connect());
    return {
      forTask: (index) => connections[index],
      close: async () => void (await Promise.all(connections.map((each) => each.close()))),
    };
  },
};
