import { withoutErrors } from '../shared/requests.js';

/** @import { Connection, Request, RequestKind } from '../types.js' */

export default {
  id: 'multi',
  title: 'MULTI',
  summary: 'a command for each key, in a transaction: MULTI, EXEC',
  inOneSlot: true,
  requiresForBuffers: ['transaction-buffers'],
  imperative: () => 'send the commands in a transaction (MULTI)',

  /** @param {RequestKind} kind @param {number} items */
  calls: ({ each }, items) => ({ multi: 1, exec: 1, ...each(items) }),

  /** @param {Connection} connection @param {Request} request */
  send: (connection, { items, one, parts }) => withoutErrors(connection.transaction(items.map(one)), parts),
};
