/** @typedef {import('../types.js').Step} Step */

export default {
  id: 'get',
  title: 'GET',
  summary: 'reads a value that was stored before the run',
  needsData: true,
  /** @type {Step[]} */
  steps: [
    {
      command: 'get',
      send: (connection, { key }) => connection.get(key),
      accept: (reply, { value }) => reply === value,
    },
  ],
};
