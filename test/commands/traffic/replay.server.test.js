import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowOf } from '../../../src/commands/traffic/commands.js';
import { openReplay } from '../../../src/commands/traffic/open-replay.js';
import { summarizeReplay } from '../../../src/commands/traffic/plan-replay.js';
import { createKeyNumbers } from '../../../src/commands/traffic/recording.js';
import { createArguments } from '../../../src/commands/traffic/scan-resp.js';
import { createCommandTable, shapeArguments } from '../../../src/commands/traffic/shape-arguments.js';
import { loadCatalogue } from '../../../src/options/catalogue.js';
import { loadClient } from '../../../src/worker/cell-parts.js';
import { startManaged } from '../../helpers/managed-server.js';
import { PROFILE_END, PROFILE_HEADER, profileText } from '../../helpers/sample-profile.js';

/** @import { OpenContext } from '../../../src/plugins/types.js' */

/** What a service might do, in an order in which everything has something to work on. A key is a word with a colon. */
const SERVICE = `
SET a:1 hello EX 60 | GET a:1 | GET a:none | GETRANGE a:1 1 3 | STRLEN a:1 | APPEND a:2 more | SETRANGE a:2 2 xx
MSET a:3 one a:4 three | MGET a:3 a:none a:4 | GETSET a:3 two | GETDEL a:4 | SETNX a:5 x | SET a:5 y NX | GETEX a:5 EX 99
INCR n:1 | INCRBY n:1 500 | DECR n:2 | INCRBYFLOAT n:3 1.5 | SETBIT b:1 70 1 | GETBIT b:1 70 | BITCOUNT b:1
HSET h:1 name anna age 42 | HGET h:1 name | HGET h:1 none | HMGET h:1 name none age | HGETALL h:1 | HGETALL h:none
HKEYS h:1 | HVALS h:1 | HLEN h:1 | HEXISTS h:1 name | HSTRLEN h:1 name | HINCRBY h:2 count 5 | HDEL h:1 age | HSCAN h:1 0
LPUSH l:1 first | RPUSH l:1 second third | LRANGE l:1 0 -1 | LRANGE l:1 1 1 | LINDEX l:1 2 | LLEN l:1 | LPOP l:1
RPOP l:none | LPOS l:1 third | LTRIM l:1 0 10 | LREM l:1 0 second | LMOVE l:1 l:2 LEFT RIGHT | LRANGE l:none 0 9
SADD s:1 red green blue | SMEMBERS s:1 | SISMEMBER s:1 red | SMISMEMBER s:1 red none | SCARD s:1 | SRANDMEMBER s:1
SADD s:2 red pink | SINTER s:1 s:2 | SUNION s:1 s:2 | SDIFF s:1 s:2 | SREM s:1 blue | SPOP s:1 | SSCAN s:2 0
ZADD z:1 100 anna 200 ben 300 carla | ZRANGE z:1 0 -1 | ZRANGE z:1 0 1 WITHSCORES | ZREVRANGE z:1 1 2 | ZSCORE z:1 anna
ZRANGEBYSCORE z:1 100 250 | ZRANGEBYSCORE z:1 100 250 WITHSCORES | ZRANGE z:1 (99 +inf BYSCORE
ZRANGE z:1 300 100 BYSCORE REV LIMIT 0 2 | ZREVRANGEBYSCORE z:1 (250 100 | ZRANGE z:1 - + BYLEX | ZRANK z:1 ben | ZRANK z:1 none | ZCARD z:1
ZCOUNT z:1 100 200 | ZINCRBY z:1 5 anna | ZREM z:1 ben | ZPOPMIN z:1 | ZREMRANGEBYSCORE z:1 900 999 | ZSCAN z:1 0
XADD x:1 * field value | XADD x:1 * field another | XLEN x:1 | XRANGE x:1 - + COUNT 1 | PFADD p:1 a b | PFCOUNT p:1
XREAD COUNT 5 STREAMS x:1 0 | XREAD STREAMS x:none 0 | XADD x:1 * field third | XREADGROUP GROUP workers one STREAMS x:1 >
XREADGROUP GROUP workers one COUNT 1 STREAMS x:1 > | XACK x:1 workers 1700000000000-0 | LMPOP 1 l:1 LEFT | ZMPOP 1 z:1 MIN
EXISTS a:1 | EXISTS a:1 a:3 | TYPE a:1 | TYPE h:1 | TTL a:1 | EXPIRE a:1 100 | PEXPIREAT a:1 9999999999999 | PERSIST a:1
DEL a:1 a:3 | UNLINK l:1 | PING | ECHO hello`
  .trim()
  .split(/\s*[|\n]\s*/)
  .map((text) => /** @type {[string, ...string[]]} */ (text.split(' ')));

/** @param {unknown} reply as redis gives it under RESP2 @returns {unknown} */
function shapeOf(reply) {
  if (reply === null) return ['_', 0];
  if (typeof reply === 'number') return [':', String(reply).length];
  if (typeof reply === 'string') return [/^(?:OK|PONG|string|hash)$/.test(reply) ? '+' : '$', reply.length];
  const all = /** @type {unknown[]} */ (reply);
  const bytes = all.flat(9).reduce((/** @type {number} */ sum, each) => sum + String(each ?? '').length, 0);
  return ['*', bytes, all.length, all.filter((each) => each === null).length];
}

const find = createCommandTable();
const keyNumbers = createKeyNumbers();

/** @param {[string, ...string[]]} command @returns {unknown[]} arguments as a profile holds them */
function argumentsOf(command) {
  const args = createArguments();
  const words = command.map((word) => Buffer.from(word));
  args.enter(Buffer.concat(words));
  let offset = 0;
  for (const { length } of words) {
    args.begin(length, offset);
    offset += length;
  }
  return JSON.parse(shapeArguments(find(args), args, keyNumbers));
}

/** @type {OpenContext} */
const CONTEXT = {
  keyPrefix: 'rpb:test',
  slots: 'none',
  part: { index: 0, count: 1 },
  removal: ['DEL'],
};

describe('a replay of recorded commands', () => {
  /** @type {Awaited<ReturnType<typeof startManaged>>} */
  let server;
  /** @type {string} */
  let folder;
  /** @type {unknown[][]} */
  let lines;
  before(async () => {
    server = await startManaged();
    folder = mkdtempSync(join(tmpdir(), 'rpb-replay-'));
    lines = [];
    await server.query('XGROUP', 'CREATE', 'x:1', 'workers', '$', 'MKSTREAM');
    for (const [index, command] of SERVICE.entries()) {
      const reply = shapeOf(await server.query(...command));
      lines.push([1000 * index, 1, command[0], argumentsOf(command), reply, 50, 1, 1]);
    }
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
  });

  /** @param {unknown[][]} commands */
  function profileOf(commands) {
    const file = join(folder, 'traffic.ndjson');
    writeFileSync(
      file,
      profileText([PROFILE_HEADER, ...commands, { ...PROFILE_END, commands: commands.length }]),
    );
    return file;
  }

  it('knows every command of the service', () => {
    assert.deepEqual(
      [...new Set(SERVICE.map(([name]) => name))].filter((name) => !rowOf(name).replay),
      [],
    );
  });

  it('gets the recorded replies with every client, over and over, and leaves nothing behind', async () => {
    const { clients, packages } = await loadCatalogue();
    const installed = [...clients.values()].filter(({ package: name }) => name === null || name in packages);
    for (const client of installed) {
      await server.query('FLUSHALL');
      const connection = await client.connect(
        server.targets.tcp,
        client.variants.default,
        await loadClient(client),
      );
      const replay = await openReplay(profileOf(lines), CONTEXT);
      assert.deepEqual(await replay.store(connection), [], client.id);
      await replay.reset?.(connection);
      const [step] = replay.steps;
      for (let count = 0; count < 3 * lines.length; count++) {
        const item = replay.items.next();
        const reply = await step.send(connection, item);
        assert.ok(step.accept(reply, item), `${client.id}: ${step.wrongText?.(reply, item, String)}`);
      }
      const calls = /** @type {Record<string, number>} */ (step.takeCalls?.());
      assert.equal(calls.get, 3 * SERVICE.filter(([name]) => name === 'GET').length);
      assert.equal(
        Object.values(calls).reduce((sum, each) => sum + each),
        3 * lines.length,
      );
      await server.query('DEL', ...replay.items.keys());
      assert.equal(await server.query('DBSIZE'), 0);
      await connection.close();
    }
  });

  it('notices a reply of another type or size', async () => {
    const { clients } = await loadCatalogue();
    const connection = await /** @type {any} */ (clients.get('raw')).connect(server.targets.tcp);
    const replay = await openReplay(profileOf(lines.slice(0, 2)), CONTEXT);
    await replay.store(connection);
    const [step] = replay.steps;
    const [set, get] = [replay.items.next(), replay.items.next()];
    for (const wrong of [null, 'O', 'OKAY', ['OK'], 'hello world']) {
      if (wrong !== null) assert.ok(!step.accept(wrong, set), `SET took ${wrong}`);
      assert.ok(!step.accept(wrong, get), `GET took ${wrong}`);
    }
    assert.equal(
      step.wrongText?.('hell', get, String),
      'GET replied a text of 4 bytes, instead of a text of 5',
    );
    connection.destroy();
  });

  it('makes the same order of all processes together', async () => {
    const file = profileOf(lines);
    const parts = await Promise.all(
      [0, 1, 2].map((index) => openReplay(file, { ...CONTEXT, part: { index, count: 3 } })),
    );
    const whole = await openReplay(file, CONTEXT);
    for (let count = 0; count < 2 * lines.length; count++) {
      const own = /** @type {any} */ (parts[count % 3].items.next());
      assert.deepEqual(own.command, /** @type {any} */ (whole.items.next()).command);
    }
  });

  it('keeps the recorded times, at any speed or rate', async () => {
    const times = [0, 10, 10, 30];
    const file = profileOf(times.map((ms, index) => [1000 * ms, 1, 'GET', [[index, 5]], ['_', 0], 9, 1, 1]));
    const { schedule, items } = await openReplay(file, CONTEXT);
    const at = (/** @type {number} */ ratePerSecond, /** @type {number} */ speed) =>
      [0, 1, 2, 3, 4, 5].map((each) => schedule({ ratePerSecond, speed }).at(each));
    const asRecorded = { ratePerSecond: 1, speed: 1 };
    assert.deepEqual(at(1, 1), [0, 10, 10, 30, 40, 50]);
    assert.deepEqual(at(1, 2), [0, 5, 5, 15, 20, 25]);
    assert.deepEqual([0, 1, 10, 11, 40, 41].map(schedule(asRecorded).due), [0, 1, 1, 3, 4, 5]);
    items.next();
    assert.deepEqual(at(1, 1), [0, 0, 20, 30, 40, 40]);
    // Four in 40 ms are 100 a second.
    const { at: atRate, due } = schedule({ ratePerSecond: 200 });
    assert.deepEqual([0, 1, 2, 3, 4, 5].map(atRate), [0, 0, 10, 15, 20, 20]);
    assert.equal(due(2000), 400);
  });

  it('gives the keys of one command one slot of a cluster, and each its length', async () => {
    const file = profileOf([
      [
        0,
        1,
        'MGET',
        [
          [0, 40],
          [1, 40],
        ],
        ['*', 6, 2, 0],
        9,
        1,
        1,
      ],
    ]);
    const { items } = await openReplay(file, { ...CONTEXT, slots: 'spread' });
    const [one, other] = items.keys();
    assert.match(one, /^rpb:test\{(\w+)\}/);
    assert.equal(one.split('}')[0], other.split('}')[0]);
    assert.deepEqual([one.length, other.length], [40, 40]);
  });

  it('tells the size of the keys that it sends, where those of the service are shorter', async () => {
    const key = (/** @type {number} */ bytes) => [0, 1, 'GET', [[bytes, bytes]], ['$', 5], 9, 1, 1];
    const keyBytes = async (/** @type {unknown[][]} */ commands) =>
      (await summarizeReplay(profileOf(commands))).keyBytes;
    assert.equal(await keyBytes([key(5)]), 12);
    assert.equal(await keyBytes([key(5), key(40)]), 26);
    assert.equal(await keyBytes([[0, 1, 'PING', [], ['+', 4], 9, 1, 1]]), 12);
  });

  it('tells how many were in flight, by times and without those that waited for data', async () => {
    const get = (/** @type {number} */ atUs, /** @type {number} */ tookUs) => [
      ...[atUs, 1, 'GET', [[0, 5]], ['$', 5], tookUs],
      ...[1, 1],
    ];
    const tasks = async (/** @type {unknown[][]} */ commands) =>
      (await summarizeReplay(profileOf(commands))).tasks;
    assert.equal(await tasks([get(0, 10), get(20, 10), get(40, 10)]), 1);
    assert.equal(await tasks([get(0, 100), get(20, 100), get(40, 100), get(200, 5)]), 3);
    const blocked = [0, 2, 'BLPOP', [[1, 5], '0'], ['*', 6, 2, 0], 900, 1, 1];
    const push = [800, 3, 'LPUSH', [[1, 5], 1], [':', 1], 9, 1, 1];
    assert.equal(await tasks([get(100, 10), push, blocked]), 1);
    assert.equal(await tasks([[0, 1, 'GET', [[0, 5]], ['$', 5], null, 1, 1]]), undefined);
  });

  it('leaves out what fails on generated data, and says so', async () => {
    const { clients } = await loadCatalogue();
    const connection = await /** @type {any} */ (clients.get('raw')).connect(server.targets.tcp);
    const file = profileOf([
      [0, 1, 'SET', [[0, 5], 5, 'XX', 'NX'], ['+', 2], 9, 1, 1],
      [1, 1, 'GET', [[0, 5]], ['$', 5], 9, 1, 1],
    ]);
    const replay = await openReplay(file, CONTEXT);
    assert.deepEqual(await replay.store(connection), [
      { kind: 'not-replayed', command: 'SET', why: 'ERR syntax error' },
    ]);
    assert.deepEqual(
      [1, 2, 3].map(() => /** @type {any} */ (replay.items.next()).command[0]),
      ['GET', 'GET', 'GET'],
    );
    connection.destroy();
  });
});
