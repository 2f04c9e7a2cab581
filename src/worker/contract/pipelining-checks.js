import { createBatchMeter } from '../batch-meter.js';
import { expectEqual, expectError, expectNone, parameterChecks } from './expect.js';
import { LOST, losing, MEMBERS } from './watched.js';

/** @import { Connection, PipeliningPlugin } from '../../plugins/types.js' */
/** @import { ContractChecks } from './expect.js' */

const MANY = 20;

/**
 * What must be true of every pipelining mode.
 * @param {object} under @param {PipeliningPlugin} under.mode @param {any} under.parameter
 * @param {() => Promise<Connection>} under.connect @param {string} under.prefix of keys @returns {ContractChecks}
 */
export const pipeliningChecks = ({ mode, parameter, connect, prefix }) => ({
  ...parameterChecks(parameter),
  async 'has all that a connection has'() {
    const inner = await connect();
    const connection = wrapped({ mode, parameter, inner });
    const missing = MEMBERS.filter((name) => typeof connection[name] !== 'function');
    await inner.close();
    expectNone('what is missing', missing);
  },
  async 'passes on that the connection was lost'() {
    const inner = await connect();
    const connection = wrapped({ mode, parameter, inner: losing(inner) });
    try {
      const commands = Array.from({ length: MANY }, (_, index) =>
        expectError('a command', async () => connection.get(`${prefix}${index}`), new RegExp(LOST)),
      );
      await Promise.all(commands);
    } finally {
      inner.destroy();
    }
  },
  async 'gives each command its own reply'() {
    const inner = await connect();
    const connection = wrapped({ mode, parameter, inner });
    try {
      const keys = Array.from({ length: MANY }, (_, index) => `${prefix}${index}`);
      const stored = await Promise.all(keys.map((key) => connection.set(key, `value of ${key}`)));
      expectEqual('the replies of set', stored, Array(MANY).fill('OK'));
      const replies = await Promise.all(keys.map((key) => connection.get(key)));
      expectEqual(
        'the replies of get',
        replies,
        keys.map((key) => `value of ${key}`),
      );
      await expectError('HSET of a string', async () => connection.hset(keys[0], 'field', 'x'), /WRONGTYPE/);
      expectEqual('a missing key', await connection.get(`${prefix}missing`), null);
    } finally {
      await connection.close();
    }
  },
});

/** @param {{mode: PipeliningPlugin, parameter: any, inner: Connection}} given @returns {Connection} */
const wrapped = ({ mode, parameter, inner }) => mode.wrap?.(inner, parameter, createBatchMeter()) ?? inner;
