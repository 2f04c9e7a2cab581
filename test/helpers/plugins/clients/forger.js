import ioredis from '../../../../src/plugins/clients/ioredis.js';
import { deceive } from '../../deceive.js';

/** Of each hundred messages, by the last two digits of their number. */
const SENT = { lost: 3, doubled: 5, failedThoughDone: 11, failed: 13, unanswered: 17 };
const RECEIVED = { dropped: 23, repeated: 29 };
/** Commands whose last argument is a message, and a reply that is right. @type {Record<string, unknown>} */
const RIGHT = { LPUSH: 1, ZADD: 1, XADD: '1700000000000-0', PUBLISH: 1 };

/** Loses, doubles and repeats messages on purpose, so that each must be found exactly. */
export default {
  like: 'ioredis',
  id: 'forger',
  title: 'a client of the tests',
  variants: { default: {}, receiver: { receives: true }, deaf: { autoResubscribe: false } },

  /** @param {any} target @param {Record<string, any>} options @param {any} library @param {any} manners */
  async connect(target, { receives, ...options }, library, manners) {
    const connection = await ioredis.connect(target, options, library, manners);
    if (options.autoResubscribe === false) return connection;
    const send = connection.command.bind(connection);
    const subscribe = connection.subscribe?.bind(connection);
    /** What it delivers once more. @type {unknown} */
    let again = null;
    connection.command = async (args) => {
      if (args[0] in RIGHT)
        return receives ? send(args) : deceive(SENT, `${args.at(-1)}`, () => send(args), RIGHT[args[0]]);
      if (!receives || args[0] === 'XACK') return send(args);
      if (again !== null) {
        const reply = again;
        again = null;
        return reply;
      }
      const reply = await send(args);
      const often = timesOf(textIn(reply));
      if (often === 2) again = reply;
      return often === 0 ? null : reply;
    };
    connection.subscribe = async (channel, onMessage) =>
      subscribe?.(channel, (message) => {
        const times = receives ? timesOf(message) : 1;
        for (let time = 0; time < times; time++) onMessage(message);
      });
    return connection;
  },
};

/** @param {unknown} reply to a pop @returns {string} */
const textIn = (reply) => (Array.isArray(reply) ? String(reply[1]) : '');

/** @param {string} message @returns {number} how often this client has it arrive */
function timesOf(message) {
  const digits = Number.parseInt(message, 10) % 100;
  if (digits === RECEIVED.dropped) return 0;
  return digits === RECEIVED.repeated ? 2 : 1;
}
