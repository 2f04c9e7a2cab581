import { messageOf } from '../../errors.js';
import { openBatch } from '../../plugins/shared/command-batch.js';
import { expectEqual, expectError, expectSoon, expectThat } from './expect.js';
import { callsOf } from './watched.js';

/** @import { Connection } from '../../plugins/types.js' */
/** @import { ContractChecks, Query } from './expect.js' */

/** 1 MB. */
const LARGE = '0123456789abcdef'.repeat(65_536);
const MANY = 500;

/**
 * What must be true of every connection.
 * @param {object} under @param {() => Connection} under.connection the one under test @param {Query} under.query
 * @param {string} under.prefix of keys @param {boolean} under.hasPipeline @returns {ContractChecks}
 */
export function connectionChecks({ connection, query, prefix, hasPipeline }) {
  let made = 0;
  const newKey = () => `${prefix}key:${made++}`;
  const missing = `${prefix}missing`;
  return {
    ...stringChecks({ connection, query, newKey, missing }),
    async 'hset replies how many fields are new'() {
      const key = newKey();
      expectEqual('the first', await connection().hset(key, 'field', 'one'), 1);
      expectEqual('the second', await connection().hset(key, 'field', 'two'), 0);
      expectEqual('what is stored', await query('HGET', key, 'field'), 'two');
    },
    async 'exists replies 1 or 0'() {
      const key = newKey();
      expectEqual('a missing key', await connection().exists(key), 0);
      await query('SET', key, 'x');
      await expectSettled(connection(), 'a key', () => connection().exists(key), 1);
    },
    async 'del replies how many keys are gone'() {
      const key = newKey();
      await query('SET', key, 'x');
      expectEqual('a key', await connection().del(key), 1);
      expectEqual('a missing key', await connection().del(key), 0);
    },
    'ping replies PONG': async () => expectEqual('ping', await connection().ping(), 'PONG'),
    async 'command sends any command'() {
      const key = newKey();
      expectEqual('APPEND', await connection().command(['APPEND', key, 'abc']), 3);
      expectEqual('STRLEN', await connection().command(['STRLEN', key]), 3);
    },
    async 'an error reply rejects, and the connection goes on'() {
      const key = newKey();
      await query('SET', key, 'x');
      await expectError('HSET of a string', () => connection().hset(key, 'field', 'x'), /WRONGTYPE/);
      const hash = newKey();
      await query('HSET', hash, 'field', 'x');
      await expectError('GET of a hash', () => connection().get(hash), /WRONGTYPE/);
      await expectError(
        'an unknown command',
        () => connection().command(['NOSUCHCOMMAND']),
        /unknown command/i,
      );
      expectEqual('get afterwards', await connection().get(key), 'x');
    },
    async 'many at once get each their own reply'() {
      const keys = Array.from({ length: MANY }, newKey);
      await Promise.all(keys.map((key) => connection().set(key, `value of ${key}`)));
      const replies = await Promise.all(keys.map((key) => connection().get(key)));
      const wrong = keys.filter((key, index) => replies[index] !== `value of ${key}`);
      expectEqual('keys with the reply of another', wrong, []);
    },
    ...transactionChecks({ connection, newKey, missing, query }),
    ...(hasPipeline && pipelineChecks({ connection, newKey, missing })),
  };
}

/**
 * A client with a cache hears of a change a moment later.
 * @template T @param {Connection} connection @param {string} what @param {() => Promise<T>} read @param {T} expected
 */
const expectSettled = async (connection, what, read, expected) =>
  connection.cache ? expectSoon(what, read, expected) : expectEqual(what, await read(), expected);

/**
 * @param {object} under @param {() => Connection} under.connection @param {Query} under.query
 * @param {() => string} under.newKey @param {string} under.missing @returns {ContractChecks}
 */
const stringChecks = ({ connection, query, newKey, missing }) => ({
  async 'set replies OK and stores the value'() {
    const key = newKey();
    expectEqual('set', await connection().set(key, 'a value'), 'OK');
    expectEqual('what is stored', await query('GET', key), 'a value');
  },
  async 'get replies the value, as text'() {
    const key = newKey();
    await query('SET', key, 'grüße\r\n€');
    expectEqual('get', await connection().get(key), 'grüße\r\n€');
  },
  async 'get replies null for a missing key, and an empty text for an empty one'() {
    expectEqual('a missing key', await connection().get(missing), null);
    const key = newKey();
    await connection().set(key, '');
    expectEqual('an empty one', await connection().get(key), '');
  },
  async 'a changed value is seen'() {
    const key = newKey();
    for (const value of ['first', 'second', 'other', 'a longer one', 'first']) {
      await query('SET', key, value);
      await expectSettled(connection(), 'get after it was set elsewhere', () => connection().get(key), value);
      await connection().set(key, `${value}!`);
      expectEqual('what is stored', await query('GET', key), `${value}!`);
    }
    await query('DEL', key);
    await expectSettled(connection(), 'get after it was removed', () => connection().get(key), null);
  },
  async 'values of 1 MB go both ways'() {
    const key = newKey();
    expectEqual('set', await connection().set(key, LARGE), 'OK');
    expectEqual('its length on the server', await query('STRLEN', key), LARGE.length);
    expectThat('get to reply the same 1 MB', (await connection().get(key)) === LARGE);
  },
});

/**
 * @param {object} under @param {() => Connection} under.connection @param {() => string} under.newKey
 * @param {string} under.missing @param {Query} under.query @returns {ContractChecks}
 */
const transactionChecks = ({ connection, newKey, missing, query }) => ({
  async 'transaction resolves to the replies of EXEC, whatever else is in flight'() {
    const [key, other] = [newKey(), newKey()];
    const before = await timesOf(query);
    const [stored, replies, none] = await Promise.all([
      connection().set(other, 'x'),
      connection().transaction([
        ['INCR', key],
        ['GET', key],
      ]),
      connection().get(missing),
    ]);
    expectEqual('its replies', replies, [1, '1']);
    expectEqual('the replies to what is sent meanwhile', [stored, none], ['OK', null]);
    expectEqual('MULTI and EXEC that the server counted', (await timesOf(query)) - before, 2);
  },
  async 'a transaction has one place in a batch'() {
    const [key, other] = [newKey(), newKey()];
    const batch = openBatch(connection());
    batch.set(other, 'x');
    batch.transaction([
      ['INCR', key],
      ['GET', key],
    ]);
    batch.get(missing);
    expectEqual('the replies', await batch.exec(), ['OK', [1, '1'], null]);
  },
});

/** @param {Query} query @returns {Promise<number>} how often MULTI and EXEC were called */
async function timesOf(query) {
  const { multi = 0, exec = 0 } = await callsOf(query);
  return multi + exec;
}

/**
 * @param {object} under @param {() => Connection} under.connection @param {() => string} under.newKey
 * @param {string} under.missing @returns {ContractChecks}
 */
const pipelineChecks = ({ connection, newKey, missing }) => ({
  async 'pipeline resolves to the replies in order'() {
    const key = newKey();
    const replies = await connection().pipeline([
      ['SET', key, '1'],
      ['INCR', key],
      ['GET', key],
      ['GET', missing],
    ]);
    expectEqual('its replies', replies, ['OK', 2, '2', null]);
  },
  async 'pipeline returns an error reply, and the connection goes on'() {
    const key = newKey();
    const replies = await connection()
      .pipeline([
        ['SET', key, 'text'],
        ['INCR', key],
        ['GET', key],
      ])
      .catch((error) => {
        // A client that does not tell the other replies rejects with the one error.
        expectThat(`an error about INCR, got '${messageOf(error)}'`, /not an integer/.test(messageOf(error)));
        return ['OK', error, 'text'];
      });
    expectEqual('the reply before it', replies[0], 'OK');
    expectThat('an Error in the place of the error reply', replies[1] instanceof Error);
    expectEqual('the reply after it', replies[2], 'text');
    expectEqual('get afterwards', await connection().get(key), 'text');
  },
});
