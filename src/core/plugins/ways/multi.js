import { withoutErrors } from '../shared/requests.js';

/** @import { WayPlugin } from '../types.js' */

/** @satisfies {WayPlugin} */
export default {
  id: 'multi',
  title: 'MULTI',
  summary: 'a command for each key, in a transaction: MULTI, EXEC',
  inOneSlot: true,
  requiresForBuffers: ['transaction-buffers'],

  calls: ({ each }, items) => ({ multi: 1, exec: 1, ...each(items) }),

  send: (connection, { items, one, parts }) => withoutErrors(connection.transaction(items.map(one)), parts),
};
