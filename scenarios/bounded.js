/** @import { Lease, ScenarioContext } from '../src/plugins/types.js' */

export default {
  id: 'bounded',
  title: 'bounded',
  summary: 'one shared connection, at most --max-in-flight commands under way (p-limit)',
  // Half of the default tasks, so that the bound is felt.
  ownOptions: { maxInFlight: { default: [4] } },
  /** @param {{maxInFlight: number}} options */
  words: ({ maxInFlight }) => ({
    imperative: `share one connection with at most ${maxInFlight} commands under way`,
    options: { maxInFlight: { row: `to ${maxInFlight}`, always: true } },
  }),
  connections: () => 1,
  /** @param {number} _tasks @param {{maxInFlight: number}} options */
  tasksAtOnce: (_tasks, { maxInFlight }) => maxInFlight,

  /** @param {ScenarioContext} context @returns {Promise<Lease>} */
  async open({ connect, options: { maxInFlight } }) {
    // Loaded here, because --help reads this file for its options.
    const { default: pLimit } = await import('p-limit');
    const connection = await connect();
    // An iteration has one command under way at a time, so a bound on iterations is a bound on commands.
    const limit = pLimit(maxInFlight);
    return {
      borrow: (use) => limit(use, connection),
      serve: async () => {},
      close: () => connection.close(),
    };
  },
};
