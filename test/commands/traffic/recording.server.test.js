import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { describeProfile } from '../../../src/commands/traffic/describe-profile.js';
import { trafficReport } from '../../../src/commands/traffic/traffic-report.js';
import { encodeCommand } from '../../../src/relay/resp.js';
import { dial, shapeOf, startRecorded } from '../../helpers/recorded.js';
import { startRedis } from '../../helpers/redis-server.js';
import { until } from '../../helpers/until.js';

/** @import { CommandLine } from '../../../src/commands/traffic/types.js' */

describe('traffic/recording', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startRecorded>>} */
  let recorded;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());
  beforeEach(async () => {
    await server.query('FLUSHALL');
    recorded = await startRecorded({ host: '127.0.0.1', port: server.port });
  });
  afterEach(() => recorded.close());

  /** @param {...string} words */
  const command = (...words) => encodeCommand(words).toString('latin1');

  it('records commands with their replies, keys as numbers, and passes every byte on', async () => {
    const { say, end } = await dial(recorded.port);
    await say(command('SET', 'k', 'value', 'EX', '60'), '+OK\r\n');
    await say(command('get', 'k') + command('GET', 'none'), '$5\r\nvalue\r\n$-1\r\n');
    await say(command('MGET', 'k', 'none', 'k'), '*3\r\n$5\r\nvalue\r\n$-1\r\n$5\r\nvalue\r\n');
    await say(
      command('LPUSH', 'k', 'x'),
      '-WRONGTYPE Operation against a key holding the wrong kind of value\r\n',
    );
    await say(command('PING'), '+PONG\r\n');
    await say(
      command('NOSUCH', 'secret'),
      "-ERR unknown command 'NOSUCH', with args beginning with: 'secret' \r\n",
    );
    end();
    const { commands } = await recorded.lines();
    assert.deepEqual(commands.map(shapeOf), [
      ['SET', [[0, 1], 5, 'EX', '60'], ['+', 2]],
      ['GET', [[0, 1]], ['$', 5]],
      ['GET', [[1, 4]], ['_', 0]],
      [
        'MGET',
        [
          [0, 1],
          [1, 4],
          [0, 1],
        ],
        ['*', 10, 3, 1],
      ],
      ['LPUSH', [[0, 1], 1], ['-', 'WRONGTYPE']],
      ['PING', [], ['+', 4]],
      ['OTHER', [], ['-', 'ERR']],
    ]);
    const [, get, miss] = commands;
    assert.deepEqual([get.inFlight, miss.inFlight, get.atUs === miss.atUs], [1, 2, true]);
    assert.deepEqual([...new Set(commands.map(({ connection }) => connection))], [1]);
  });

  it('gives queued commands the replies of EXEC, and none where there was none', async () => {
    const { say, end } = await dial(recorded.port);
    await say(
      command('MULTI') +
        command('INCR', 'n') +
        command('GET', 'none') +
        command('HGETALL', 'h') +
        command('EXEC'),
      '+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n:1\r\n$-1\r\n*0\r\n',
    );
    await say(command('MULTI') + command('INCR', 'n') + command('DISCARD'), '+OK\r\n+QUEUED\r\n+OK\r\n');
    await say(command('GET', 'n'), '$1\r\n1\r\n');
    end();
    const { commands } = await recorded.lines();
    assert.deepEqual(
      commands.map(({ name, reply }) => [name, reply]),
      [
        ['MULTI', ['+', 2]],
        ['INCR', [':', 1]],
        ['GET', ['_', 0]],
        ['HGETALL', ['*', 0, 0, 0]],
        ['EXEC', ['*', 1, 3, 1]],
        ['MULTI', ['+', 2]],
        ['INCR', null],
        ['DISCARD', ['+', 2]],
        ['GET', ['$', 1]],
      ],
    );
  });

  for (const protocol of [2, 3]) {
    it(`tells messages from replies in RESP${protocol}`, async () => {
      const { say, ask, end } = await dial(recorded.port);
      const mark = protocol === 3 ? '>' : '*';
      if (protocol === 3) await ask(command('HELLO', '3'), /modules\r\n\*0\r\n$/);
      await say(
        command('SUBSCRIBE', 'one', 'two') + command('PSUBSCRIBE', 'p*'),
        ['subscribe,$3,one,1', 'subscribe,$3,two,2', 'psubscribe,$2,p*,3']
          .map((each) => each.split(','))
          .map(
            ([kind, length, name, n]) =>
              `${mark}3\r\n$${kind.length}\r\n${kind}\r\n${length}\r\n${name}\r\n:${n}\r\n`,
          )
          .join(''),
      );
      await server.query('PUBLISH', 'one', 'hello');
      await say('', `${mark}3\r\n$7\r\nmessage\r\n$3\r\none\r\n$5\r\nhello\r\n`);
      // Which channel is left first is up to the server.
      await ask(
        command('UNSUBSCRIBE') + command('PUNSUBSCRIBE', 'p*') + command('GET', 'k'),
        protocol === 3 ? /_\r\n$/ : /\$-1\r\n$/,
      );
      end();
      const { commands, lines } = await recorded.lines();
      assert.deepEqual(
        commands.filter(({ name }) => name !== 'HELLO').map(({ name, reply }) => [name, reply?.[0]]),
        [
          ['SUBSCRIBE', '*'],
          ['PSUBSCRIBE', '*'],
          ['UNSUBSCRIBE', '*'],
          ['PUNSUBSCRIBE', '*'],
          ['GET', '_'],
        ],
      );
      const [close] = lines.flatMap((line) => (line.type === 'close' ? [line] : []));
      assert.deepEqual([close.pushes, close.unparsedBytes], [1, 0]);
    });
  }

  it('does not read on where CLIENT REPLY turns replies off, and gives a late one to a command that blocks', async () => {
    const { say, end } = await dial(recorded.port);
    await say(command('SET', 'k', 'v') + command('GET', 'k'), '+OK\r\n$1\r\nv\r\n');
    const silent = await dial(recorded.port);
    await silent.say(
      command('CLIENT', 'REPLY', 'OFF') +
        command('INCR', 'n') +
        command('CLIENT', 'REPLY', 'ON') +
        command('GET', 'n'),
      '+OK\r\n$1\r\n1\r\n',
    );
    silent.end();
    const other = await dial(recorded.port);
    other.socket.write(command('BLPOP', 'queue', '5'));
    await until('BLPOP', async () => (await server.info()).blocked_clients === '1');
    const blockedAt = performance.now();
    await sleep(5);
    const waitedUs = (performance.now() - blockedAt) * 1000;
    await say(command('RPUSH', 'queue', 'job'), ':1\r\n');
    await other.say('', '*2\r\n$5\r\nqueue\r\n$3\r\njob\r\n');
    end();
    other.end();
    const { commands } = await recorded.lines();
    assert.deepEqual(commands.map(({ name, reply }) => [name, reply?.[1] ?? null]).slice(0, 3), [
      ['SET', 2],
      ['GET', 1],
      ['CLIENT REPLY', null],
    ]);
    assert.equal(recorded.tap.state().unparsed, 1);
    const blocked = /** @type {CommandLine} */ (commands.find(({ name }) => name === 'BLPOP'));
    assert.deepEqual(shapeOf(blocked), ['BLPOP', [[1, 5], '5'], ['*', 8, 2, 0]]);
    assert.ok(Number(blocked.tookUs) > 0.9 * waitedUs, `${blocked.tookUs} µs`);
  });

  it('passes on what it cannot parse, and counts it', async () => {
    const { say, end, isClosed } = await dial(recorded.port);
    await say(command('SET', 'k', 'v'), '+OK\r\n');
    await say('*1\r\n!bad\r\n', "-ERR Protocol error: expected '$', got '!'\r\n");
    await until('the server to hang up', isClosed);
    end();
    const next = await dial(recorded.port);
    await next.say(command('GET', 'k'), '$1\r\nv\r\n');
    next.end();
    assert.equal(recorded.tap.state().unparsed, 1);
    const { commands, lines } = await recorded.lines();
    assert.deepEqual(
      commands.map(({ name }) => name),
      ['SET', 'GET'],
    );
    const [close] = lines.flatMap((line) => (line.type === 'close' ? [line] : []));
    assert.ok(close.unparsedBytes > 10);
  });

  it('records what node-redis and ioredis do', async () => {
    /** @type {any[]} their types together take tsc minutes */
    const clients = [
      createClient({ url: recorded.url, RESP: 3 }),
      createClient({ url: recorded.url, RESP: 2 }),
    ];
    for (const client of clients) await client.connect();
    const ioredis = new Redis(recorded.port, '127.0.0.1');
    for (const [index, client] of clients.entries()) {
      await client.hSet(`h${index}`, { a: '1', b: '22' });
      assert.deepEqual({ ...(await client.hGetAll(`h${index}`)) }, { a: '1', b: '22' });
      assert.deepEqual(await client.multi().incr('n').get('n').exec(), [index + 1, `${index + 1}`]);
    }
    /** @type {string[]} */
    const messages = [];
    const subscriber = clients[0].duplicate();
    await subscriber.connect();
    await subscriber.subscribe('news', (/** @type {string} */ message) => messages.push(message));
    await ioredis.publish('news', 'hello');
    await until('the message', () => messages.length === 1);
    assert.deepEqual(await ioredis.pipeline().set('p', 'v').get('p').exec(), [
      [null, 'OK'],
      [null, 'v'],
    ]);
    for (const client of [...clients, subscriber]) client.destroy();
    ioredis.disconnect();
    const { commands, lines } = await recorded.lines();
    const named = (/** @type {string} */ name) =>
      commands.filter((each) => each.name === name).map(({ reply }) => reply);
    assert.deepEqual(named('HGETALL'), [
      ['%', 5, 2, 0],
      ['*', 5, 4, 0],
    ]);
    assert.deepEqual(named('INCR'), [
      [':', 1],
      [':', 1],
    ]);
    assert.equal(named('EXEC').length, 2);
    assert.equal(named('SUBSCRIBE').length, 1);
    assert.ok(lines.every((line) => line.type !== 'close' || line.unparsedBytes === 0));
    assert.ok(lines.some((line) => line.type === 'close' && line.pushes === 1));
  });

  it('goes on when the profile cannot be written, and says why', async () => {
    const full = await startRecorded({ host: '127.0.0.1', port: server.port }, { name: '/dev/full' });
    const { say, end } = await dial(full.port);
    await say(command('SET', 'k', 'v'), '+OK\r\n');
    await until('the failure', () => full.tap.state().failure);
    assert.match(`${full.tap.state().failure}`, /ENOSPC/);
    assert.equal(full.tap.state().ended, 'full');
    await say(command('GET', 'k'), '$1\r\nv\r\n');
    const next = await dial(full.port);
    await next.say(command('GET', 'k'), '$1\r\nv\r\n');
    assert.equal(full.tap.state().connections, 1);
    end();
    next.end();
    await full.close();
  });

  it('closes connections that its server closes, and takes new ones when it is back', async () => {
    const first = await dial(recorded.port);
    await first.say(command('SET', 'k', 'v'), '+OK\r\n');
    first.socket.write(command('BLPOP', 'none', '0'));
    await until('BLPOP', () => recorded.tap.state().inFlight === 1);
    await server.restart();
    await until('the connection to be closed', first.isClosed);
    const second = await dial(recorded.port);
    await second.say(command('GET', 'k'), '$-1\r\n');
    second.end();
    const { commands } = await recorded.lines();
    assert.deepEqual(
      commands.map(({ name, reply, tookUs }) => [name, reply?.[0] ?? null, tookUs === null]),
      [
        ['SET', '+', false],
        ['BLPOP', null, true],
        ['GET', '_', false],
      ],
    );
  });

  it('ends with connections open, and closes them', async () => {
    const { say, isClosed, socket } = await dial(recorded.port);
    await say(command('SET', 'k', 'v'), '+OK\r\n');
    socket.write(command('BLPOP', 'none', '0'));
    await until('BLPOP', () => recorded.tap.state().inFlight === 1);
    const { end, lines } = await recorded.lines();
    await until('the connection to be closed', isClosed);
    assert.equal(end?.commands, 2);
    assert.deepEqual(
      lines.slice(-2).map(({ type }) => type),
      ['close', 'end'],
    );
  });

  it('has the reader of a slow service wait, not its memory', async () => {
    await server.query('SET', 'big', 'x'.repeat(4_000_000));
    const { socket, end } = await dial(recorded.port);
    socket.pause();
    socket.write(command('GET', 'big').repeat(50));
    let seen = 0;
    await until('the relay to stop reading', async () => {
      const before = seen;
      seen = Number((await server.info()).total_net_output_bytes);
      return before > 0 && seen - before < 100_000;
    });
    assert.ok(seen < 100e6, `${seen} bytes were taken from the server`);
    end();
  });

  it('tells nothing of contents', async () => {
    const SECRET = 'hunter2';
    const { socket, end } = await dial(recorded.port);
    const secretly = [
      ['AUTH', SECRET],
      ['AUTH', `user${SECRET}`, SECRET],
      ['HELLO', '3', 'AUTH', SECRET, SECRET, 'SETNAME', SECRET],
      ['CLIENT', 'SETNAME', SECRET],
      ['CLIENT', 'SETINFO', 'LIB-NAME', SECRET],
      ['CONFIG', 'SET', 'requirepass', ''],
      ['ACL', 'SETUSER', SECRET, `>${SECRET}`],
      ['MIGRATE', SECRET, '1', SECRET, '0', '10', 'AUTH', SECRET],
      ['SET', SECRET, SECRET, 'EX', '10'],
      ['SET', SECRET, SECRET, SECRET],
      ['HSET', SECRET, SECRET, SECRET],
      ['ZADD', SECRET, '1', SECRET],
      ['XADD', SECRET, '*', SECRET, SECRET],
      ['XGROUP', 'CREATE', SECRET, SECRET, '$', SECRET],
      ['EVAL', `return redis.error_reply('${SECRET}')`, '1', SECRET, SECRET],
      ['EVAL', `return redis.error_reply('${SECRET.toUpperCase()} text')`, '0'],
      ['EVAL', `return '${SECRET}'`, '0'],
      ['SORT', SECRET, 'BY', SECRET, 'GET', SECRET],
      ['SCAN', '0', 'MATCH', SECRET, 'TYPE', SECRET],
      ['PUBLISH', SECRET, SECRET],
      ['SUBSCRIBE', SECRET],
      [SECRET, SECRET],
      [`${SECRET}.GET`, SECRET],
      ['OBJECT', SECRET, SECRET],
      ['CLIENT', SECRET],
      ['FCALL', SECRET, '1', SECRET, SECRET],
    ];
    socket.write(secretly.map((words) => command(...words)).join(''));
    socket.write(`ECHO ${SECRET}\r\n${SECRET}\r\n*1\r\n${SECRET}\r\n`);
    await until('the server to have closed it', () => socket.destroyed || socket.readableEnded);
    end();
    const { text, commands } = await recorded.lines();
    assert.ok(commands.length >= secretly.length, `${commands.length}`);
    const summary = await describeProfile(recorded.file);
    const shown = JSON.stringify(trafficReport(summary));
    assert.doesNotMatch(text + shown + JSON.stringify(summary), /hunter|rretnuh/i);
    assert.doesNotMatch(JSON.stringify(recorded.tap.state()), /hunter/i);
    const [hex, base64] = ['hex', 'base64'].map((encoding) =>
      Buffer.from(SECRET).toString(/** @type {BufferEncoding} */ (encoding)),
    );
    assert.ok(!text.includes(hex) && !text.includes(base64));
    for (const { name, args } of commands) {
      if (/AUTH|HELLO|CLIENT|CONFIG|ACL|MIGRATE|OTHER/.test(name)) assert.deepEqual(args, [], name);
    }
  });

  it('has the hash of keys in no profile, and other numbers for other keys', async () => {
    const { say, end } = await dial(recorded.port);
    const once = Array.from({ length: 150 }, (_, index) => command('GET', `key:${index}`)).join('');
    for (let time = 0; time < 2; time++) await say(once, '$-1\r\n'.repeat(150));
    end();
    const { commands } = await recorded.lines();
    assert.deepEqual(
      commands.map(({ args: [key] }) => /** @type {number[]} */ (key)[0]),
      Array.from({ length: 300 }, (_, index) => index % 150),
    );
  });
});
