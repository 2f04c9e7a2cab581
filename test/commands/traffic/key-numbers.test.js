import assert from 'node:assert/strict';
import { createKeyNumbers } from '../../../src/commands/traffic/recording.js';

describe('traffic/key-numbers', () => {
  /** @param {ReturnType<typeof createKeyNumbers>} keys @param {string} key */
  const numberOf = (keys, key) => keys.numberOf(Buffer.from(`..${key}`), 2, key.length);

  it('are those of their order, and the same for the same key', () => {
    const keys = createKeyNumbers();
    assert.deepEqual(
      ['b', 'a', 'b', 'ab', 'a', ''].map((key) => numberOf(keys, key)),
      [0, 1, 0, 2, 1, 3],
    );
  });

  it('tell long keys apart by their beginning and their length', () => {
    const keys = createKeyNumbers();
    const long = 'x'.repeat(1024);
    assert.deepEqual(
      [`${long}1`, `${long}12`, `${long}2`, `y${long}`].map((key) => numberOf(keys, key)),
      [0, 1, 0, 2],
    );
  });

  it('go on within their bounds when there are more keys than numbers', () => {
    const own = 1000;
    const keys = createKeyNumbers(own);
    const bytes = Buffer.alloc(4);
    /** @param {number} key */
    const numberFor = (key) => {
      bytes.writeUInt32LE(key);
      return keys.numberOf(bytes, 0, 4);
    };
    for (let key = 0; key < own; key++) assert.equal(numberFor(key), key);
    const shared = numberFor(own);
    assert.ok(keys.areShared());
    assert.ok(shared >= own && shared < 2 * own);
    assert.equal(numberFor(own), shared);
    assert.equal(numberFor(5), 5);
  });
});
