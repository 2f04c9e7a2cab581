export default {
  id: 'implicit',
  title: 'implicit',
  summary: 'each command is issued by itself; whether several share a write is up to the client',
  /** @param {import('../types.js').Connection} connection */
  wrap: (connection) => connection,
};
