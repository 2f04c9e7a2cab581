import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { SHORTEST } from '../../src/run/plan/sizes.js';
import { createCoding } from '../../src/worker/coding.js';
import { createItems, recordText } from '../../src/worker/items.js';

/** @import { Encoding, Replies } from '../../src/options/types.js' */

describe('worker/coding', () => {
  it('have exactly the length that was asked for, and are all different', () => {
    for (const length of [SHORTEST.records, SHORTEST.records + 1, 251, 1000, 20_000]) {
      const texts = Array.from({ length: 50 }, (_, index) => recordText(index, length));
      for (const text of texts) assert.equal(Buffer.byteLength(text), length);
      assert.equal(new Set(texts).size, texts.length);
    }
  });

  it('are objects with numbers, dates, texts and lists, and the same in every process', () => {
    const record = JSON.parse(recordText(7, 1000));
    assert.equal(record.id, 100_000_007);
    assert.equal(new Date(record.orderedAt).toISOString(), record.orderedAt);
    assert.ok(record.lines.length > 2 && record.lines.every((/** @type {any} */ { price }) => price > 0));
    assert.equal(recordText(7, 1000), recordText(7, 1000));
  });

  it('become 3 to 5 times shorter by gzip', () => {
    for (const length of [3000, 10_000, 100_000]) {
      const text = recordText(1, length);
      const ratio = length / gzipSync(text).length;
      assert.ok(ratio > 3 && ratio < 5.2, `${length}: ${ratio}`);
    }
  });
});

describe('worker/coding', () => {
  /** @param {Encoding} encode @param {Replies} [replies] */
  async function itemsOf(encode, replies) {
    const coding = await createCoding({ encode, ...(replies && { replies }) });
    const job = {
      ...{ keyPrefix: 'rpb:code', keySize: 12, valueSize: 400, shortestValue: 400, keys: 2, seed: 1 },
      ...{ value: /** @type {const} */ ('records'), oneSlot: false },
    };
    const items = createItems({ ...job, keyDistribution: 'sequential' }, coding.itemOf).all();
    return { coding, items };
  }

  for (const encode of /** @type {const} */ (['json', 'msgpack', 'json+gzip'])) {
    it(`${encode}: encodes whatever is sent, reads it again, and sees every byte that is wrong`, async () => {
      const { coding, items } = await itemsOf(encode, 'buffer');
      const [item, other] = items;
      const sent = /** @type {any} */ (item.value);
      const bytes = Buffer.from(sent);
      assert.equal(item.reads?.(bytes), true);
      assert.ok(coding.takeUs() > 0);
      assert.equal(coding.takeUs(), 0);
      assert.equal(item.reads?.(Buffer.from(/** @type {any} */ (other.value))), false);
      for (const reply of [null, 1, 'OK', bytes.subarray(1), bytes.toString('latin1')])
        assert.equal(item.reads?.(reply), false, String(reply));
      for (let at = 0; at < bytes.length; at++) {
        const damaged = Buffer.from(bytes);
        damaged[at] ^= 1;
        assert.equal(item.reads?.(damaged), false, `byte ${at}`);
      }
    });
  }

  it('takes strings or Buffers as they were asked for, and not the other', async () => {
    for (const encode of /** @type {const} */ (['none', 'json'])) {
      const [asText] = (await itemsOf(encode)).items;
      const [asBytes] = (await itemsOf(encode, 'buffer')).items;
      const text = asText.value;
      const isText = asText.reads?.(text) ?? text === asText.value;
      assert.equal(isText, true);
      assert.equal(asText.reads?.(Buffer.from(text)) ?? false, false);
      assert.equal(asBytes.reads?.(Buffer.from(text)), true);
      assert.equal(asBytes.reads?.(text), false);
    }
  });
});
