import raw from '../../../../src/plugins/clients/raw.js';

/** Of each hundred calls of a method, or each hundred requests of four, one is tampered with: reads and writes of different requests. */
const [EACH, OF_FOUR, READ_AT, WRITE_AT] = [100, 400, 3, 203];

/** Gives wrong replies, loses writes and does them twice, whatever is sent, so that each must be found exactly. */
export default {
  id: 'tamperer',
  title: 'a client of the tests',
  package: null,
  variants: { default: { each: EACH }, four: { each: OF_FOUR } },
  capabilities: new Set(['unix', 'pipeline', 'prompt-close', 'recovery']),

  /** @param {any} target @param {Record<string, any>} options */
  async connect(target, { each }) {
    const connection = await raw.connect(target);
    const send = connection.command.bind(connection);
    const read = connection.get.bind(connection);
    const tampersAt = (/** @type {number} */ at) => {
      let calls = 0;
      return () => calls++ % each === at % each;
    };
    const isRead = tampersAt(READ_AT);
    const isWrite = tampersAt(WRITE_AT);
    connection.get = async (key) => (isRead() ? 'the value of another key' : read(key));
    connection.set = async (key, value) => (isWrite() ? 'OK' : send(['SET', key, value]));
    const hset = connection.hset.bind(connection);
    connection.hset = async (...args) => (isWrite() ? 1 : hset(...args));
    connection.command = async (args) => {
      if (args[0] === 'INCR' && isWrite()) await send(args);
      return send(args);
    };
    return connection;
  },
};
