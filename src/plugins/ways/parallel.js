import { oneEach } from '../shared/requests.js';

/** @import { Connection, Request } from '../types.js' */

export default {
  id: 'parallel',
  title: 'parallel',
  summary: 'a command for each key, all at once by Promise.all',
  imperative: () => 'send the commands at once (Promise.all)',

  calls: oneEach,

  /** @param {Connection} connection @param {Request} request */
  send: (connection, { items, step }) => Promise.all(items.map((item) => step.send(connection, item))),
};
