import { createBatchMeter } from '../batch-meter.js';
import { expectEqual, expectError } from './expect.js';

/**
 * @import { Connection, PipeliningPlugin } from '../../plugins/types.js'
 * @import { ContractCheck } from './expect.js'
 */

const MANY = 20;

/**
 * What must be true of every pipelining mode.
 *
 * @param {object} under
 * @param {PipeliningPlugin} under.mode
 * @param {any} under.parameter
 * @param {() => Promise<Connection>} under.connect
 * @param {string} under.prefix of keys
 * @returns {ContractCheck[]}
 */
export const pipeliningChecks = ({ mode, parameter, connect, prefix }) => [
  {
    title: 'means something that survives the way to a worker',
    run: async () => expectEqual('as JSON', JSON.parse(JSON.stringify(parameter ?? null)), parameter ?? null),
  },
  {
    title: 'gives each command its own reply',
    async run() {
      const inner = await connect();
      const connection = mode.wrap?.(inner, parameter, createBatchMeter()) ?? inner;
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
        await expectError(
          'HSET of a string',
          async () => connection.hset(keys[0], 'field', 'x'),
          /WRONGTYPE/,
        );
        expectEqual('a missing key', await connection.get(`${prefix}missing`), null);
      } finally {
        await connection.close();
      }
    },
  },
];
