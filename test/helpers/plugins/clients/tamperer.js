import raw from '../../../../src/plugins/clients/raw.js';

/** Of each hundred calls, or each hundred requests of four, one is tampered with. */
export const [EACH, OF_FOUR, AT] = [100, 400, 3];

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
    let calls = 0;
    const isNext = () => calls++ % each === AT;
    connection.get = async (key) => (isNext() ? 'the value of another key' : read(key));
    connection.set = async (key, value) => (isNext() ? 'OK' : send(['SET', key, value]));
    const hset = connection.hset.bind(connection);
    connection.hset = async (...args) => (isNext() ? 1 : hset(...args));
    connection.command = async (args) => {
      if (args[0] === 'INCR' && isNext()) await send(args);
      return send(args);
    };
    return connection;
  },
};
