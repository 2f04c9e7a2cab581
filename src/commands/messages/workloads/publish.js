import { between, idOfMessage } from '../receivers.js';

/** @import { Connection, Step, WorkloadSource } from '../../../plugins/types.js' */

const MOST_SUBSCRIBERS = 100;

/** A new one each time: the worker replaces its `send`. @returns {Step} */
const publish = () => ({
  command: 'publish',
  send: (commands, { key, value }) => commands.command(['PUBLISH', key, value]),
  // A node of a cluster counts only its own subscribers.
  accept: (reply) => Number.isInteger(reply) && Number(reply) >= 0,
});

/** @satisfies {WorkloadSource<{count: number, apart: boolean}>} */
export default {
  summary: 'publishes messages; an operation ends when each subscriber has its message',
  requires: ['subscribe'],
  sendsThrough: 'channel',

  parse(argument = '1') {
    const match = /^(?:(\d+)(?::(apart))?|(apart))$/.exec(argument);
    const count = match === null ? 0 : Number(match[1] ?? 1);
    const apart = (match?.[2] ?? match?.[3]) !== undefined;
    if (count >= 1 && count <= MOST_SUBSCRIBERS) return { count, apart };
    throw new Error(
      `expected a number of subscribers from 1 to ${MOST_SUBSCRIBERS}, as in publish:3, and publish:3:apart where they are a ` +
        `process of their own; got '${argument}'`,
    );
  },

  titleOf: ({ count, apart }) =>
    `PUBLISH to ${count === 1 ? 'a subscriber' : `${count} subscribers`}${between(apart)}`,

  processes: ({ apart }) => (apart ? 2 : 1),

  cycle: () => [[publish()]],

  receivers: ({ count }) => count,

  async receive({ count }, { key, connect, ledger }) {
    /** @type {Connection[]} */
    const connections = [];
    for (let receiver = 0; receiver < count; receiver++) {
      const connection = await connect();
      connections.push(connection);
      await connection.subscribe?.(key, (message) => ledger.arrive(idOfMessage(message), receiver));
    }
    return {
      expect() {},
      settled: async () => {},
      close: async () => void (await Promise.all(connections.map((connection) => connection.close()))),
    };
  },
};
