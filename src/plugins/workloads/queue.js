import {
  BETWEEN_PROCESSES,
  BLOCK_SECONDS,
  createBlockingReceiver,
  idOfMessage,
} from '../shared/message-receivers.js';

/** @import { Connection, MessageTools, Step } from '../types.js' */

/** @returns {Step} */
const push = () => ({
  command: 'lpush',
  send: (commands, { key, value }) => commands.command(['LPUSH', key, value]),
  accept: (reply) => Number.isInteger(reply) && Number(reply) > 0,
});

/** Where the consumer is, as its title says it. @type {Record<string, string>} */
const WHERE = { own: '', shared: ' on one connection', apart: BETWEEN_PROCESSES };

export default {
  id: 'queue',
  title: 'LPUSH, and BRPOP of it',
  summary: 'sends messages through a list; an operation ends when the consumer has its message',
  syntax: 'queue:shared',
  sendsThrough: 'list',
  checks: { LPUSH: 'value', BRPOP: 'value' },

  /** @param {string} [argument] which connection the consumer has @returns {string} */
  parse(argument = 'own') {
    if (Object.hasOwn(WHERE, argument)) return argument;
    throw new Error(
      `expected queue, whose consumer has a connection of its own, queue:shared, where it uses the producer's, or queue:apart, ` +
        `where it is a process of its own; got '${argument}'`,
    );
  },

  /** @param {string} place */
  titleOf: (place) => `LPUSH + BRPOP${WHERE[place]}`,

  /** @param {string} place */
  processes: (place) => (place === 'apart' ? 2 : 1),

  cycle: () => [[push()]],

  /** @param {string} place @param {MessageTools} tools */
  receive: (place, tools) => (place === 'shared' ? sharedConnection(tools) : ownConnection(tools)),
};

/** @param {MessageTools} tools @returns {(connection: Connection) => Promise<void>} takes one message */
const takeOne =
  ({ key, ledger, count }) =>
  async (connection) => {
    count('brpop');
    const reply = await connection.command(['BRPOP', key, `${BLOCK_SECONDS}`]);
    if (reply !== null) ledger.arrive(idOfMessage(/** @type {[string, string]} */ (reply)[1]), 0);
  };

/** @param {MessageTools} tools */
const ownConnection = (tools) => createBlockingReceiver(tools, takeOne(tools));

/**
 * Behind each LPUSH comes a BRPOP on the same connection, which then always finds a message: its own, or another's.
 * @param {MessageTools} tools
 */
async function sharedConnection(tools) {
  const { ledger } = tools;
  const take = takeOne(tools);
  /** @type {Set<Promise<void>>} */
  const asked = new Set();
  return {
    /** @param {Connection} connection */
    expect(connection) {
      const taking = take(connection);
      asked.add(taking);
      taking.catch(ledger.fail).finally(() => asked.delete(taking));
    },
    settled: async () => void (await Promise.allSettled(asked)),
    close: async () => {},
  };
}
