import assert from 'node:assert/strict';
import { createLedger } from '../../../src/commands/messages/worker.js';
import { sharedClock } from '../../../src/process/shared-clock.js';

/** @param {Promise<void>} promise @returns {Promise<boolean>} */
const isSettled = (promise) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setImmediate(resolve, false))]);

describe('commands/messages/ledger', () => {
  /** @type {ReturnType<typeof createLedger>} */
  let ledger;
  afterEach(() => ledger.close());

  it('a message has arrived when each receiver has it', async () => {
    ledger = createLedger(2);
    const { id, arrived } = ledger.send();
    ledger.arrive(id, 1);
    assert.deepEqual([await isSettled(arrived), ledger.inFlight()], [false, 1]);
    ledger.arrive(id, 0);
    assert.deepEqual([await isSettled(arrived), ledger.inFlight()], [true, 0]);
    assert.deepEqual(ledger.takeLeftovers(), { wrongReplies: 0, firstWrongReply: null });
  });

  it('names one that arrives twice, in one receiver or after the last, and one that was never sent', () => {
    ledger = createLedger(2);
    const { id } = ledger.send();
    ledger.arrive(id, 0);
    ledger.arrive(id, 0);
    ledger.arrive(id, 1);
    ledger.arrive(id, 1);
    ledger.arrive(id + 1, 0);
    ledger.arrive(Number.NaN, 0);
    assert.deepEqual(ledger.takeLeftovers(), { wrongReplies: 4, firstWrongReply: 'message 0 arrived twice' });
    assert.deepEqual(ledger.takeLeftovers(), { wrongReplies: 0, firstWrongReply: null });
  });

  it('names one that was lost', async () => {
    ledger = createLedger(1, { lostAfterMs: 1, lookEveryMs: 1 });
    const { arrived } = ledger.send();
    const alive = setInterval(() => {}, 100);
    await assert.rejects(arrived, /a message was lost: it had not arrived after/);
    clearInterval(alive);
    assert.equal(ledger.inFlight(), 0);
  });

  it('fails those under way and all later ones with the reason why nothing arrives any more', async () => {
    ledger = createLedger(1);
    const { arrived } = ledger.send();
    ledger.fail(new Error('the receiver broke'));
    await assert.rejects(arrived, /the receiver broke/);
    await assert.rejects(ledger.send().arrived, /the receiver broke/);
  });

  it('times a message until it is in the last receiver', () => {
    /** @type {[tookMs: number, lateMs: number][]} */
    const times = [];
    ledger = createLedger(2, { onArrived: (...each) => void times.push(each) });
    const before = sharedClock();
    const { id } = ledger.send(7);
    const after = sharedClock();
    ledger.arrive(id, 1, before + 50);
    ledger.arrive(id, 0, before + 100);
    const [[tookMs, lateMs]] = times;
    assert.ok(tookMs <= 100 && tookMs >= 100 - (after - before), `${tookMs}`);
    assert.deepEqual([times.length, lateMs], [1, 7]);
  });
});
