/** @import { ScenarioSource } from '../src/plugins/types.js' */

/** @satisfies {ScenarioSource} */
export default {
  summary: 'one shared connection, at most --max-in-flight commands in flight (p-limit)',
  // Half of the default tasks, so that the bound is felt.
  ownOptions: { maxInFlight: { default: [4] } },
  words: ({ maxInFlight }) => ({
    options: { maxInFlight: { row: `to ${maxInFlight}`, always: true } },
  }),
  connections: () => 1,
  tasksAtOnce: (_tasks, { maxInFlight }) => maxInFlight,

  async open({ connect, options: { maxInFlight } }) {
    // Loaded here, because --help reads this file for its options.
    const { default: pLimit } = await import('p-limit');
    const connection = await connect();
    // An iteration has one command in flight at a time.
    const limit = pLimit(maxInFlight);
    return {
      borrow: (use) => limit(use, connection),
      close: () => connection.close(),
    };
  },
};
