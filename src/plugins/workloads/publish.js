import { idOfMessage } from '../shared/blocking-receiver.js';

/** @import { Connection, MessageTools, Step } from '../types.js' */

/** Each has a connection of its own, in the process that publishes. */
const MOST_SUBSCRIBERS = 100;

/** @returns {Step} */
const publish = () => ({
  command: 'publish',
  send: (commands, { key, value }) => commands.command(['PUBLISH', key, value]),
  // Of a cluster a node counts its own subscribers only; what arrives is counted anyway.
  accept: (reply) => Number.isInteger(reply) && Number(reply) >= 0,
});

export default {
  id: 'publish',
  title: 'PUBLISH, to subscribers',
  summary: 'publishes messages; an operation ends when each subscriber has its message',
  syntax: 'publish:3',
  requires: ['subscribe'],
  checks: { PUBLISH: 'type' },

  /** @param {string} [argument] how many subscribers @returns {number} */
  parse(argument = '1') {
    const subscribers = /^\d+$/.test(argument) ? Number(argument) : 0;
    if (subscribers >= 1 && subscribers <= MOST_SUBSCRIBERS) return subscribers;
    throw new Error(
      `expected a number of subscribers from 1 to ${MOST_SUBSCRIBERS}, as in publish:3; got '${argument}'`,
    );
  },

  /** @param {number} subscribers */
  titleOf: (subscribers) =>
    subscribers === 1 ? 'PUBLISH to a subscriber' : `PUBLISH to ${subscribers} subscribers`,

  cycle: () => [[publish()]],

  /** @param {number} subscribers */
  receivers: (subscribers) => subscribers,

  /** @param {number} subscribers @param {MessageTools} tools */
  async receive(subscribers, { key, connect, ledger }) {
    /** @type {Connection[]} */
    const connections = [];
    for (let receiver = 0; receiver < subscribers; receiver++) {
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
