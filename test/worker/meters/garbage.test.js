import assert from 'node:assert/strict';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';
import { watchGarbage } from '../../../src/worker/meters/garbage.js';

/** A double of its own and a pointer to it in each element: what V8 allocates is known. */
const ARRAY_LENGTH = 1000;
const BYTES_PER_ARRAY = 16 + 16 + ARRAY_LENGTH * 8;

/** @type {unknown} */
let kept;

/** Allocates for a while, at the pace of a busy client: some hundred megabytes a second. */
async function allocate(/** @type {number} */ arrays, /** @type {(ms: number) => void} */ atTurn = () => {}) {
  for (let index = 0; index < arrays; index++) {
    kept = new Array(ARRAY_LENGTH).fill(index);
    if (index % 50 > 0) continue;
    await sleep(1);
    atTurn(performance.now());
  }
  return kept;
}

describe('meters/garbage', () => {
  it('estimates what was allocated', async () => {
    const arrays = 20_000;
    await allocate(arrays);
    const garbage = watchGarbage();
    await allocate(arrays, garbage.atTurn);
    const { allocatedBytes } = await garbage.take();
    const ratio = Number(allocatedBytes) / (arrays * BYTES_PER_ARRAY);
    assert.ok(ratio > 0.9 && ratio < 1.1, `${ratio} of what was allocated`);
  });

  it('sees the same collections as V8 does', async () => {
    const profiler = new v8.GCProfiler();
    const garbage = watchGarbage();
    profiler.start();
    await allocate(40_000);
    const seen = profiler.stop().statistics;
    const { gcPauseMs, gcLongestMs } = await garbage.take();
    const pauseMs = seen.reduce((sum, { cost }) => sum + cost / 1000, 0);
    // Few where V8 has let the young generation grow, as Node 24 does in a process that has run other tests.
    assert.ok(seen.length > 1);
    assert.ok(Math.abs(gcPauseMs - pauseMs) < pauseMs / 2, `${gcPauseMs} ms against ${pauseMs} ms`);
    assert.ok(gcLongestMs >= gcPauseMs / seen.length && gcLongestMs < gcPauseMs, `${gcLongestMs} ms`);
  });

  it('does not guess where it could not look', async () => {
    const garbage = watchGarbage();
    for (let index = 0; index < 40_000; index++) kept = new Array(ARRAY_LENGTH).fill(index);
    const { gcPauseMs, allocatedBytes } = await garbage.take();
    assert.ok(gcPauseMs > 0);
    assert.equal(allocatedBytes, null);
  });

  it('leaves out what was before the run began', async () => {
    const garbage = watchGarbage();
    for (let index = 0; index < 40_000; index++) kept = new Array(ARRAY_LENGTH).fill(index);
    garbage.begin();
    const { gcPauseMs, gcLongestMs } = await garbage.take();
    assert.deepEqual([gcPauseMs, gcLongestMs], [0, 0]);
  });

  it('records nothing any more once it has stopped', async () => {
    const { observe, disconnect } = PerformanceObserver.prototype;
    /** @type {Set<PerformanceObserver>} */
    const observing = new Set();
    /** @param {Parameters<typeof observe>} given */
    PerformanceObserver.prototype.observe = function (...given) {
      observing.add(this);
      return observe.apply(this, given);
    };
    PerformanceObserver.prototype.disconnect = function () {
      observing.delete(this);
      return disconnect.apply(this);
    };
    try {
      const garbage = watchGarbage();
      assert.ok(observing.size > 0);
      await garbage.take();
      assert.equal(observing.size, 0);
    } finally {
      Object.assign(PerformanceObserver.prototype, { observe, disconnect });
    }
  });
});
