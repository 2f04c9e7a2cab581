import { BLOCK_SECONDS, createBlockingReceiver, entriesOf, idOfMessage, withConsumer } from '../receivers.js';

/** @import { Connection, Step, WorkloadSource } from '../../../plugins/types.js' */

/** More entries than are ever in flight, and few enough not to matter. */
const KEPT = 10_000;
const AT_ONCE = 100;
const [GROUP, CONSUMER] = ['consumers', 'consumer'];

/** A new one each time: the worker replaces its `send`. @returns {Step} */
const add = () => ({
  command: 'xadd',
  send: (commands, { key, value }) =>
    commands.command(['XADD', key, 'MAXLEN', '~', `${KEPT}`, '*', 'message', value]),
  // Milliseconds have 13 digits since 2001.
  accept: (reply) => /^\d{13}-\d+$/.test(String(reply)),
});

/** @satisfies {WorkloadSource<boolean>} */
export default {
  summary:
    'sends messages through a stream to a consumer group, which acknowledges them; an operation ends when its message has arrived',
  sendsThrough: 'stream',
  ...withConsumer('stream', 'XADD + XREADGROUP'),
  cycle: () => [[add()]],

  async receive(_, tools) {
    const { key, connect, ledger, count } = tools;
    const setUp = await connect();
    await setUp.command(['XGROUP', 'CREATE', key, GROUP, '$', 'MKSTREAM']);
    await setUp.close();

    /** @param {Connection} connection */
    async function take(connection) {
      count('xreadgroup');
      const options = `GROUP ${GROUP} ${CONSUMER} COUNT ${AT_ONCE} BLOCK ${BLOCK_SECONDS * 1000} STREAMS`;
      const reply = await connection.command(['XREADGROUP', ...options.split(' '), key, '>']);
      const entries = entriesOf(reply);
      if (entries.length === 0) return;
      count('xack');
      const acknowledged = connection.command(['XACK', key, GROUP, ...entries.map(([id]) => id)]);
      for (const [, message] of entries) ledger.arrive(idOfMessage(message), 0);
      if (Number(await acknowledged) !== entries.length)
        throw new Error(`XACK replied ${await acknowledged} instead of ${entries.length}`);
    }
    return createBlockingReceiver(tools, take);
  },
};
