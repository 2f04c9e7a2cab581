/** @import { Connection, Request, RequestKind } from '../types.js' */

export default {
  id: 'mget',
  title: 'MGET, MSET',
  summary: 'one command for all keys: MGET, MSET',
  form: 'many',
  inOneSlot: true,
  titleOf: (/** @type {RequestKind} */ { many }) => many.command.toUpperCase(),
  imperative: (/** @type {RequestKind} */ { many }) => `use ${many.command.toUpperCase()}`,

  calls: (/** @type {RequestKind} */ { many }) => ({ [many.command]: 1 }),

  /** @param {Connection} connection @param {Request} request */
  send: (connection, { items, many }) =>
    connection.command(many.of(items)).then((reply) => many.replies(reply, items)),
};
