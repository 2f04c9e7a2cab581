import { messageOf } from '../../errors.js';
import { openBatch } from '../../plugins/shared/command-batch.js';
import { expectEqual, expectError, expectThat } from './expect.js';

/**
 * @import { Connection } from '../../plugins/types.js'
 * @import { ContractCheck } from './expect.js'
 */

/** 1 MB. */
const LARGE = '0123456789abcdef'.repeat(65_536);
const MANY = 500;

/**
 * What must be true of every connection.
 *
 * @param {object} under
 * @param {() => Connection} under.connection the one under test
 * @param {(...command: string[]) => Promise<any>} under.query asks the server by another way, as redis-cli would
 * @param {string} under.prefix of keys
 * @param {boolean} under.hasPipeline
 * @returns {ContractCheck[]}
 */
export function connectionChecks({ connection, query, prefix, hasPipeline }) {
  let made = 0;
  const newKey = () => `${prefix}key:${made++}`;
  const missing = `${prefix}missing`;
  return [
    ...stringChecks({ connection, query, newKey, missing }),
    {
      title: 'hset replies how many fields are new',
      async run() {
        const key = newKey();
        expectEqual('the first', await connection().hset(key, 'field', 'one'), 1);
        expectEqual('the second', await connection().hset(key, 'field', 'two'), 0);
        expectEqual('what is stored', await query('HGET', key, 'field'), 'two');
      },
    },
    {
      title: 'exists replies 1 or 0',
      async run() {
        const key = newKey();
        expectEqual('a missing key', await connection().exists(key), 0);
        await query('SET', key, 'x');
        expectEqual('a key', await settled(connection(), () => connection().exists(key), 1), 1);
      },
    },
    {
      title: 'del replies how many keys are gone',
      async run() {
        const key = newKey();
        await query('SET', key, 'x');
        expectEqual('a key', await connection().del(key), 1);
        expectEqual('a missing key', await connection().del(key), 0);
      },
    },
    {
      title: 'ping replies PONG',
      run: async () => expectEqual('ping', await connection().ping(), 'PONG'),
    },
    {
      title: 'command sends any command',
      async run() {
        const key = newKey();
        expectEqual('APPEND', await connection().command(['APPEND', key, 'abc']), 3);
        expectEqual('STRLEN', await connection().command(['STRLEN', key]), 3);
      },
    },
    {
      title: 'an error reply rejects, and the connection goes on',
      async run() {
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
    },
    {
      title: 'many at once get each their own reply',
      async run() {
        const keys = Array.from({ length: MANY }, newKey);
        await Promise.all(keys.map((key) => connection().set(key, `value of ${key}`)));
        const replies = await Promise.all(keys.map((key) => connection().get(key)));
        const wrong = keys.filter((key, index) => replies[index] !== `value of ${key}`);
        expectEqual('keys with the reply of another', wrong, []);
      },
    },
    ...transactionChecks({ connection, newKey, missing, query }),
    ...(hasPipeline ? pipelineChecks({ connection, newKey, missing }) : []),
  ];
}

const SOON_MS = 3000;

/**
 * A client with a cache hears of a change a moment later.
 *
 * @template T
 * @param {Connection} connection
 * @param {() => Promise<T>} read
 * @param {T} expected
 * @returns {Promise<T>} what it gets in the end
 */
async function settled(connection, read, expected) {
  const deadline = performance.now() + SOON_MS;
  let found = await read();
  while (connection.cache && found !== expected && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    found = await read();
  }
  return found;
}

/**
 * @param {object} under
 * @param {() => Connection} under.connection
 * @param {(...command: string[]) => Promise<any>} under.query
 * @param {() => string} under.newKey
 * @param {string} under.missing
 * @returns {ContractCheck[]}
 */
const stringChecks = ({ connection, query, newKey, missing }) => [
  {
    title: 'set replies OK and stores the value',
    async run() {
      const key = newKey();
      expectEqual('set', await connection().set(key, 'a value'), 'OK');
      expectEqual('what is stored', await query('GET', key), 'a value');
    },
  },
  {
    title: 'get replies the value, as text',
    async run() {
      const key = newKey();
      await query('SET', key, 'grüße\r\n€');
      expectEqual('get', await connection().get(key), 'grüße\r\n€');
    },
  },
  {
    title: 'get replies null for a missing key, and an empty text for an empty one',
    async run() {
      expectEqual('a missing key', await connection().get(missing), null);
      const key = newKey();
      await connection().set(key, '');
      expectEqual('an empty one', await connection().get(key), '');
    },
  },
  {
    title: 'a changed value is seen',
    async run() {
      const key = newKey();
      for (const value of ['first', 'second', 'other', 'a longer one', 'first']) {
        await query('SET', key, value);
        expectEqual(
          'get after it was set elsewhere',
          await settled(connection(), () => connection().get(key), value),
          value,
        );
        await connection().set(key, `${value}!`);
        expectEqual('what is stored', await query('GET', key), `${value}!`);
      }
      await query('DEL', key);
      expectEqual(
        'get after it was removed',
        await settled(connection(), () => connection().get(key), null),
        null,
      );
    },
  },
  {
    title: 'values of 1 MB go both ways',
    async run() {
      const key = newKey();
      expectEqual('set', await connection().set(key, LARGE), 'OK');
      expectEqual('its length on the server', await query('STRLEN', key), LARGE.length);
      expectThat('get to reply the same 1 MB', (await connection().get(key)) === LARGE);
    },
  },
];

/**
 * @param {object} under
 * @param {() => Connection} under.connection
 * @param {() => string} under.newKey
 * @param {string} under.missing
 * @param {(...command: string[]) => Promise<any>} under.query
 * @returns {ContractCheck[]}
 */
const transactionChecks = ({ connection, newKey, missing, query }) => [
  {
    title: 'transaction resolves to the replies of EXEC, whatever else is under way',
    async run() {
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
      expectEqual('the replies to what is sent beside it', [stored, none], ['OK', null]);
      expectEqual('MULTI and EXEC that the server counted', (await timesOf(query)) - before, 2);
    },
  },
  {
    title: 'a transaction has one place in a batch',
    async run() {
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
  },
];

/** @param {(...command: string[]) => Promise<any>} query @returns {Promise<number>} how often MULTI and EXEC were called */
async function timesOf(query) {
  const text = String(await query('INFO', 'commandstats'));
  return [...text.matchAll(/^cmdstat_(?:multi|exec):calls=(\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
}

/**
 * @param {object} under
 * @param {() => Connection} under.connection
 * @param {() => string} under.newKey
 * @param {string} under.missing
 * @returns {ContractCheck[]}
 */
const pipelineChecks = ({ connection, newKey, missing }) => [
  {
    title: 'pipeline resolves to the replies in order',
    async run() {
      const key = newKey();
      const replies = await connection().pipeline([
        ['SET', key, '1'],
        ['INCR', key],
        ['GET', key],
        ['GET', missing],
      ]);
      expectEqual('its replies', replies, ['OK', 2, '2', null]);
    },
  },
  {
    title: 'pipeline tells an error reply, and the connection goes on',
    async run() {
      const key = newKey();
      const replies = await connection()
        .pipeline([
          ['SET', key, 'text'],
          ['INCR', key],
          ['GET', key],
        ])
        .catch((error) => {
          // A client that does not tell the other replies rejects with the one error.
          expectThat(
            `an error about INCR, got '${messageOf(error)}'`,
            /not an integer/.test(messageOf(error)),
          );
          return ['OK', error, 'text'];
        });
      expectEqual('the reply before it', replies[0], 'OK');
      expectThat('an Error in the place of the error reply', replies[1] instanceof Error);
      expectEqual('the reply after it', replies[2], 'text');
      expectEqual('get afterwards', await connection().get(key), 'text');
    },
  },
];
