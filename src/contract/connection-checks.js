import { inspect, isDeepStrictEqual } from 'node:util';
import { messageOf } from '../errors.js';
import { count } from '../numbers.js';
import { openBatch } from '../plugins/shared/connections.js';
import { deferred, until } from '../process/wait.js';
import { borrowOf } from '../worker/connections.js';

/** @import { ClientPlugin, Command, Connection, Lease, ScenarioPlugin } from '../plugins/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { createConnector } from '../worker/connections.js' */

/**
 * @typedef {Record<string, () => unknown>} ContractChecks by what must be true; they throw, or reject, where it is not
 * @typedef {(...command: Command) => Promise<any>} Query asks the server directly, as redis-cli would
 */

const LARGE = '0123456789abcdef'.repeat(65_536);
const MANY = 500;

/** @param {{connection: () => Connection, query: Query, prefix: string, hasPipeline: boolean, caches?: boolean}} under @returns {ContractChecks} */
export function connectionChecks({ connection, query, prefix, hasPipeline, caches = false }) {
  let made = 0;
  const newKey = () => `${prefix}key:${made++}`;
  const missing = `${prefix}missing`;
  const isCached = (/** @type {Connection} */ opened) => caches || opened.cache !== undefined;
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
        await expectSettled(isCached(opened), 'get after it was set elsewhere', () => opened.get(key), value);
        await opened.set(key, `${value}!`);
        expectEqual('what is stored', await query('GET', key), `${value}!`);
      }
      await query('DEL', key);
      await expectSettled(isCached(opened), 'get after it was removed', () => opened.get(key), null);
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
      await expectSettled(isCached(opened), 'a key', () => opened.exists(key), 1);
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

/** @template T @param {boolean} isCached @param {string} what @param {() => Promise<T>} read @param {T} expected */
const expectSettled = async (isCached, what, read, expected) =>
  // A client with a cache hears of a change a moment later.
  isCached ? expectSoon(what, read, expected) : expectEqual(what, await read(), expected);

/** @param {Query} query @returns {Promise<number>} */
async function timesOf(query) {
  const { multi = 0, exec = 0 } = await callsOf(query);
  return multi + exec;
}

/**
 * @param {{client: ClientPlugin, connect: (target?: Target) => Promise<Connection>, query: Query, prefix: string,
 *   target: Target}} under @returns {ContractChecks}
 */
export const closingChecks = ({ client, connect, query, prefix, target }) => ({
  async 'close waits for what is in flight'() {
    await query('SET', `${prefix}long`, 'x'.repeat(100_000));
    const connection = await connect();
    const replies = Promise.all(Array.from({ length: 50 }, () => connection.get(`${prefix}long`)));
    await Promise.all([replies, connection.close()]);
  },
  async 'close closes the connection (capability prompt-close)'() {
    const before = await connectionsOf(query);
    const connection = await connect();
    await connection.ping();
    await connection.close();
    if (client.capabilities.has('prompt-close'))
      await expectSoon('connections', () => connectionsOf(query), before);
  },
  async 'destroy closes at once'() {
    const connection = await connect();
    connection.destroy();
    await expectError('a command afterwards', () => connection.ping(), /./);
  },
  async 'uses the database of the target'() {
    const connection = await connect({ ...target, database: 5 });
    await connection.set(`${prefix}in-five`, 'x');
    await connection.close();
    expectEqual('the key in database 0', await query('EXISTS', `${prefix}in-five`), 0);
  },
  async [client.reconnects
    ? 'a lost connection is opened again (reconnects: true)'
    : 'a lost connection is an error, and not opened again (or say reconnects: true)']() {
    const connection = await connect();
    const own = String(await connection.command(['CLIENT', 'ID']));
    await query('CLIENT', 'KILL', 'ID', own);
    if (client.reconnects) {
      await expectSoon('the reply to PING', () => connection.ping().catch(() => null), 'PONG');
    } else {
      const twice = async () => {
        // The loss may be noticed with the first command only.
        await connection.ping();
        await connection.ping();
      };
      await expectError('a command after the loss', twice, /./);
    }
    connection.destroy();
  },
});

/** @param {Query} query */
export const connectionsOf = async (query) =>
  Number(/connected_clients:(\d+)/.exec(String(await query('INFO', 'clients')))?.[1]);

const ROUNDS = 3;

/**
 * @param {{scenario: ScenarioPlugin, opened: () => {lease: Lease, connector: ReturnType<typeof createConnector>},
 *   tasks: number, expected: number, connections: () => Promise<number>, key: string}} under `connections`: of the server;
 *   `key`: holds `value` @returns {ContractChecks}
 */
export function leaseChecks({ scenario, opened, tasks, expected, connections, key }) {
  /** @template T @param {(connection: Connection) => Promise<T>} use @returns {Promise<T[]>} */
  const onEach = (use) =>
    Promise.all(Array.from({ length: tasks }, (_, index) => borrowOf(opened().lease, index)(use)));
  const opening = scenario.opensDuringRun
    ? 'opens a connection for each use'
    : 'opens no connection while it is used';
  /** @param {Lease} lease */
  async function checkBusy(lease) {
    // No more tasks can hold lent connections than there are, unless one is lent to several.
    const held = lease.forTask ? tasks : Math.min(tasks, scenario.opensDuringRun ? tasks : expected);
    // The kernel accepts a connection before the server does.
    if (!scenario.opensDuringRun) await expectSoon(`connections(${tasks})`, connections, expected);
    const released = deferred();
    /** @type {Set<unknown>} */
    const ids = new Set();
    let atWork = 0;
    const work = onEach(async (connection) => {
      ids.add(await connection.command(['CLIENT', 'ID']));
      atWork++;
      await released.promise;
    });
    work.catch(() => {});
    try {
      await expectSoon(`${count(held, 'task')} busy at once`, async () => atWork >= held, true);
      expectEqual('connections on the server', await connections(), expected);
      expectEqual('connections that are used', ids.size, Math.min(tasks, expected));
    } finally {
      released.resolve();
      await work;
    }
    expectThat('every task to have its turn', atWork === tasks);
  }
  return {
    'gives every task a connection that works': async () =>
      expectEqual(
        'the replies to all tasks',
        await onEach((connection) => connection.get(key)),
        Array(tasks).fill('value'),
      ),
    [`has ${count(expected, 'connection')} on the server when all tasks are busy`]: () =>
      checkBusy(opened().lease),
    async [opening]() {
      const { connector } = opened();
      const before = connector.opened();
      for (let round = 0; round < ROUNDS; round++) await onEach((connection) => connection.ping());
      expectEqual(
        'connections opened meanwhile',
        connector.opened() - before,
        scenario.opensDuringRun ? ROUNDS * tasks : 0,
      );
      if (!scenario.opensDuringRun) expectEqual('connections opened before', before, expected);
    },
    async 'passes on the error of a task, and the others go on'() {
      const { lease } = opened();
      await expectError(
        'HSET of a string',
        () => borrowOf(lease, 0)((connection) => connection.hset(key, 'field', 'x')),
        /WRONGTYPE/,
      );
      expectEqual(
        'the last task afterwards',
        await borrowOf(lease, tasks - 1)((connection) => connection.get(key)),
        'value',
      );
    },
  };
}

/** @param {unknown} value */
export const shown = (value) =>
  inspect(value, { breakLength: Number.POSITIVE_INFINITY, maxStringLength: 60 });

/** @param {string} what @param {unknown} found @param {unknown} expected */
export function expectEqual(what, found, expected) {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: expected ${shown(expected)}, got ${shown(found)}`);
}

/** @param {string} what @param {() => unknown} act throws, or rejects @param {RegExp} pattern of its text */
export async function expectError(what, act, pattern) {
  let error;
  try {
    await act();
  } catch (caught) {
    error = caught;
  }
  if (error === undefined) throw new Error(`${what}: expected an error, and there was none`);
  if (!pattern.test(messageOf(error))) {
    throw new Error(`${what}: expected an error like ${pattern}, got '${messageOf(error)}'`);
  }
}

/** @param {string} what @param {string[]} found */
export function expectNone(what, found) {
  if (found.length > 0) throw new Error(`${what}: expected none, got ${[...new Set(found)].join(', ')}`);
}

/** @template T @param {string} what @param {() => Promise<T>} read within three seconds @param {T} expected */
export async function expectSoon(what, read, expected) {
  await until(async () => isDeepStrictEqual(await read(), expected), { everyMs: 5, withinMs: 3000 });
  expectEqual(what, await read(), expected);
}

/** @param {string} what @param {unknown} condition */
export function expectThat(what, condition) {
  if (!condition) throw new Error(`expected ${what}`);
}

/** @param {Query} query @returns {Promise<Record<string, number>>} calls by command, subcommands with their commands */
export async function callsOf(query) {
  /** @type {Record<string, number>} */
  const counts = {};
  const stats = String(await query('INFO', 'commandstats'));
  for (const [, name, calls] of stats.matchAll(/^cmdstat_([^:|]+)(?:\|[^:]*)?:calls=(\d+)/gm)) {
    counts[name] = (counts[name] ?? 0) + Number(calls);
  }
  return counts;
}
