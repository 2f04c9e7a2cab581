import assert from 'node:assert/strict';
import { createOutliers, seenAs } from '../../src/worker/outliers.js';
import { createCommandRecorder, createRecorder } from '../../src/worker/recorder.js';
import { inUnits } from '../../src/worker/turn-clock.js';

/**
 * A recorder whose clock stands still until it is told to go on. It begins now: times wrap around, and from 0 they would be
 * minutes off in a process that has run for minutes.
 */
function start() {
  const startedMs = Math.floor(performance.now());
  let now = inUnits(startedMs);
  const outliers = createOutliers();
  const recorder = createRecorder(() => now, outliers);
  /** @param {number} ms */
  function pass(ms) {
    now += ms * 10_000;
  }
  /** An operation after the last. @param {number} ms */
  function operation(ms) {
    const startedAt = recorder.start();
    pass(ms);
    recorder.done(startedAt);
  }
  return { outliers, recorder, pass, operation, startedMs };
}

/** @param {ReturnType<typeof start>['outliers']} outliers @returns {number[]} milliseconds, the longest first */
const lengths = (outliers) =>
  outliers
    .take(1000)
    .operations.map(({ ms }) => Math.round(ms))
    .sort((a, b) => b - a);

describe('worker/outliers', () => {
  it('keeps the slowest, and looks at no other once it has enough of them', () => {
    const { outliers, operation } = start();
    const slow = Array.from({ length: 20 }, (_, index) => 5 + index);
    for (const ms of slow) {
      for (let fast = 0; fast < 50; fast++) operation(0.1 + fast / 1000);
      operation(ms);
    }
    assert.deepEqual(lengths(outliers), slow.reverse());
    assert.ok(outliers.above > 40_000, `${outliers.above}`);
  });

  it('has one for all that were in flight at the same time', () => {
    const { outliers, recorder, operation, pass } = start();
    const first = recorder.start();
    pass(1);
    const second = recorder.start();
    pass(5);
    recorder.done(second);
    recorder.done(first);
    recorder.done(second);
    operation(2);
    assert.deepEqual(lengths(outliers), [6, 2]);
  });

  it('notes what took a good part of an operation, where it began, and what all of it took', () => {
    const { outliers, operation, pass, startedMs } = start();
    pass(10);
    operation(8);
    const during = (/** @type {string} */ what, /** @type {number} */ from, /** @type {number} */ to) =>
      outliers.during(what, startedMs + from, startedMs + to);
    during('garbage', 12, 17);
    during('busy', 9, 10.4);
    during('garbage', 30, 33);
    const { operations, covered } = outliers.take(40);
    assert.deepEqual(
      operations.flatMap(({ during }) =>
        during.map((part) => ({ ...part, fromMs: Math.round(part.fromMs) })),
      ),
      [{ what: 'garbage', fromMs: 2, ms: 5 }],
    );
    assert.deepEqual(covered.garbage, { 8: 5, 4: 3 });
  });

  it('takes a large value, and background load, for what others wait for', () => {
    const { outliers, recorder } = start();
    const step = /** @type {any} */ ({ label: 'GET@1mb', bytes: 1e6 });
    const apart = createCommandRecorder(recorder, [step]);
    apart.done(recorder.start() - 50_000, 1, [step]);
    seenAs(outliers, 'GET 1mb @ 20/s')?.see(30_000);
    const { operations, covered } = outliers.take(40);
    assert.deepEqual(operations, []);
    assert.deepEqual(Object.keys(covered), ['reply GET@1mb', 'reply GET 1mb @ 20/s']);
  });

  it('takes a reply that was itself held up for no longer than three times the fastest', () => {
    const { outliers } = start();
    outliers.answered('GET 100', 10_000);
    outliers.answered('GET 100', 500_000);
    assert.deepEqual(outliers.take(100).covered, { 'reply GET 100': { 1: 1, 4: 3 } });
  });
});
