import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createLoopWatch } from '../../../src/worker/meters/all-meters.js';
import { createTurnClock } from '../../../src/worker/recorder.js';

/** @param {number} ms */
function block(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('meters/loop-watch', () => {
  it('sees how long a turn is busy, not how long it waits for events', async () => {
    const watch = createLoopWatch();
    const clock = createTurnClock(undefined, watch.atTurnEnd);
    clock();
    await setImmediate();
    await setTimeout(30);
    clock();
    block(20);
    await setImmediate();
    const probe = watch.take();
    const busyUs = Math.max(...Object.keys(probe.busyUs).map(Number));
    assert.ok(busyUs >= 19_000, `${busyUs}`);
    assert.ok(probe.watchedMs * 1000 - busyUs > 20_000, JSON.stringify(probe));
  });
});
