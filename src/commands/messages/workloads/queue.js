import { BLOCK_SECONDS, createBlockingReceiver, idOfMessage, withConsumer } from '../receivers.js';

/** @import { Step, WorkloadSource } from '../../../plugins/types.js' */

/** A new one each time: the worker replaces its `send`. @returns {Step} */
const push = () => ({
  command: 'lpush',
  send: (commands, { key, value }) => commands.command(['LPUSH', key, value]),
  accept: (reply) => Number.isInteger(reply) && Number(reply) > 0,
});

/** @satisfies {WorkloadSource<boolean>} */
export default {
  summary: 'sends messages through a list; an operation ends when the consumer has its message',
  sendsThrough: 'list',
  ...withConsumer('queue', 'LPUSH + BRPOP'),
  cycle: () => [[push()]],

  receive: (_, tools) =>
    createBlockingReceiver(tools, async (connection) => {
      tools.count('brpop');
      const reply = await connection.command(['BRPOP', tools.key, `${BLOCK_SECONDS}`]);
      if (Array.isArray(reply)) tools.ledger.arrive(idOfMessage(reply[1]), 0);
    }),
};
