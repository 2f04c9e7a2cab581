import assert from 'node:assert/strict';
import { loopDelay } from '../../src/store/figures.js';

describe('loopDelay', () => {
  it('is how long what comes at a random moment waits for the end of a turn', () => {
    // In a turn of 10 ms every moment waits for what is left of it: 1 % of them for more than 9.9 ms.
    assert.equal(loopDelay({ watchedMs: 100, busyUs: { 10000: 10 } }, 0.99), 9900);
    assert.equal(loopDelay({ watchedMs: 100, busyUs: { 10000: 10 } }, 0.5), 5000);
  });

  it('is less where the event loop is idle meanwhile', () => {
    const delay = Number(loopDelay({ watchedMs: 1000, busyUs: { 10000: 10 } }, 0.99));
    assert.equal(Math.round(delay), 9000);
    assert.equal(loopDelay({ watchedMs: 100_000, busyUs: { 1000: 10 } }, 0.99), 0);
  });

  it('weighs a turn by its length', () => {
    // One turn in a hundred is long, but half of the time is spent in those.
    const delay = loopDelay({ watchedMs: 200, busyUs: { 1000: 99, 100000: 1 } }, 0.75);
    assert.ok(Number(delay) > 40_000, `${delay}`);
  });

  it('is not known where no turn was watched', () => {
    assert.equal(loopDelay({ watchedMs: 0, busyUs: {} }, 0.99), null);
  });
});
