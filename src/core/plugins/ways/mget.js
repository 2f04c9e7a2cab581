/** @import { WayPlugin } from '../types.js' */

/** @satisfies {WayPlugin} */
export default {
  id: 'mget',
  title: 'MGET, MSET',
  summary: 'one command for all keys: MGET, MSET',
  form: 'many',
  inOneSlot: true,
  titleOf: ({ many }) => many.command.toUpperCase(),

  calls: ({ many }) => ({ [many.command]: 1 }),

  send: (connection, { items, many }) =>
    connection.command(many.of(items)).then((reply) => many.replies(reply, items)),
};
