import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../../src/worker/cell.js';
import { openSilently } from '../../src/worker/silent.js';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';
import { jobOf } from '../helpers/job.js';
import { startRedis } from '../helpers/redis-server.js';
import { PROFILE_END, PROFILE_HEADER, profileText } from '../helpers/sample-profile.js';

const SECRET = 'theirs alone';
const EMPTIES = `EVAL "return redis.call('FLUSHALL')" 0`;
const TELLS = `EVAL "return redis.error_reply(redis.call('GET', 'other'))" 0`;
const REPLIES = `EVAL "local n = redis.call('INCR', KEYS[1]) if n > 3 then return redis.call('GET', 'other') end return n" 1 {key}`;

describe('on a server of the user', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  const folder = mkdtempSync(join(tmpdir(), 'rpb-scripts-'));
  before(async () => {
    server = await startRedis();
    await server.query('SET', 'other', SECRET);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
  });
  afterEach(async () => {
    await endStarted();
    assert.deepEqual(await server.query('KEYS', '*'), ['other']);
  });

  /** @param {string[]} args */
  const measure = (...args) => runCli([...QUICK, '--url', server.url, ...args]);
  /** @param {string} name @param {string} text */
  function write(name, text) {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  }

  it('a script is refused, and nothing is sent', async () => {
    for (const args of [
      ['--command', EMPTIES],
      ['--command', `GET {key} ; ${EMPTIES}`],
      ['--command', 'GET {key}', '--prepare', EMPTIES],
    ]) {
      const { code, stderr } = await measure(...args);
      assert.deepEqual([code, await server.calls('eval')], [2, 0]);
      assert.match(
        stderr,
        /^redis-pipe-bench: --[a-z]+: EVAL is not known to keep to .*--allow-scripts lets it reach all data\n$/,
      );
    }
  });

  it('a script is measured with --allow-scripts', async () => {
    const script = `EVAL "return redis.call('INCR', KEYS[1])" 1 {key}`;
    const { code, stderr } = await measure('--command', script, '--allow-scripts');
    assert.equal(code, 0, stderr);
    assert.ok((await server.calls('eval')) > 50);
  });

  it('an agent reports nothing of what a script replied', async () => {
    for (const command of [TELLS, REPLIES]) {
      const args = ['--allow-scripts', '--agents', 'local:1', '--format', 'json', '--command', command];
      const { code, stdout, stderr } = await measure(...args);
      assert.equal(code, 4);
      assert.doesNotMatch(stdout + stderr, new RegExp(SECRET));
      assert.match(stdout + stderr, /an agent does not report what a script replied/);
    }
  });

  it('own code may not send one either, but with --allow-scripts', async () => {
    const file = write(
      'own.js',
      "export default { iterate: (redis, { key }) => redis.command(['EVAL', 'return 1', '1', key]) };",
    );
    const refused = await measure('--workload', file);
    assert.equal(refused.code, 4);
    assert.match(refused.stdout + refused.stderr, /EVAL is not known to keep to .*--allow-scripts/);
    const { code, stderr } = await measure('--workload', file, '--allow-scripts');
    assert.equal(code, 0, stderr);
  });

  it('a profile that was written by hand reaches no key but ours', async () => {
    const lines = [
      [1000, 1, 'GET', [[0, 9]], ['$', 5], 80, 1, 1],
      [1100, 1, 'DEL', ['OTHER'], [':', 1], 80, 1, 1],
      [1200, 1, 'GET', [[1, 9]], ['$', 5], 80, 1, 1],
      [
        1300,
        1,
        'GEORADIUS',
        [[1, 9], -3, -3, -3, 'M', 'STORE', [1, 9], 'STORE', 'OTHER'],
        [':', 1],
        80,
        1,
        1,
      ],
    ];
    const profile = write(
      'traffic.ndjson',
      profileText([PROFILE_HEADER, ...lines, { ...PROFILE_END, commands: 4 }]),
    );
    await server.query('RENAME', 'other', 'OTHER');
    const { code, stdout, stderr } = await measure('--workload', `profile:${profile}`, '--allow-scripts');
    await server.query('RENAME', 'OTHER', 'other');
    assert.equal(code, 0, stderr);
    assert.match(stdout + stderr, /1 DEL and 1 GEORADIUS \(a replay does not know them\)/);
    assert.equal(await server.query('GET', 'other'), SECRET);
  });

  for (const command of [TELLS, REPLIES])
    it(`a worker that may not tell says nothing of what a script replied: ${command}`, async () => {
      const commands = [
        [command.split(' ')[0], ...(command.match(/"(.*)" (\d)( \S+)?/)?.slice(1) ?? [])],
      ].map((words) => words.flatMap((word) => (word === undefined ? [] : [word.trim()])));
      const job = jobOf({
        client: 'raw',
        mayScript: true,
        keys: 2,
        tasks: 1,
        keySize: 9,
        valueSize: 9,
        shortestValue: 9,
        target: /** @type {any} */ ({ transport: 'tcp', host: '127.0.0.1', port: server.port }),
        workload: { id: 'command', parameter: { commands, prepare: null } },
      });
      const told = [];
      const cell = await openSilently(open, { ...job, silence: 'not told' }, () => {});
      try {
        await cell.prepare();
        told.push(await cell.run({ iterations: 20 }, () => {}), await cell.afterRun?.());
      } finally {
        await cell.finish?.();
      }
      assert.doesNotMatch(JSON.stringify(told), new RegExp(SECRET));
      assert.match(JSON.stringify(told), /not told/);
    });

  it('a worker sends no script that nobody allowed', async () => {
    const job = jobOf({
      client: 'raw',
      keys: 2,
      tasks: 1,
      mayScript: false,
      target: /** @type {any} */ ({ transport: 'tcp', host: '127.0.0.1', port: server.port }),
      workload: {
        id: 'command',
        parameter: { commands: [['EVAL', "return redis.call('FLUSHALL')", '0']], prepare: null },
      },
    });
    const cell = await open(job);
    await assert.rejects(async () => cell.prepare(), /EVAL is not known to keep/);
    assert.equal(await server.query('GET', 'other'), SECRET);
  });
});
