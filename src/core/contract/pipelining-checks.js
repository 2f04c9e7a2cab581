import { createBatchMeter } from '../worker/batch-meter.js';
import { expectEqual, expectError, expectNone, parameterChecks } from './expect.js';
import { LOST, losing, MEMBERS } from './watched.js';

/** @import { Connection, PipeliningPlugin } from '../plugins/types.js' */

const MANY = 20;

/** @param {{mode: PipeliningPlugin, parameter: any, connect: () => Promise<Connection>, prefix: string}} under */
export function pipeliningChecks({ mode, parameter, connect, prefix }) {
  const keys = Array.from({ length: MANY }, (_, index) => `${prefix}${index}`);
  /** @param {(connection: Connection) => Promise<void>} use @param {(inner: Connection) => Connection} [through] */
  async function onWrapped(use, through = (inner) => inner) {
    const inner = await connect();
    const given = through(inner);
    try {
      await use(mode.wrap?.(given, parameter, createBatchMeter()) ?? given);
    } finally {
      inner.destroy();
    }
  }
  return {
    ...parameterChecks(parameter),
    'has all that a connection has': () =>
      onWrapped(async (connection) =>
        expectNone(
          'what is missing',
          MEMBERS.filter((name) => typeof connection[name] !== 'function'),
        ),
      ),
    'passes on that the connection was lost': () =>
      onWrapped(async (connection) => {
        const get = (/** @type {string} */ key) =>
          expectError('a command', async () => connection.get(key), new RegExp(LOST));
        await Promise.all(keys.map(get));
      }, losing),
    'gives each command its own reply': () =>
      onWrapped(async (connection) => {
        const stored = await Promise.all(keys.map((key) => connection.set(key, `value of ${key}`)));
        expectEqual('the replies of set', stored, Array(MANY).fill('OK'));
        const replies = await Promise.all(keys.map((key) => connection.get(key)));
        expectEqual(
          'the replies of get',
          replies,
          keys.map((key) => `value of ${key}`),
        );
        await expectError(
          'HSET of a string',
          async () => connection.hset(keys[0], 'field', 'x'),
          /WRONGTYPE/,
        );
        expectEqual('a missing key', await connection.get(`${prefix}missing`), null);
        await connection.close();
      }),
  };
}
