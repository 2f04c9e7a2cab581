import { openBatch } from './shared/connections.js';

/** @import { Item, RequestKind, WayPlugin } from './types.js' */

/** How requests of several keys, or of several commands, are coded, and how misses fill a cache. @type {WayPlugin[]} */
export default [
  {
    id: 'one-by-one',
    title: 'one by one',
    summary: 'a command for each key, or those of a sequence, each after the reply to the one before',

    async send(connection, { items, step }) {
      /** @type {unknown[]} */
      const replies = [];
      for (const item of items) replies.push(await step.send(connection, item));
      return replies;
    },
  },
  {
    id: 'parallel',
    title: 'parallel',
    summary: 'a command for each key, all at once by Promise.all',

    send: (connection, { items, step }) => Promise.all(items.map((item) => step.send(connection, item))),
  },
  {
    id: 'pipeline',
    title: 'pipeline',
    summary: "a command for each key, in the client's own pipeline",
    requires: ['pipeline'],

    send(connection, { items, step }) {
      const batch = openBatch(connection);
      for (const item of items) step.send(batch, item);
      return batch.exec().then(withoutErrors);
    },
  },
  {
    id: 'multi',
    title: 'MULTI',
    summary: 'a command for each key, in a transaction: MULTI, EXEC',
    inOneSlot: true,
    around: ['multi', 'exec'],
    requiresForBuffers: ['transaction-buffers'],

    send: (connection, { items, one }) => connection.transaction(items.map(one)).then(withoutErrors),
  },
  {
    id: 'mget',
    title: 'MGET, MSET',
    summary: 'one command for all keys: MGET, MSET',
    ofMany: true,
    inOneSlot: true,

    send: (connection, /** @type {Required<RequestKind> & {items: Item[]}} */ { items, many }) =>
      connection.command(many.of(items)).then((reply) => many.replies(reply, items)),
  },
  {
    id: 'each',
    title: 'each miss fills',
    summary: 'of cache-aside: a backfill for each miss',
    ofBackfills: true,
  },
  {
    id: 'joined',
    title: 'joined',
    summary: 'of cache-aside: misses of one key in a process wait for one backfill',
    ofBackfills: true,
    joins: true,
  },
];

/** @param {unknown[]} replies @throws the first error among them */
function withoutErrors(replies) {
  for (const reply of replies) if (reply instanceof Error) throw reply;
  return replies;
}
