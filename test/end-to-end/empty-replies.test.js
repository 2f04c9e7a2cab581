import assert from 'node:assert/strict';
import { endStarted, QUICK, runCli } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';

describe('own commands that find nothing', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  afterEach(endStarted);
  after(() => server.stop());

  /** @param {string[]} args @returns {Promise<string>} the first screen, in one line */
  async function screenOf(...args) {
    const { code, stdout, stderr } = await runCli([
      ...QUICK,
      '--url',
      server.url,
      '--format',
      'table',
      ...args,
    ]);
    assert.equal(code, 0, stderr);
    return stdout.replace(/\s+/g, ' ');
  }

  for (const [command, prepare] of [
    ['HGETALL {key}', 'HSET {key} field {value}'],
    ['LPOP {key}', 'RPUSH {key} {value}'],
    ['STRLEN {key}', 'SET {key} {value}'],
  ]) {
    it(`${command}: are named on the first screen, with what helps`, async () => {
      const found = await screenOf('--command', command, '--value-size', '5000');
      assert.ok(found.includes(`every reply to ${command} was empty, as nothing was stored`), found);
      assert.match(found, /: add --prepare/);
      assert.match(found, /no data prepared/);
      assert.doesNotMatch(found, /values of/);
      const helped = await screenOf('--command', command, '--prepare', prepare, '--value-size', '5000');
      assert.doesNotMatch(helped, /was empty/);
      assert.match(helped, /, data by [A-Z]+ /);
    });
  }

  it('are named of the one command of several that does, and of data of the wrong kind', async () => {
    const both = ['--command', 'GET {key} ; EXPIRE {key} 60'];
    const pair = await screenOf(...both, '--way', 'one-by-one');
    assert.match(pair, /every reply to GET \{key\} was empty/);
    const wrong = await screenOf('--command', 'HGET {key} b', '--prepare', 'HSET {key} a 1');
    assert.match(wrong, /was empty, although --prepare stored data/);
  });

  it('are not reported where 0 or nothing is the right reply', async () => {
    for (const args of [
      ['--command', 'HSET {key} a {value}'],
      ['--command', 'SISMEMBER {key} b', '--prepare', 'SADD {key} a'],
      ['--command', "EVAL 'return nil' 1 {key}", '--allow-scripts'],
    ])
      assert.doesNotMatch(await screenOf(...args), /was empty/);
  });
});
