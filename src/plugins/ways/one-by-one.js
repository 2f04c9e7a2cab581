/** @import { Connection, Request, RequestKind } from '../types.js' */

export default {
  id: 'one-by-one',
  title: 'one by one',
  summary: 'a command for each key, each after the reply to the one before',
  imperative: () => 'send one command after the other',

  /** @param {RequestKind} kind @param {number} items */
  calls: ({ step }, items) => ({ [step.command]: items }),

  /** @param {Connection} connection @param {Request} request */
  async send(connection, { items, step }) {
    const replies = [];
    for (const item of items) replies.push(await step.send(connection, item));
    return replies;
  },
};
