import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createLoopWatch } from '../../src/worker/loop-watch.js';
import { createTurnClock } from '../../src/worker/turn-clock.js';

/** @param {number} ms */
function block(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('worker/loop-watch', () => {
  it('sees how long a turn is busy, not how long it waits for events', async () => {
    const watch = createLoopWatch();
    const clock = createTurnClock(undefined, watch.endOfTurn);
    clock();
    await setImmediate();
    await setTimeout(30);
    clock();
    block(20);
    await setImmediate();
    const busyUs = Math.max(...Object.keys(watch.probe.busyUs).map(Number));
    assert.ok(busyUs >= 19_000, `${busyUs}`);
    assert.ok(watch.probe.watchedMs * 1000 - busyUs > 20_000, JSON.stringify(watch.probe));
  });
});
