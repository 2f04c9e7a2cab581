import { messageOf } from '../errors.js';
import { openBatch } from '../plugins/shared/connections.js';
import { callsOf, expectEqual, expectError, expectSoon, expectThat } from './expect.js';

/** @import { Command, Connection } from '../plugins/types.js' */
/** @import { ContractChecks, Query } from './expect.js' */

const LARGE = '0123456789abcdef'.repeat(65_536);
const MANY = 500;

/** @param {{connection: () => Connection, query: Query, prefix: string, hasPipeline: boolean}} under @returns {ContractChecks} */
export function connectionChecks({ connection, query, prefix, hasPipeline }) {
  let made = 0;
  const newKey = () => `${prefix}key:${made++}`;
  const missing = `${prefix}missing`;
  /** @type {Record<string, (opened: Connection, key: string) => Promise<void>>} `key`: a new one for each */
  const checks = {
    async 'set replies OK and stores the value'(opened, key) {
      expectEqual('set', await opened.set(key, 'a value'), 'OK');
      expectEqual('what is stored', await query('GET', key), 'a value');
    },
    async 'get replies the value, as text'(opened, key) {
      await query('SET', key, 'grüße\r\n€');
      expectEqual('get', await opened.get(key), 'grüße\r\n€');
    },
    async 'get replies null for a missing key, and an empty text for an empty one'(opened, key) {
      expectEqual('a missing key', await opened.get(missing), null);
      await opened.set(key, '');
      expectEqual('an empty one', await opened.get(key), '');
    },
    async 'a changed value is seen'(opened, key) {
      for (const value of ['first', 'second', 'other', 'a longer one', 'first']) {
        await query('SET', key, value);
        await expectSettled(opened, 'get after it was set elsewhere', () => opened.get(key), value);
        await opened.set(key, `${value}!`);
        expectEqual('what is stored', await query('GET', key), `${value}!`);
      }
      await query('DEL', key);
      await expectSettled(opened, 'get after it was removed', () => opened.get(key), null);
    },
    async 'values of 1 MB go both ways'(opened, key) {
      expectEqual('set', await opened.set(key, LARGE), 'OK');
      expectEqual('its length on the server', await query('STRLEN', key), LARGE.length);
      expectThat('get to reply the same 1 MB', (await opened.get(key)) === LARGE);
    },
    async 'hset replies how many fields are new'(opened, key) {
      expectEqual('the first', await opened.hset(key, 'field', 'one'), 1);
      expectEqual('the second', await opened.hset(key, 'field', 'two'), 0);
      expectEqual('what is stored', await query('HGET', key, 'field'), 'two');
    },
    async 'exists replies 1 or 0'(opened, key) {
      expectEqual('a missing key', await opened.exists(key), 0);
      await query('SET', key, 'x');
      await expectSettled(opened, 'a key', () => opened.exists(key), 1);
    },
    async 'del replies how many keys are gone'(opened, key) {
      await query('SET', key, 'x');
      expectEqual('a key', await opened.del(key), 1);
      expectEqual('a missing key', await opened.del(key), 0);
    },
    'ping replies PONG': async (opened) => expectEqual('ping', await opened.ping(), 'PONG'),
    async 'command sends any command'(opened, key) {
      expectEqual('APPEND', await opened.command(['APPEND', key, 'abc']), 3);
      expectEqual('STRLEN', await opened.command(['STRLEN', key]), 3);
    },
    async 'an error reply rejects, and the connection goes on'(opened, key) {
      await query('SET', key, 'x');
      await expectError('HSET of a string', () => opened.hset(key, 'field', 'x'), /WRONGTYPE/);
      const hash = newKey();
      await query('HSET', hash, 'field', 'x');
      await expectError('GET of a hash', () => opened.get(hash), /WRONGTYPE/);
      await expectError('an unknown command', () => opened.command(['NOSUCHCOMMAND']), /unknown command/i);
      expectEqual('get afterwards', await opened.get(key), 'x');
    },
    async 'many at once get each their own reply'(opened) {
      const keys = Array.from({ length: MANY }, newKey);
      await Promise.all(keys.map((key) => opened.set(key, `value of ${key}`)));
      const replies = await Promise.all(keys.map((key) => opened.get(key)));
      const wrong = keys.filter((key, index) => replies[index] !== `value of ${key}`);
      expectEqual('keys with the reply of another', wrong, []);
    },
    async 'transaction resolves to the replies of EXEC, whatever else is in flight'(opened, key) {
      const before = await timesOf(query);
      const [stored, replies, none] = await Promise.all([
        opened.set(newKey(), 'x'),
        opened.transaction(increment(key)),
        opened.get(missing),
      ]);
      expectEqual('its replies', replies, [1, '1']);
      expectEqual('the replies to what is sent meanwhile', [stored, none], ['OK', null]);
      expectEqual('MULTI and EXEC that the server counted', (await timesOf(query)) - before, 2);
    },
    async 'a transaction has one place in a batch'(opened, key) {
      const batch = openBatch(opened);
      batch.set(newKey(), 'x');
      batch.transaction(increment(key));
      batch.get(missing);
      expectEqual('the replies', await batch.exec(), ['OK', [1, '1'], null]);
    },
    ...(hasPipeline && {
      async 'pipeline resolves to the replies in order'(opened, key) {
        const replies = await opened.pipeline([['SET', key, '1'], ...increment(key), ['GET', missing]]);
        expectEqual('its replies', replies, ['OK', 2, '2', null]);
      },
      async 'pipeline returns an error reply, and the connection goes on'(opened, key) {
        const replies = await opened.pipeline([['SET', key, 'text'], ...increment(key)]).catch((error) => {
          // A client that does not give the other replies rejects with the one error.
          const text = messageOf(error);
          expectThat(`an error about INCR, got '${text}'`, /not an integer/.test(text));
          return ['OK', error, 'text'];
        });
        expectEqual('the reply before it', replies[0], 'OK');
        expectThat('an Error in the place of the error reply', replies[1] instanceof Error);
        expectEqual('the reply after it', replies[2], 'text');
        expectEqual('get afterwards', await opened.get(key), 'text');
      },
    }),
  };
  return Object.fromEntries(
    Object.entries(checks).map(([title, run]) => [title, () => run(connection(), newKey())]),
  );
}

/** @param {string} key @returns {Command[]} */
const increment = (key) => [
  ['INCR', key],
  ['GET', key],
];

/** @template T @param {Connection} connection @param {string} what @param {() => Promise<T>} read @param {T} expected */
const expectSettled = async (connection, what, read, expected) =>
  // A client with a cache hears of a change a moment later.
  connection.cache ? expectSoon(what, read, expected) : expectEqual(what, await read(), expected);

/** @param {Query} query @returns {Promise<number>} */
async function timesOf(query) {
  const { multi = 0, exec = 0 } = await callsOf(query);
  return multi + exec;
}
