import assert from 'node:assert/strict';
import { createCycle } from '../../src/worker/cell.js';
import { createBatchMeter, createTally } from '../../src/worker/failures.js';
import { measure } from '../../src/worker/loops.js';
import { createRecorder, createTurnClock } from '../../src/worker/recorder.js';

/** Of each task: it does as many where nothing stops it. */
const MANY = 2_000_000;

/** A connection that answers at once, as a client does that asks no server. */
const atOnce = { get: async () => 'value', batch: () => ({ get() {}, exec: async () => ['value'] }) };

describe('worker/loops', () => {
  for (const [how, lease, batchSize] of /** @type {[string, any, number | undefined][]} */ ([
    ['on a connection that is kept', { forTask: () => atOnce }, undefined],
    ['on a connection that is borrowed', { borrow: (/** @type {any} */ use) => use(atOnce) }, undefined],
    ['in batches', { forTask: () => atOnce }, 1],
  ])) {
    it(`${how}, can be stopped where all is answered without the server`, async () => {
      const control = { stopped: false };
      const turns = { count: 0 };
      const step = { command: 'get', send: (/** @type {any} */ on) => on.get(), accept: () => true };
      setTimeout(() => {
        control.stopped = true;
      }, 10);
      const { taskIterations } = await measure({
        ...{ lease, batchSize, control, turns, tasks: 2, iterations: MANY },
        items: /** @type {any} */ ({ next: () => null }),
        cycle: createCycle([[/** @type {any} */ (step)]]),
        meter: createBatchMeter(),
        tally: createTally(control),
        recorder: createRecorder(createTurnClock(undefined, () => void turns.count++)),
      });
      for (const done of taskIterations) assert.ok(done > 0 && done < MANY, `${done}`);
    });
  }
});
