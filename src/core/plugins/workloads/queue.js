import {
  BETWEEN_PROCESSES,
  BLOCK_SECONDS,
  createBlockingReceiver,
  idOfMessage,
} from '../shared/receivers.js';

/** @import { Connection, MessageTools, Step, WorkloadSource } from '../types.js' */

/** A new one each time: the worker replaces its `send`. @returns {Step} */
const push = () => ({
  command: 'lpush',
  send: (commands, { key, value }) => commands.command(['LPUSH', key, value]),
  accept: (reply) => Number.isInteger(reply) && Number(reply) > 0,
});

/** Where the consumer is, as titles put it. @type {Record<string, string>} */
const WHERE = { own: '', shared: ' on one connection', apart: BETWEEN_PROCESSES };

/** @satisfies {WorkloadSource<string>} */
export default {
  summary: 'sends messages through a list; an operation ends when the consumer has its message',
  syntax: 'queue:shared',
  sendsThrough: 'list',

  parse(argument = 'own') {
    if (Object.hasOwn(WHERE, argument)) return argument;
    throw new Error(
      `expected queue, whose consumer has a connection of its own, queue:shared, where it uses the producer's, or ` +
        `queue:apart, where it is a process of its own; got '${argument}'`,
    );
  },

  titleOf: (place) => `LPUSH + BRPOP${WHERE[place]}`,

  processes: (place) => (place === 'apart' ? 2 : 1),

  cycle: () => [[push()]],

  receive: (place, tools) =>
    place === 'shared' ? sharedConnection(tools) : createBlockingReceiver(tools, takeOne(tools)),
};

/** @param {MessageTools} tools */
const takeOne =
  ({ key, ledger, count }) =>
  async (/** @type {Connection} */ connection) => {
    count('brpop');
    const reply = await connection.command(['BRPOP', key, `${BLOCK_SECONDS}`]);
    if (reply !== null) ledger.arrive(idOfMessage(/** @type {string[]} */ (reply)[1]), 0);
  };

/** A BRPOP follows each LPUSH on its connection and so always finds a message. @param {MessageTools} tools */
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
