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
  const screenOf = (...args) => endsWith(0, args);

  /** @param {number} expected exit code @param {string[]} args @returns {Promise<string>} the first screen, in one line */
  async function endsWith(expected, args) {
    const { code, stdout, stderr } = await runCli([
      ...QUICK,
      '--url',
      server.url,
      '--format',
      'table',
      ...args,
    ]);
    assert.equal(code, expected, stderr);
    return stdout.replace(/\s+/g, ' ');
  }

  for (const [command, prepare] of [
    ['HGETALL {key}', 'HSET {key} field {value}'],
    ['STRLEN {key}', 'SET {key} {value}'],
  ]) {
    it(`${command}: fail, with what helps`, async () => {
      const found = await endsWith(4, ['--command', command, '--value-size', '5000']);
      assert.ok(found.includes(`failed: all 400 ${command} found nothing, as nothing was stored`), found);
      assert.match(found, /: add --prepare/);
      assert.match(found, /no data prepared/);
      assert.doesNotMatch(found, /values of|was empty/);
      const helped = await screenOf('--command', command, '--prepare', prepare, '--value-size', '5000');
      assert.doesNotMatch(helped, /nothing|was empty/);
      assert.match(helped, / · data by [A-Z]+ /);
    });
  }

  it('fail of the one command of several that does, and of data of the wrong kind', async () => {
    const pair = await endsWith(4, ['--command', 'GET {key} ; TTL {key}', '--way', 'one-by-one']);
    assert.match(pair, /failed: all 400 GET \{key\} found nothing/);
    const wrong = await endsWith(4, ['--command', 'HGET {key} b', '--prepare', 'HSET {key} a 1']);
    assert.match(wrong, /found nothing, although HSET stored data/);
  });

  it('are measured where that was asked for, or where it is the right reply', async () => {
    const asked = await screenOf('--command', 'GET {key}', '--prepare', 'DEL {key}');
    assert.match(asked, /misses by DEL/);
    assert.doesNotMatch(asked, /nothing|was empty/);
    const taken = await screenOf('--command', 'SET {key} 1 NX', '--prepare', 'SET {key} 0');
    assert.match(taken, /every reply to SET \{key\} 1 NX was empty, although/);
  });

  for (const [command, prepare] of [
    ['DEL {key}', 'SADD {key} a b c'],
    ['SPOP {key} 2', 'SADD {key} a b'],
    ['EXPIRE {key} 0', 'SET {key} {value}'],
  ])
    it(`${command}: fails once it has used up its data, with the count and what helps`, async () => {
      const usedUp = await endsWith(4, ['--command', command, '--prepare', prepare, '--keys', '20']);
      assert.match(
        usedUp,
        /failed: \d+ of 400 [^:]* found nothing: it uses up what [A-Z]+ stored\. Add --prepare-each/,
      );
    });

  it('a command that uses up data fails without any, warns of a few, and finds what the operation itself stores', async () => {
    const inTurn = ['--key-distribution', 'sequential', '--command'];
    const without = await endsWith(4, ['--command', 'LPOP {key}']);
    assert.match(
      without,
      /failed: 400 of 400 LPOP {key} found nothing, as nothing was stored: add --prepare/,
    );
    const some = ['--prepare', 'SET {key} 1', '--keys', '300', '--tasks', '1', '--iterations', '400'];
    const partly = await screenOf(...inTurn, 'DEL {key}', ...some);
    assert.match(
      partly,
      /warning: 100 of 400 DEL {key} found nothing, because it was used up: add --prepare-each/,
    );
    const refilled = await screenOf(...inTurn, 'SET {key} 1 ; DEL {key}', '--way', 'one-by-one');
    assert.doesNotMatch(refilled, /nothing/);
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
