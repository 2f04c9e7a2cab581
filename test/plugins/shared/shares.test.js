import assert from 'node:assert/strict';
import { withSets } from '../../../src/plugins/shared/shares.js';

const words = (/** @type {string} */ text) => text.split(' ');

/** @param {string[]} commands @param {string[]} [prepares] */
const sharesOf = (commands, prepares = []) =>
  withSets(
    commands.map((command) => ({ commands: command.split(' ; ').map(words) })),
    prepares.map(words),
    commands.map(() => 1),
  ).shares;

/** @param {string[]} commands @returns {number[]} the set of keys of each */
const setsOf = (...commands) => sharesOf(commands).map(({ set }) => set);

describe('plugins/shared/shares', () => {
  it('gives commands on one type of data the same keys, and others keys of their own', () => {
    assert.deepEqual(setsOf('GET {key}', 'SET {key} 1', 'APPEND {key} 1', 'PFADD {key} 1'), [0, 0, 0, 0]);
    assert.deepEqual(
      setsOf('HGET {key} f', 'ZADD {key} 1 a', 'HSET {key} f 1', 'ZRANGE {key} 0 1'),
      [0, 1, 0, 1],
    );
    assert.deepEqual(setsOf('LPUSH {key} 1', 'RPOP {key}', 'LCS {key} {key}', 'SADD {key} 1'), [0, 0, 1, 2]);
    assert.deepEqual(
      setsOf('XADD {key} * a b', 'JSON.GET {key}', 'BF.ADD {key} a', 'GEOADD {key} 1 1 a'),
      [0, 1, 2, 3],
    );
    assert.deepEqual(setsOf('ZADD {key} 1 a', 'GEOSEARCH {key} a'), [0, 0]);
  });

  it('has what works on any data, or waits, use keys of others', () => {
    assert.deepEqual(setsOf('DEL {key}', 'HGET {key} f', 'TTL {key}', 'GET {key}'), [0, 0, 0, 1]);
    assert.deepEqual(setsOf('BLPOP {missing} 1', 'HGET {key} f', 'WAIT 1 10'), [0, 0, 0]);
    assert.deepEqual(setsOf('TTL {key} ; HGET {key} f', 'ZADD {key} 1 a'), [0, 1]);
  });

  const bound = (/** @type {string[]} */ commands, /** @type {string[]} */ prepares) =>
    sharesOf(commands, prepares).map(({ prepare, set }) => [prepare?.join(' ') ?? null, set]);

  it('takes a --prepare for each command in order, and others have keys of their own', () => {
    const [hit, miss] = ['SET {key} 1', 'DEL {key}'];
    assert.deepEqual(bound(['GET {key}', 'GET {key} ', 'SET {key} 2'], [miss, hit, miss]), [
      [miss, 0],
      [hit, 1],
      [miss, 0],
    ]);
  });

  it('takes fewer for the commands on their type of data', () => {
    const [hash, script] = ['HSET {key} f 1', 'EVAL x 1 {key}'];
    assert.deepEqual(bound(['GET {key}', 'HGET {key} f', 'SET {key} 1', 'HDEL {key} f'], [hash]), [
      [null, 0],
      [hash, 1],
      [null, 0],
      [hash, 1],
    ]);
    assert.deepEqual(bound(['GET {key}', 'ZADD {key} 1 a'], [script]), [
      [script, 0],
      [script, 1],
    ]);
  });

  it('refuses one that belongs to no command', () => {
    const commands = ['GET {key}', 'SET {key} 1', 'ZADD {key} 1 a'];
    for (const prepares of [['HSET {key} f 1'], ['SET {key} 1', 'SETEX {key} 9 1']])
      assert.throws(
        () => sharesOf(commands, prepares),
        /expected a --prepare for each of the 3, or one for each type/,
      );
  });
});
