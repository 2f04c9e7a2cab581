import assert from 'node:assert/strict';
import calculateSlot from 'cluster-key-slot';
import { firstSlot } from '../../src/server/topologies.js';
import { roleOf } from '../../src/worker/cell.js';
import { createItems } from '../../src/worker/items.js';

/** @import { KeyDistribution } from '../../src/options/types.js' */

const JOB = {
  ...{
    keyPrefix: 'rpb:0000',
    keySize: 20,
    valueSize: 50,
    shortestValue: 50,
    keys: 1,
    seed: 1,
    oneSlot: false,
  },
  value: /** @type {const} */ ('text'),
  keyDistribution: /** @type {KeyDistribution} */ ('uniform'),
};

describe('worker/items', () => {
  it('makes keys and values of exactly the sizes', () => {
    for (const size of [9, 10, 36, 37, 1000]) {
      const { key, value } = createItems({
        ...JOB,
        keySize: size,
        valueSize: size,
        shortestValue: size,
      }).next();
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
      const { value } = createItems({ ...JOB, valueSize, shortestValue: valueSize, value: 'json' }).next();
      assert.equal(value.length, valueSize);
      JSON.parse(value);
    }
  });

  it('makes the same ones again', () => {
    assert.deepEqual([...createItems(JOB).all()], [...createItems(JOB).all()]);
  });

  describe('with many keys', () => {
    const MANY = { ...JOB, keys: 500 };

    it('makes as many different keys and values, all of the same size', () => {
      for (const keySize of [11, 20, 100]) {
        const all = createItems({ ...MANY, keySize }).all();
        assert.equal(new Set(all.map(({ key }) => key)).size, 500);
        assert.equal(new Set(all.map(({ value }) => value)).size, 500);
        assert.ok(all.every(({ key, value }) => key.length === keySize && value.length === 50));
      }
    });

    it('makes values of which no two that are near share a character at any place', () => {
      for (const valueSize of [1, 2, 3, 50]) {
        const all = createItems({ ...MANY, keys: 62, valueSize, shortestValue: valueSize }).all();
        for (let place = 0; place < valueSize; place++) {
          assert.equal(new Set(all.map(({ value }) => value[place])).size, 62, `${valueSize}: ${place}`);
        }
      }
    });

    it('makes as many different values as short ones can be, and large ones as memory bears', () => {
      const different = (/** @type {number} */ keys, /** @type {number} */ valueSize) =>
        new Set(
          createItems({ ...MANY, keys, valueSize, shortestValue: valueSize })
            .all()
            .map(({ value }) => value),
        ).size;
      assert.equal(different(500, 1), 62);
      assert.equal(different(5000, 2), 62 * 62);
      assert.equal(different(100, 1_000_000), 64);
    });

    it('makes values of all lengths from the shortest to the longest, evenly', () => {
      const all = createItems({ ...MANY, shortestValue: 1, valueSize: 50 }).all();
      const lengths = all.map(({ value }) => value.length);
      for (let length = 1; length <= 50; length++) {
        const times = lengths.filter((each) => each === length).length;
        assert.ok(times >= 8 && times <= 12, `${times} values of ${length} characters`);
      }
    });

    it('makes JSON values of all lengths', () => {
      for (const { value } of createItems({
        ...MANY,
        shortestValue: 2,
        valueSize: 40,
        value: 'json',
      }).all()) {
        JSON.parse(value);
      }
    });

    it('puts all keys into one slot if asked', () => {
      const slotsOf = (/** @type {boolean} */ oneSlot) =>
        new Set(
          createItems({ ...MANY, oneSlot })
            .all()
            .map(({ key }) => calculateSlot(key)),
        );
      const [slot, ...others] = slotsOf(true);
      assert.deepEqual(others, []);
      // It is on the node that breaks, even in the largest cluster that the tool starts.
      assert.ok(slot < firstSlot(1, 50));
      assert.ok(slotsOf(false).size > 400);
    });

    it('names every key that may have been written', () => {
      const items = createItems(MANY);
      assert.deepEqual(items.keys(), ['rpb:0000h', ...items.all().map(({ key }) => key)]);
    });

    /** @param {KeyDistribution} keyDistribution @param {number} [seed] */
    function draw(keyDistribution, seed = 1) {
      const items = createItems({ ...MANY, keyDistribution, seed });
      const index = new Map(items.all().map((item, position) => [item, position]));
      return Array.from({ length: 100_000 }, () => Number(index.get(items.next())));
    }
    /** @param {number[]} drawn @param {number} key */
    const share = (drawn, key) => drawn.filter((each) => each === key).length / drawn.length;

    it('takes them one after the other', () => {
      assert.deepEqual(draw('sequential').slice(0, 501), [...Array(500).keys(), 0]);
    });

    it('tells which it took last, whatever the order', () => {
      for (const keyDistribution of /** @type {const} */ (['sequential', 'uniform', 'zipf'])) {
        const items = createItems({ ...MANY, keyDistribution, part: { index: 1, count: 3 } });
        const taken = Array.from({ length: 700 }, () => items.next());
        assert.deepEqual(items.last(3), taken.slice(-3).reverse(), keyDistribution);
      }
    });

    it('takes them in the same order again after a restart, whatever the order', () => {
      for (const keyDistribution of /** @type {const} */ (['sequential', 'uniform', 'zipf'])) {
        const items = createItems({ ...MANY, keyDistribution, part: { index: 1, count: 3 } });
        const take = () => Array.from({ length: 700 }, () => items.next().key);
        const first = take();
        assert.notDeepEqual(take(), first);
        items.restart();
        assert.deepEqual(take(), first, keyDistribution);
      }
    });

    it('goes over the same keys in the same order in each role, shared out among the processes of one', () => {
      for (const keyDistribution of /** @type {const} */ (['sequential', 'uniform'])) {
        // Four processes: producer, consumer, producer, consumer.
        const [a, b, c, d] = [0, 1, 2, 3].map((index) => {
          const { role, part } = roleOf({ index, count: 4 }, 2);
          assert.equal(role, index % 2);
          const items = createItems({ ...MANY, keyDistribution, part });
          return Array.from({ length: 250 }, () => items.next().key);
        });
        assert.deepEqual(a, b);
        assert.deepEqual(c, d);
        assert.notDeepEqual(a, c);
        if (keyDistribution === 'sequential') assert.equal(new Set([...a, ...c]).size, 500);
      }
    });

    it('takes them at random, the same way for the same seed', () => {
      const drawn = draw('uniform');
      assert.equal(new Set(drawn).size, 500);
      for (const key of [0, 250, 499]) assert.ok(Math.abs(share(drawn, key) - 1 / 500) < 0.001);
      assert.deepEqual(draw('uniform'), drawn);
      assert.notDeepEqual(draw('uniform', 2), drawn);
    });

    it('takes few of them most of the time', () => {
      const drawn = draw('zipf');
      // The share of key k of n is (k + 1) ^ -0.99 over the sum of all: 0.1451 for the first of 500.
      const sum = Array.from({ length: 500 }, (_, key) => (key + 1) ** -0.99).reduce((a, b) => a + b);
      for (const key of [0, 1, 9]) {
        const expected = (key + 1) ** -0.99 / sum;
        assert.ok(
          Math.abs(share(drawn, key) - expected) < 0.1 * expected,
          `${share(drawn, key)}, ${expected}`,
        );
      }
    });
  });
});
