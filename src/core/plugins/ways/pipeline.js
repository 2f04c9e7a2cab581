import { openBatch } from '../shared/connections.js';
import { oneEach, withoutErrors } from '../shared/requests.js';

/** @import { WayPlugin } from '../types.js' */

/** @satisfies {WayPlugin} */
export default {
  id: 'pipeline',
  title: 'pipeline',
  summary: "a command for each key, in the client's own pipeline",
  requires: ['pipeline'],

  calls: oneEach,

  send(connection, { items, step, parts }) {
    const batch = openBatch(connection);
    for (const item of items) step.send(batch, item);
    return withoutErrors(batch.exec(), parts);
  },
};
