import {
  BETWEEN_PROCESSES,
  BLOCK_SECONDS,
  createBlockingReceiver,
  entriesIn,
  entriesOf,
  idOfMessage,
} from '../shared/message-receivers.js';

/** @import { Connection, Step, WorkloadPlugin } from '../types.js' */

/** More entries than are ever in flight, and few enough not to matter. */
const KEPT = 10_000;
/** More than a run with a fault has. */
const ALL = 10_000_000;
const AT_ONCE = 100;
const [GROUP, CONSUMER] = ['consumers', 'consumer'];

/** @param {number} kept @returns {Step} */
const add = (kept) => ({
  command: 'xadd',
  send: (commands, { key, value }) =>
    commands.command(['XADD', key, 'MAXLEN', '~', `${kept}`, '*', 'message', value]),
  // In milliseconds, since 2001.
  accept: (reply) => /^\d{13}-\d+$/.test(String(reply)),
});

/** @satisfies {WorkloadPlugin<boolean>} */
export default {
  id: 'stream',
  title: 'XADD, and XREADGROUP of it',
  summary:
    'sends messages through a stream to a consumer group, which acknowledges them; an operation ends when its message has arrived',
  syntax: 'stream:apart',
  sendsThrough: 'stream',
  checks: { XADD: 'type', XREADGROUP: 'value', XACK: 'value' },

  // Whether the consumer is a process of its own.
  parse(argument) {
    if (argument === undefined || argument === 'apart') return argument === 'apart';
    throw new Error(
      `expected stream, or stream:apart, whose consumer is a process of its own; got '${argument}'`,
    );
  },

  titleOf: (apart) => `XADD + XREADGROUP${apart ? BETWEEN_PROCESSES : ''}`,

  processes: (apart) => (apart ? 2 : 1),

  outlasts: (apart) => !apart,

  messagesLeft: async (ask, key) =>
    entriesIn(await ask('XRANGE', key, '-', '+')).map(([, message]) => message),
  keepsMessages: true,

  cycle: (_, { isFollowed }) => [[add(isFollowed ? ALL : KEPT)]],

  async receive(_, tools) {
    const { key, connect, ledger, count } = tools;
    const createGroup = (/** @type {Connection} */ connection, /** @type {string} */ from) =>
      connection.command(['XGROUP', 'CREATE', key, GROUP, from, 'MKSTREAM']);
    const setUp = await connect();
    await createGroup(setUp, '$');
    await setUp.close();

    /** @param {Connection} connection @param {string} from `>`: new messages; `0`: those not acknowledged yet */
    async function take(connection, from) {
      count('xreadgroup');
      const reply = await connection.command([
        .../** @type {const} */ (['XREADGROUP', 'GROUP', GROUP, CONSUMER, 'COUNT', `${AT_ONCE}`]),
        ...['BLOCK', `${BLOCK_SECONDS * 1000}`, 'STREAMS', key, from],
      ]);
      const entries = entriesOf(reply);
      if (entries.length === 0) return 0;
      count('xack');
      const acknowledged = connection.command(['XACK', key, GROUP, ...entries.map(([id]) => id)]);
      for (const [, message] of entries) ledger.arrive(idOfMessage(message), 0);
      if (Number(await acknowledged) === entries.length) return entries.length;
      throw new Error(`XACK of ${entries.length} messages replied ${await acknowledged}`);
    }

    let hasFailed = false;
    return createBlockingReceiver(tools, async (connection) => {
      try {
        if (hasFailed) {
          // A server may have lost the group; messages of the broken connection come again.
          await createGroup(connection, '0').catch(() => {});
          while ((await take(connection, '0')) > 0);
          hasFailed = false;
        }
        await take(connection, '>');
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    });
  },
};
