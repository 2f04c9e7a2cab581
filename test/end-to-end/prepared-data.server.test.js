import assert from 'node:assert/strict';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { QUICK, runCli } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { startRedis } from '../helpers/redis-server.js';

const KEYS = 5;
/** @type {('string' | 'buffer')[]} */
const BOTH = ['string', 'buffer'];
/** @param {string} calls of a script, with its one key and the value */
const script = (calls) => `EVAL "for i = 1, 100 do ${calls} end" 1 {key} {value}`;

/** What each key must be then, by commands and their replies. @type {[string, {prepare: string, command: string, processes?: number[]}, [string[], any][]][]} */
const SHAPES = [
  [
    'a sorted set',
    {
      prepare: script('redis.call([[ZADD]], KEYS[1], i, [[member]] .. i)'),
      command: 'ZRANGE {key} 0 9 REV WITHSCORES',
    },
    [
      [['TYPE'], 'zset'],
      [['ZCARD'], 100],
      [['ZSCORE', 'member7'], '7'],
    ],
  ],
  [
    'a list, without a script and by several processes',
    { prepare: 'RPUSH {key} a b {value}', command: 'LRANGE {key} 0 -1', processes: [2] },
    [
      [['TYPE'], 'list'],
      [['LLEN'], 3],
      [['LINDEX', '1'], 'b'],
    ],
  ],
];

describe('--prepare', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());

  /** @param {(typeof SHAPES)[number][1]} asked @param {() => Promise<void>} look after the first run */
  async function measureUntilSeen(asked, look) {
    const seen = new AbortController();
    /** @type {Promise<unknown> | undefined} */
    let looking;
    const options = {
      ...asked,
      replies: BOTH,
      url: server.url,
      clients: ['ioredis'],
      keys: KEYS,
      valueSize: [30],
    };
    const length = {
      scenarios: ['shared-connection'],
      ...{ runs: 10_000, starts: 1, warmupRuns: 0, iterations: 20 },
      ...{ pin: 'off', profile: false, allowScripts: true },
    };
    const report = await benchmark(
      { ...options, ...length },
      {
        signal: seen.signal,
        onLine({ type }) {
          if (type === 'run')
            looking ??= look().then(
              () => seen.abort(),
              (error) => {
                seen.abort();
                return error;
              },
            );
        },
      },
    );
    const wrong = await looking;
    if (wrong) throw wrong;
    return report;
  }

  for (const [shape, asked, expected] of SHAPES) {
    it(`makes ${shape} of each key, whose replies are then checked by value`, async () => {
      const { cells } = await measureUntilSeen(asked, async () => {
        const keys = /** @type {string[]} */ (await server.query('KEYS', 'rpb:*'));
        assert.ok(keys.length >= KEYS, `${keys}`);
        for (const key of keys) {
          for (const [[name, ...rest], reply] of expected) {
            assert.equal(await server.query(name, key, ...rest), reply, name);
          }
        }
      });
      for (const { failed, wrongReplies, warnings } of cells.flatMap(({ runs }) => runs)) {
        assert.deepEqual([failed, wrongReplies], [null, 0]);
        assert.doesNotMatch(warnings.join(), /type only/);
      }
      assert.equal(await server.query('DBSIZE'), 0);
    });
  }

  it('needs no transactions', async () => {
    await server.query('ACL', 'SETUSER', 'limited', 'on', '>secret', '~rpb:*', '+@all', '-multi');
    const { cells } = await benchmark({
      ...{ url: server.url.replace('//', '//limited:secret@'), clients: ['raw', 'redis', 'ioredis'] },
      ...{
        scenarios: ['shared-connection'],
        runs: 1,
        starts: 1,
        warmupRuns: 0,
        iterations: 20,
        keys: KEYS,
        size: [20],
      },
      ...{ prepare: 'RPUSH {key} a b', command: 'LRANGE {key} 0 -1' },
    });
    for (const { failed, wrongReplies } of cells.flatMap(({ runs }) => runs))
      assert.deepEqual([failed, wrongReplies], [null, 0]);
  });

  // The server answers nothing meanwhile, not even PING, for longer than this tool waits for a reply.
  if (NIGHTLY)
    it('that keeps the server busy for long is waited for, and how long it took is said', async () => {
      await server.query('CONFIG', 'SET', 'lua-time-limit', '0');
      const busy =
        "local t = redis.call('TIME')[1] while redis.call('TIME')[1] - t < 7 do end return redis.call('SET', KEYS[1], 1)";
      const { code, stderr } = await runCli([
        ...[...QUICK, '--url', server.url, '--allow-scripts', '--allow-eviction', '--keys', '1'],
        ...['--command', 'GET {key}', '--prepare', `EVAL "${busy}" 1 {key}`],
      ]);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^storing the data by --prepare took \d+ s$/m);
    }).timeout(120_000);
});
