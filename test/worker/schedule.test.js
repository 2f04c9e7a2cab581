import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSchedule, withPause } from '../../src/worker/schedule.js';

/** @typedef {Parameters<typeof createSchedule>[0]} Wanted */

/** @param {Partial<Wanted>} [wanted] */
const schedule = (wanted = {}) =>
  createSchedule({ ratePerSecond: 1000, arrivals: 'even', seed: 1, ...wanted });

const ANY = fc.record({
  ratePerSecond: fc.integer({ min: 1, max: 1_000_000 }),
  arrivals: fc.constantFrom(/** @type {const} */ ('even'), /** @type {const} */ ('poisson')),
  seed: fc.integer({ min: 0, max: 1000 }),
});

describe('worker/schedule', () => {
  it('spaces operations evenly, the first at the start', () => {
    assert.deepEqual([0, 1, 2, 999].map(schedule().at), [0, 1, 2, 999]);
  });

  it('has exactly as many in a second as the rate says', () => {
    for (const ratePerSecond of [1, 3, 7, 1000, 49_999, 200_000]) {
      assert.equal(schedule({ ratePerSecond }).due(1000), ratePerSecond);
      assert.equal(schedule({ ratePerSecond }).due(7000), 7 * ratePerSecond);
    }
  });

  it('is never a burst: in each millisecond no more than its part is due', () => {
    const { due } = schedule({ ratePerSecond: 50_000 });
    for (let ms = 0; ms < 2000; ms++) assert.equal(due(ms + 1) - due(ms), 50);
  });

  it('says the same in both directions: so many are due as begin before', () => {
    fc.assert(
      fc.property(ANY, fc.double({ min: 0.01, max: 5000, noNaN: true }), (wanted, ms) => {
        const { at, due } = schedule(wanted);
        const count = due(ms);
        assert.ok(
          count === 0 || at(count - 1) <= ms + 1e-6,
          `operation ${count - 1} begins at ${at(count - 1)}`,
        );
        assert.ok(at(count) >= ms - 1e-6, `operation ${count} begins at ${at(count)}`);
      }),
    );
  });

  it('never runs backwards', () => {
    fc.assert(
      fc.property(ANY, fc.integer({ min: 0, max: 200_000 }), (wanted, operation) => {
        const { at } = schedule(wanted);
        assert.ok(at(operation + 1) >= at(operation));
      }),
    );
  });

  it('comes at random with --arrivals poisson, the same for the same seed', () => {
    const { at } = schedule({ arrivals: 'poisson', seed: 7 });
    const gaps = Array.from({ length: 60_000 }, (_, operation) => at(operation + 1) - at(operation));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    // Of an exponential distribution mean and deviation are the same: 1 ms at a thousand a second.
    assert.ok(Math.abs(mean - 1) < 0.02, `${mean}`);
    assert.ok(Math.abs(Math.sqrt(variance) - 1) < 0.03, `${variance}`);
    assert.equal(schedule({ arrivals: 'poisson', seed: 7 }).at(123), at(123));
    assert.notEqual(schedule({ arrivals: 'poisson', seed: 8 }).at(123), at(123));
  });

  it('keeps the rate over a long time with --arrivals poisson too', () => {
    const { due } = schedule({ ratePerSecond: 65_536, arrivals: 'poisson' });
    assert.equal(due(10_000), 655_360);
  });

  it('has nothing due in a pause, and afterwards all that it would have had without one', () => {
    const usual = createSchedule({ ratePerSecond: 100, arrivals: 'even', seed: 1 });
    const { at, due } = withPause(usual, { atMs: 50, ms: 1000 });
    assert.deepEqual([at(4), at(5), at(6)], [40, 1050, 1060]);
    assert.deepEqual([50, 51, 1050, 1051, 1061].map(due), [5, 5, 5, 6, 7]);
  });

  it('is shared by processes so that together they do what one would', () => {
    fc.assert(
      fc.property(
        ANY,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 3000 }),
        (wanted, count, ms) => {
          const whole = schedule(wanted);
          const parts = Array.from({ length: count }, (_, index) =>
            schedule({ ...wanted, part: { index, count } }),
          );
          assert.equal(
            parts.reduce((sum, part) => sum + part.due(ms), 0),
            whole.due(ms),
          );
          assert.equal(parts[count - 1].at(3), whole.at(3 * count + count - 1));
        },
      ),
    );
  });
});
