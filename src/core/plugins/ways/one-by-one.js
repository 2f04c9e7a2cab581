import { errorOf, oneEach } from '../shared/requests.js';

/** @import { WayPlugin } from '../types.js' */

/** @satisfies {WayPlugin} */
export default {
  id: 'one-by-one',
  title: 'one by one',
  summary: 'a command for each key, or those of a sequence, each after the reply to the one before',

  calls: oneEach,

  async send(connection, { items, step, parts }) {
    /** @type {unknown[]} */
    const replies = [];
    try {
      for (const item of items) replies.push(await step.send(connection, item));
    } catch (error) {
      throw errorOf(error, parts, replies.length);
    }
    return replies;
  },
};
