import assert from 'node:assert/strict';
import { createItems } from '../../src/worker/items.js';

const JOB = { keyPrefix: 'rpb:0000', keySize: 20, valueSize: 50, value: /** @type {const} */ ('text') };

describe('worker/items', () => {
  it('makes keys and values of exactly the sizes', () => {
    for (const size of [9, 10, 36, 37, 1000]) {
      const { key, value } = createItems({ ...JOB, keySize: size, valueSize: size }).next();
      assert.equal(key.length, size);
      assert.equal(value.length, size);
      assert.equal(Buffer.byteLength(key + value), 2 * size);
    }
  });

  it('starts every key with the prefix', () => {
    assert.ok(createItems(JOB).next().key.startsWith(JOB.keyPrefix));
  });

  it('makes JSON values of exactly the size', () => {
    for (const valueSize of [2, 3, 10, 11, 12, 1000]) {
      const { value } = createItems({ ...JOB, valueSize, value: 'json' }).next();
      assert.equal(value.length, valueSize);
      JSON.parse(value);
    }
  });

  it('makes the same ones again', () => {
    assert.deepEqual([...createItems(JOB).all()], [...createItems(JOB).all()]);
  });
});
