/** @import { Connection, Request, RequestKind } from '../types.js' */

export default {
  id: 'parallel',
  title: 'parallel',
  summary: 'a command for each key, all at once by Promise.all',
  imperative: () => 'send the commands at once (Promise.all)',

  calls: (/** @type {RequestKind} */ { each }, /** @type {number} */ items) => each(items),

  /** @param {Connection} connection @param {Request} request */
  send: (connection, { items, step }) => Promise.all(items.map((item) => step.send(connection, item))),
};
