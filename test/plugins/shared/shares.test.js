import assert from 'node:assert/strict';
import { bindPrepares, withSets } from '../../../src/plugins/shared/shares.js';

const words = (/** @type {string} */ text) => text.split(' ');

/** @param {[command: string, prepare?: string][]} given @returns {number[]} the set of keys of each */
const setsOf = (...given) =>
  withSets(
    given.map(([command, prepare]) => ({
      commands: command.split(' ; ').map(words),
      prepare: prepare === undefined ? null : words(prepare),
    })),
    given.map(() => 1),
  ).shares.map(({ set }) => set);

describe('plugins/shared/shares', () => {
  it('gives commands on one type of data the same keys, and others keys of their own', () => {
    assert.deepEqual(
      setsOf(['GET {key}'], ['SET {key} 1'], ['APPEND {key} 1'], ['PFADD {key} 1']),
      [0, 0, 0, 0],
    );
    assert.deepEqual(
      setsOf(['HGET {key} f'], ['ZADD {key} 1 a'], ['HSET {key} f 1'], ['ZRANGE {key} 0 1']),
      [0, 1, 0, 1],
    );
    assert.deepEqual(
      setsOf(['LPUSH {key} 1'], ['RPOP {key}'], ['LCS {key} {key}'], ['SADD {key} 1']),
      [0, 0, 1, 2],
    );
    assert.deepEqual(
      setsOf(['XADD {key} * a b'], ['JSON.GET {key}'], ['BF.ADD {key} a'], ['GEOADD {key} 1 1 a']),
      [0, 1, 2, 3],
    );
    assert.deepEqual(setsOf(['ZADD {key} 1 a'], ['GEOSEARCH {key} a']), [0, 0]);
  });

  it('has what works on any data, or waits, use keys of others', () => {
    assert.deepEqual(setsOf(['DEL {key}'], ['HGET {key} f'], ['TTL {key}'], ['GET {key}']), [0, 0, 0, 1]);
    assert.deepEqual(setsOf(['BLPOP {missing} 1'], ['HGET {key} f'], ['WAIT 1 10']), [0, 0, 0]);
    assert.deepEqual(setsOf(['TTL {key} ; HGET {key} f'], ['ZADD {key} 1 a']), [0, 1]);
  });

  it('gives commands keys of their own that each have another --prepare', () => {
    const hit = 'SET {key} 1';
    assert.deepEqual(
      setsOf(['GET {key}', hit], ['GET {key} ', 'DEL {key}'], ['SET {key} 2', hit]),
      [0, 1, 0],
    );
    assert.deepEqual(setsOf(['SET {key} 2'], ['GET {key}', hit]), [0, 0]);
  });

  const bound = (/** @type {string[]} */ commands, /** @type {string[]} */ prepares) =>
    bindPrepares(
      commands.map((command) => [words(command)]),
      prepares.map(words),
    ).map((each) => each?.join(' ') ?? null);

  it('takes a --prepare for each command in order, and fewer for those on their type of data', () => {
    const commands = ['GET {key}', 'HGET {key} f', 'SET {key} 1'];
    assert.deepEqual(bound(commands, ['A', 'B', 'C']), ['A', 'B', 'C']);
    assert.deepEqual(bound(commands, ['HSET {key} f 1']), [null, 'HSET {key} f 1', null]);
    assert.deepEqual(bound(commands, []), [null, null, null]);
    assert.deepEqual(bound(['GET {key}', 'SET {key} 1'], ['EVAL x 1 {key}']), ['EVAL x 1 {key}', null]);
  });

  it('refuses one that belongs to no command', () => {
    for (const [commands, prepares] of [
      [['GET {key}', 'SET {key} 1'], ['HSET {key} f 1']],
      [['GET {key}', 'HGET {key} f'], ['EVAL x 1 {key}']],
      [
        ['GET {key}', 'SET {key} 1'],
        ['SET {key} 1', 'SET {key} 1', 'SET {key} 1'],
      ],
    ])
      assert.throws(
        () => bound(commands, prepares),
        /expected a --prepare for each of the 2, or for those on/,
      );
  });
});
