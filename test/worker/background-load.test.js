import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { latencyOf } from '../../src/analysis/statistics/latency.js';
import { createBackgroundLoad } from '../../src/worker/background-load.js';

/** @import { BackgroundStep } from '../../src/worker/background-steps.js' */

/**
 * @param {Partial<BackgroundStep['part']>} part
 * @param {() => Promise<unknown>} send
 * @returns {BackgroundStep}
 */
const stepOf = (part, send) => ({
  part: { name: 'GET 1kb', command: 'get', bytes: 1000, ms: null, perSecond: null, ...part },
  items: /** @type {any} */ ({ next: () => null }),
  step: { command: 'get', send, accept: (reply) => reply === 'right' },
});

/** @param {BackgroundStep} step @param {(error: unknown) => void} [onError] */
function start(step, onError = () => {}) {
  const background = createBackgroundLoad([step], {
    lease: /** @type {any} */ ({ forTask: () => ({}) }),
    ...{ tasks: 1, part: { index: 0, count: 1 }, latency: true, onError },
  });
  background.begin();
  return background;
}

describe('worker/background-load', () => {
  it('has at most ten of a command under way, counts their latency from when they were due, and ends with the last', async () => {
    /** @type {((reply: string) => void)[]} */
    const waiting = [];
    const background = start(
      stepOf({ perSecond: 1000 }, () => new Promise((resolve) => waiting.push(resolve))),
    );
    await setTimeout(60);
    assert.equal(waiting.length, 10);
    background.stop();
    const ended = background.ended();
    for (const resolve of waiting) resolve('right');
    const [{ count, wrongReplies, hdr }] = await ended;
    assert.deepEqual([count, wrongReplies, waiting.length], [10, 0, 10]);
    const latency = latencyOf([String(hdr)]);
    // They were due within 10 ms and are answered after 60.
    assert.ok(Number(latency?.minUs) > 40_000, JSON.stringify(latency));
  });

  it('sends what waits for room with the next answer', async () => {
    /** @type {((reply: string) => void)[]} */
    const waiting = [];
    const background = start(
      stepOf({ perSecond: 1000 }, () => new Promise((resolve) => waiting.push(resolve))),
    );
    await setTimeout(60);
    waiting[0]('right');
    await setImmediate();
    assert.equal(waiting.length, 11);
    background.stop();
    for (const resolve of waiting) resolve('right');
    const [{ count }] = await background.ended();
    assert.equal(count, 11);
  });

  it('sends the next of a loop when the last is answered, and counts wrong replies', async () => {
    let underWay = 0;
    const background = start(
      stepOf({}, async () => {
        underWay++;
        assert.equal(underWay, 1);
        await setTimeout(1);
        underWay--;
        return 'wrong';
      }),
    );
    await setTimeout(30);
    background.stop();
    const [{ count, wrongReplies, firstWrongReply }] = await background.ended();
    assert.ok(count > 1);
    assert.equal(wrongReplies, count);
    assert.match(String(firstWrongReply), /^GET 1kb in the background replied "wrong"$/);
  });

  it('ends at its first error and tells it', async () => {
    /** @type {unknown[]} */
    const errors = [];
    const background = start(
      stepOf({ perSecond: 1000 }, () => Promise.reject(new Error('OOM'))),
      (error) => errors.push(error),
    );
    const [{ count }] = await background.ended();
    assert.deepEqual([count, errors.length], [1, 1]);
  });
});
