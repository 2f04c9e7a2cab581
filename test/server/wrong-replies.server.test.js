import assert from 'node:assert/strict';
import { removeLeftovers } from '../../src/cli/commands/clean.js';
import { difference, snapshotOf } from '../../src/server/counters.js';
import { openServer } from '../../src/server/open.js';
import { createEvictionWatch } from '../../src/server/server-watch.js';
import { sentinelTarget } from '../../src/server/target.js';
import { bulk, startFakeRedis } from '../helpers/tcp-server.js';

/** @import { Target } from '../../src/server/types.js' */

/** @param {(string | number | null | any[])[]} values @returns {string} in RESP2 */
const list = (...values) =>
  `*${values.length}\r\n${values
    .map((value) => {
      if (value === null) return '$-1\r\n';
      if (Array.isArray(value)) return list(...value);
      return typeof value === 'number' ? `:${value}\r\n` : bulk(value);
    })
    .join('')}`;

/** Slots of a cluster whose one node is where it is asked. @param {any[]} ranges */
const slots = (...ranges) => list(...ranges);
const HERE = ['', 7000];

/**
 * What is said where the named command replies this, after "127.0.0.1:PORT gave a wrong reply to".
 *
 * @type {Record<string, [how: 'standalone' | 'cluster' | 'sentinel' | 'clean', command: string, reply: string, said: string]>}
 */
const WRONG = {
  'PING with a number': ['standalone', 'PING', ':5\r\n', 'PING: expected "PONG", got 5'],
  'INFO with a list': ['standalone', 'INFO', list(1, 2), 'INFO: expected string, got a list of 2'],
  'INFO with nil': ['standalone', 'INFO', '$-1\r\n', 'INFO: expected string, got null'],
  'CONFIG GET with half a pair': [
    'standalone',
    'CONFIG',
    list('save'),
    'CONFIG GET: expected names and values in turn, got a list of 1',
  ],
  'DEL with nil': ['standalone', 'DEL', '$-1\r\n', 'DEL: expected (0 | 1), got null'],
  'DEL with more keys than one': ['standalone', 'DEL', ':7\r\n', 'DEL: expected (0 | 1), got 7'],
  'CLUSTER SLOTS with a text': ['cluster', 'CLUSTER', '+OK\r\n', 'CLUSTER SLOTS: expected Array, got string'],
  'CLUSTER SLOTS without nodes': [
    'cluster',
    'CLUSTER',
    slots([0, 16383]),
    'CLUSTER SLOTS: 0.2: expected Array, got nothing',
  ],
  'CLUSTER SLOTS with a million slots': [
    'cluster',
    'CLUSTER',
    slots([0, 999_999, HERE]),
    'CLUSTER SLOTS: 0.1: expected a slot from 0 to 16383, got 999999',
  ],
  'CLUSTER SLOTS with port 0': [
    'cluster',
    'CLUSTER',
    slots([0, 16383, ['a', 0]]),
    'CLUSTER SLOTS: 0.2.1: expected a port from 1 to 65535, got 0',
  ],
  'CLUSTER SLOTS with a host in two lines': [
    'cluster',
    'CLUSTER',
    slots([0, 16383, ['a\nb', 7000]]),
    'CLUSTER SLOTS: 0.2.0: expected a host, got string',
  ],
  'CLUSTER SLOTS with slots that are given twice': [
    'cluster',
    'CLUSTER',
    slots([0, 9000, HERE], [9000, 16383, HERE]),
    'CLUSTER SLOTS: expected each slot at most once, got a list of 2',
  ],
  "Sentinel's address with port 99999": [
    'sentinel',
    'GET-MASTER-ADDR-BY-NAME',
    list('127.0.0.1', '99999'),
    'SENTINEL GET-MASTER-ADDR-BY-NAME: 1: expected a port from 1 to 65535, got string',
  ],
  "Sentinel's replicas as numbers": [
    'sentinel',
    'REPLICAS',
    list(1, 2),
    'SENTINEL REPLICAS: 0: expected Array, got 1',
  ],
  "Sentinel's Sentinels with nil": [
    'sentinel',
    'SENTINELS',
    '*-1\r\n',
    'SENTINEL SENTINELS: expected Array, got null',
  ],
  "Sentinel's primary without a port": [
    'sentinel',
    'MASTER',
    list('ip', '127.0.0.1', 'flags', 'master'),
    'SENTINEL MASTER: port is missing',
  ],
  'SCAN with a text': ['clean', 'SCAN', '+OK\r\n', 'SCAN: expected Array, got string'],
  'SCAN without keys': ['clean', 'SCAN', list('0'), 'SCAN: 1: expected Array, got nothing'],
  'SCAN with a key that is none': [
    'clean',
    'SCAN',
    list('0', [null]),
    'SCAN: 1.0: expected string, got null',
  ],
  'SCAN with the same cursor for ever': [
    'clean',
    'SCAN',
    list('7', []),
    'SCAN: its cursor came back to where it had been, so it would never end',
  ],
};

describe('a wrong reply', () => {
  /** @type {Awaited<ReturnType<typeof startFakeRedis>> | undefined} */
  let server;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  /** @param {(command: string, args: string[]) => string | undefined} answer */
  async function start(answer) {
    server = await startFakeRedis(answer);
    const { port, url } = server;
    return { port, url, target: /** @type {Target} */ ({ transport: 'tcp', host: '127.0.0.1', port }) };
  }

  const OPEN = {
    /** @param {Target} target */
    standalone: (target) => openServer(target),
    /** @param {Target} target */
    cluster: (target) => openServer(target, { topology: 'cluster' }),
    /** @param {Target} target */
    sentinel: (target) =>
      openServer(sentinelTarget(target, [{ host: target.host, port: target.port }], 'main'), {
        topology: 'sentinel',
      }),
    /** @param {Target} target */
    clean: ({ port }) =>
      removeLeftovers({ url: `redis://127.0.0.1:${port}`, prefix: 'rpb:1a2b' }, { stateFolder: null }),
  };
  /** @param {string} _command @param {string[]} args */
  const usual = (_command, [what]) => {
    if (what === 'CKQUORUM') return '+OK\r\n';
    return what === 'GET-MASTER-ADDR-BY-NAME' ? list('127.0.0.1', '1') : undefined;
  };

  for (const [name, [how, command, reply, said]] of Object.entries(WRONG))
    it(`to ${name}: which command of which server, what was expected and found`, async () => {
      const { port, target } = await start((asked, args) =>
        [asked, args[0]].includes(command) ? reply : usual(asked, args),
      );
      await assert.rejects(OPEN[how](target), {
        name: 'ServerError',
        exitCode: 3,
        message: `127.0.0.1:${port} gave a wrong reply to ${said}`,
      });
    });

  it('of a Sentinel is none where it knows no address yet: that is said as it is', async () => {
    const { port, target } = await start((command, args) =>
      args[0] === 'GET-MASTER-ADDR-BY-NAME' ? '*-1\r\n' : usual(command, args),
    );
    await assert.rejects(OPEN.sentinel(target), {
      exitCode: 3,
      message: `the Sentinel 127.0.0.1:${port} knows no address of 'main' now; look at SENTINEL MASTERS there`,
    });
  });

  it('to SCAN may be a cursor that is always another one: it ends by the number of keys', async () => {
    let cursor = 0;
    const { target, port } = await start((command) => {
      if (command === 'DBSIZE') return ':100\r\n';
      return command === 'SCAN' ? list(`${++cursor}`, []) : undefined;
    });
    await assert.rejects(OPEN.clean(target), {
      message: `127.0.0.1:${port} gave a wrong reply to SCAN: its cursor is not back at 0 after 2010 calls, so it would never end`,
    });
  });

  it('to SCAN with keys of others removes none of them', async () => {
    /** @type {string[]} */
    const removed = [];
    const { target } = await start((command, [key]) => {
      if (command === 'DEL' && !key.startsWith('rpb:-')) return removed.push(key) > 0 ? ':1\r\n' : undefined;
      return command === 'SCAN'
        ? list('0', ['theirs', 'rpb:1a2bx', 'rpb:9999x', 'xrpb:1a2b', ''])
        : undefined;
    });
    await OPEN.clean(target);
    assert.deepEqual(removed, ['rpb:1a2bx']);
  });
});

describe('counters that make no sense', () => {
  /** @param {Record<string, string>} fields */
  const snapshot = (fields) => snapshotOf({ fields, requestBytes: 0, replyBytes: 0 });

  for (const text of ['NaN', '-1', '1e400', '9'.repeat(400), '', 'many', 'Infinity'])
    it(`'${text.slice(0, 10)}' is not known`, () => {
      const found = snapshot({
        total_commands_processed: text,
        evicted_keys: text,
        cmdstat_get: `calls=${text}`,
      });
      assert.deepEqual([found?.commands, found?.evictedKeys, found?.calls], [null, null, null]);
    });

  it('fell: what was between is not known, for instance after CONFIG RESETSTAT', () => {
    const [before, after] = [900, 100].map((count) =>
      snapshot({
        total_commands_processed: `${count}`,
        cmdstat_get: `calls=${count}`,
        evicted_keys: `${count}`,
      }),
    );
    const delta = difference(before, after);
    assert.deepEqual([delta?.commands, delta?.calls], [null, null]);
    const watch = createEvictionWatch(before);
    assert.equal(watch.since(after), 100);
  });
});
