import assert from 'node:assert/strict';
import os from 'node:os';
import { memoryOf, roomOn } from '../../src/server/memory.js';

const GB = 1e9;
const STRICT = { allowEviction: false };

/** @param {Record<string, number>} [more] */
const node = (more) => ({
  ...{ usedBytes: 2 * GB, residentBytes: 3 * GB, maxBytes: 0, policy: 'noeviction', systemBytes: 7 * GB },
  ...more,
});
const FAR = /** @type {const} */ ({ kind: 'external', isLocal: false });

describe('server/memory', () => {
  it('is what a server leaves below its maxmemory, on the fullest node', () => {
    const room = roomOn(FAR, [node({ maxBytes: 6 * GB }), node({ maxBytes: 2.5 * GB })], STRICT);
    assert.deepEqual([room?.bound, room?.freeBytes], ['maxmemory', 0.5 * GB]);
    assert.equal(roomOn(FAR, [node({ maxBytes: GB })], STRICT)?.freeBytes, 0);
  });

  it('is bounded where a server has no maxmemory: by its machine, and by a figure', () => {
    const room = roomOn(FAR, [node({ systemBytes: 5 * GB })], STRICT);
    assert.deepEqual([room?.bound, room?.freeBytes], ['unlimited', 0.5 * GB]);
    assert.equal(roomOn(FAR, [node({ systemBytes: 500 * GB })], STRICT)?.freeBytes, GB);
  });

  it('is bounded where a server does not report its memory, or its machine', () => {
    for (const memory of [null, [{ ...node(), systemBytes: null }]]) {
      const room = roomOn(FAR, memory, STRICT);
      assert.deepEqual([room?.bound, room?.freeBytes], ['unknown', 256e6]);
    }
  });

  it('of this machine is never all that is free, and shared by nodes, whatever was accepted', () => {
    const here = node({ systemBytes: os.totalmem() });
    for (const kind of /** @type {const} */ (['managed', 'external'])) {
      const [one, three] = [[here], [here, here, here]].map((nodes) =>
        Number(roomOn({ kind, isLocal: true }, nodes, { allowEviction: true })?.freeBytes),
      );
      assert.ok(one > 0 && one < os.totalmem() / 2);
      assert.ok(three < one / 2);
    }
  });

  it('is not limited on another machine where evictions are accepted', () => {
    assert.equal(roomOn(FAR, [node({ maxBytes: GB })], { allowEviction: true }), null);
  });

  it('is read from INFO, or unknown', () => {
    assert.equal(memoryOf({}), null);
    assert.equal(memoryOf({ used_memory: '1', maxmemory: 'many' }), null);
    assert.deepEqual(memoryOf({ used_memory: '1', maxmemory: '2' }), {
      ...{ usedBytes: 1, maxBytes: 2, policy: 'unknown', residentBytes: 1, systemBytes: null },
    });
  });
});
