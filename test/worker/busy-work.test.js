import assert from 'node:assert/strict';
import { createAppWork, followedByWork } from '../../src/worker/busy-work.js';
import { createRecorder } from '../../src/worker/recorder.js';

/** @param {() => void} body @returns {number} µs of CPU that it takes */
function cpuOf(body) {
  const before = process.cpuUsage();
  body();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * Threads of V8's own take CPU time beside it, though not each time.
 *
 * @param {() => number} off what it is off by, as a share
 * @param {number} most
 */
function isSometimesNear(off, most) {
  /** @type {number[]} */
  const offs = [];
  while (offs.length < 10 && !(offs[offs.length - 1] < most)) offs.push(off());
  assert.ok(offs[offs.length - 1] < most, offs.join());
}

describe('worker/busy-work', () => {
  for (const us of [5, 50, 500]) {
    it(`measures what works of ${us} µs took, whether or not it looked at each`, () => {
      const work = createAppWork(us);
      isSometimesNear(() => {
        const took = cpuOf(() => work.after(50_000 / us));
        const told = work.take();
        assert.equal(work.take(), 0);
        return Math.abs(told / took - 1);
      }, 0.2);
    });
  }

  it('comes nearer to what was asked for by what the last run showed', () => {
    const work = createAppWork(50);
    isSometimesNear(() => {
      work.after(2000);
      return Math.abs(work.take() / 2000 / 50 - 1);
    }, 0.1);
  });

  it('begins when an operation was counted, and the next one begins after it', () => {
    let now = 0;
    const recorder = createRecorder(() => now);
    const worked = followedByWork(recorder, {
      after: (operations) => {
        now += 1000 * operations;
      },
      take: () => 0,
    });
    const startedAt = worked.start();
    now = 30;
    assert.equal(worked.done(startedAt, 2), 2030);
  });
});
