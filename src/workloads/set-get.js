/** @typedef {import('../types.js').Step} Step */

export default {
  id: 'set-get',
  title: 'SET + GET',
  summary: 'stores a value and reads it back: two commands an operation',
  needsData: false,
  /** @type {Step[]} */
  steps: [
    {
      command: 'set',
      send: (connection, { key, value }) => connection.set(key, value),
      accept: (reply) => reply === 'OK',
    },
    {
      command: 'get',
      send: (connection, { key }) => connection.get(key),
      accept: (reply, { value }) => reply === value,
    },
  ],
};
