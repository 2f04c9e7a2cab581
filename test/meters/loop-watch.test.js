import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { sum } from 'simple-statistics';
import { createLoopWatch } from '../../src/meters/loop-watch.js';
import { createTurnClock } from '../../src/worker/turn-clock.js';
import { timed } from '../helpers/timed.js';

/** @param {number} ms */
function block(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/**
 * @param {number} ms
 * @returns {Promise<number>} the milliseconds of turns in which something else, such as the machine, held up this process
 */
async function turnFor(ms) {
  const end = performance.now() + ms;
  const turns = [];
  for (let at = performance.now(); at < end; ) {
    await setImmediate();
    const now = performance.now();
    turns.push(now - at);
    at = now;
  }
  return sum(turns.filter((turn) => turn > 0.5));
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

  timed('tells of a turn that takes long, and not of many short ones', async () => {
    /** @type {[what: string, ms: number][]} */
    const told = [];
    const watch = createLoopWatch((what, fromMs, toMs) => told.push([what, toMs - fromMs]));
    const clock = createTurnClock(undefined, watch.atTurnEnd);
    async function answer() {
      clock();
      await setImmediate();
    }
    watch.begin();
    for (let turn = 0; turn < 20; turn++) await answer();
    const held = await turnFor(20);
    for (let turn = 0; turn < 20; turn++) await answer();
    const toldMs = sum(told.map(([, ms]) => ms));
    assert.ok(toldMs <= held, `${JSON.stringify(told)} of ${held} ms`);
    told.length = 0;
    block(50);
    let stalls = 0;
    for (let turn = 0; turn < 20; turn++) {
      const from = performance.now();
      await answer();
      if (performance.now() - from > 1) stalls++;
    }
    const [[what, ms]] = told;
    assert.equal(what, 'busy');
    // What the turns around it usually take is not part of it.
    assert.ok(ms > 25, `${ms}`);
    assert.ok(told.length <= 1 + stalls, `${JSON.stringify(told)}, and ${stalls} turns stood still`);
  });
});
