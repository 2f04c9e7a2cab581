export default {
  id: 'shared-connection',
  title: 'shared connection',
  summary: 'all tasks issue their commands on one connection',
  connections: () => 1,

  /** @param {import('../src/types.js').ScenarioContext} context @returns {Promise<import('../src/types.js').Lease>} */
  async open({ connect }) {
    const connection = await connect();
    return { forTask: () => connection, close: () => connection.close() };
  },
};
