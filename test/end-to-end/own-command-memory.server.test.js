import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';

const OTHERS = 3000;
/** Stores a megabyte under a key, which neither its options nor its arguments tell. */
const SCRIPT = `EVAL "return redis.call('SET', KEYS[1], string.rep('x', 1000000))" 1 {key}`;

describe('an own command on a server that evicts', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  /** @type {string} */
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-own-code-'));
    server = await startRedis({ args: ['--maxmemory', '30mb', '--maxmemory-policy', 'allkeys-lru'] });
    for (let index = 0; index < OTHERS; index++) await server.query('SET', `others:${index}`, 'theirs');
  });
  afterEach(endStarted);
  after(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
  });

  /** @param {string[]} args */
  const measure = (...args) => runCli([...QUICK, '--url', server.url, ...args]);

  for (const [what, args] of /** @type {[string, string[]][]} */ ([
    ['SETBIT', ['--command', 'SETBIT {key} 400000000 1']],
    ['SETRANGE', ['--command', 'SETRANGE {key} 50000000 x']],
    ['BITFIELD', ['--command', 'BITFIELD {key} SET u8 #50000000 1']],
    ['a script', ['--command', SCRIPT, '--allow-scripts']],
    ['--prepare', ['--command', 'GET {key}', '--prepare', SCRIPT, '--allow-scripts']],
    ['--prepare with an offset', ['--command', 'GET {key}', '--prepare', 'SETBIT {key} 400000000 1']],
  ])) {
    it(`is refused before it costs anybody a key: ${what}`, async () => {
      const { code, stderr } = await measure(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /the server may run out of memory: 64 keys for '.*evict keys.*--allow-eviction/);
      assert.equal(await server.query('DBSIZE'), OTHERS);
      assert.equal(Number((await server.info()).evicted_keys), 0);
    });
  }

  // 64 keys of a few bytes, or of the values, would fit.
  const LONG = ['--prepare', `RPUSH {key} ${Array(400).fill('{value}').join(' ')}`, '--keys', '8'];
  for (const [what, args, message] of /** @type {[string, string[], RegExp][]} */ ([
    [
      'its replies would fill it',
      ['--command', 'LRANGE {key} 0 -1', ...LONG, '--tasks', '99,1', '--size', '1000'],
      /evict keys/,
    ],
    [
      'a command multiplies what is stored',
      ['--command', 'SORT {key} ALPHA GET # GET # STORE {key}', '--prepare', 'RPUSH {key} {value}'],
      /: --command: SORT stores far more each time than the time before/,
    ],
    [
      'a script does',
      [
        '--allow-scripts',
        '--command',
        `EVAL "return redis.call('APPEND', KEYS[1], ARGV[1] .. (redis.call('GET', KEYS[1]) or ''))" 1 {key} x`,
      ],
      /: --command: EVAL stores far more each time than the time before/,
    ],
  ]))
    it(`is refused where ${what}`, async () => {
      const { code, stderr } = await measure(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.equal(await server.query('DBSIZE'), OTHERS);
      assert.equal(Number((await server.info()).evicted_keys), 0);
    });

  for (const [what, command] of [
    ['stores', "['SET', key, 'x'.repeat(9000000)]"],
    ['allocates by a number', "['SETRANGE', key, '30000000', 'x']"],
    ['asks for', "['SRANDMEMBER', key, '-500000']"],
    [
      'asks many times for',
      "['SET', key, 'x'.repeat(100000)]); await Promise.all(many(() => redis.get(key))",
    ],
  ])
    it(`is not sent by code of one's own that ${what} too much at once`, async () => {
      const file = join(folder, 'large.js');
      const many = 'const many = (each) => Array.from({ length: 99 }, each);';
      const code = `async (redis, { key }) => { await redis.command(${command}); return true; }`;
      writeFileSync(file, `${many} export default { summary: 'large', iterate: ${code} };`);
      const { code: exitCode, stdout } = await measure('--workload', file);
      assert.equal(exitCode, 4);
      assert.match(stdout.replace(/\s+/g, ' '), /may take over [\d.]+ MB of the server's memory/);
      assert.equal(await server.query('DBSIZE'), OTHERS);
      assert.equal(Number((await server.info()).evicted_keys), 0);
    });

  it('is stopped before replies that grow cost anybody a key', async () => {
    const grows = ['--command', 'RPUSH {key} {value} ; LRANGE {key} 0 -1', '--way', 'pipeline'];
    const many = ['--keys', '1', '--size', '1000', '--tasks', '50', '--iterations', '20'];
    const { stderr } = await measure(...grows, ...many);
    assert.match(stderr, /before the server may run out of memory|ended after \d+ operations/);
    assert.equal(await server.query('DBSIZE'), OTHERS);
    assert.equal(Number((await server.info()).evicted_keys), 0);
  });

  it('is measured where there is room, and one that stores more each time is named', async () => {
    const fits = await measure('--command', 'SETBIT {key} 1000 1');
    assert.equal(fits.code, 0, fits.stderr);
    assert.doesNotMatch(fits.stderr, /each time/);
    const grows = await measure('--command', 'APPEND {key} {value}');
    assert.equal(grows.code, 0, grows.stderr);
    assert.match(grows.stderr + grows.stdout, /'APPEND \{key\} \{value\}' stores \d+ bytes more each time/);
    assert.equal(await server.query('DBSIZE'), OTHERS);
  });
});

describe('an own command on a server without maxmemory', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  afterEach(endStarted);
  after(() => server.stop());

  /** @param {string[]} args */
  const measure = (...args) => runCli([...QUICK, '--url', server.url, ...args]);

  for (const [args, command] of /** @type {[string[], string][]} */ ([
    [['--command', 'SETBIT {key} 400000000 1'], 'SETBIT'],
    [['--command', 'GET {key}', '--prepare', 'SETBIT {key} 4000000000 1'], 'SETBIT'],
    [['--command', 'GET {key} ; SETRANGE {key} 50000000 x'], 'SETRANGE'],
    [['--command', 'SRANDMEMBER {key} -100000000'], 'SRANDMEMBER'],
    [
      ['--command', 'SET {key} {value}', '--value-size', '1mb', '--keys', '2000', '--key-size', '20'],
      'values of',
    ],
  ]))
    it(`is refused before it is sent: ${args.join(' ')}`, async () => {
      const { code, stderr } = await measure(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, new RegExp(`${command}.* this benchmark may take .*--allow-eviction`));
      assert.ok(Number((await server.info()).used_memory_peak) < 20e6);
    });

  it('is named where it stores more each time', async () => {
    const { code, stderr, stdout } = await measure('--command', 'LPUSH {key} {value}');
    assert.equal(code, 0, stderr);
    assert.match(stderr + stdout, /'LPUSH \{key\} \{value\}' stores \d+ bytes more each time/);
  });
});
