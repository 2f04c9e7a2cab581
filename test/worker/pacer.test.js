import assert from 'node:assert/strict';
import { createPacer } from '../../src/worker/paced-loop.js';
import { createSchedule } from '../../src/worker/schedule.js';

/**
 * A thousand operations a second for a second, with a bound on what is under way; the test answers.
 *
 * @param {{whenFull?: 'wait' | 'drop' | 'fail', bound?: number, batchSize?: number, total?: number}} [wanted]
 */
function setUp({ whenFull = 'wait', bound = 10, batchSize, total = 1000 } = {}) {
  /** @type {number[]} */
  const started = [];
  let inFlight = 0;
  const pacer = createPacer({
    schedule: createSchedule({ ratePerSecond: 1000, arrivals: 'even', seed: 1 }),
    ...{ total, whenFull, batchSize },
    hasRoom: (operations) => inFlight + operations <= bound,
    start(first, operations) {
      inFlight += operations;
      for (let each = first; each < first + operations; each++) started.push(each);
    },
  });
  const answer = (/** @type {number} */ operations) => {
    inFlight -= operations;
  };
  return { pacer, started, answer };
}

describe('worker/pacer', () => {
  it('starts what is due and nothing else', () => {
    const { pacer, started } = setUp();
    pacer.look(2.5);
    assert.deepEqual(started, [0, 1, 2]);
    assert.equal(pacer.nextAt(), 3);
    pacer.look(2.9);
    assert.equal(started.length, 3);
  });

  it('wait: starts later what found no room, and loses nothing', () => {
    const { pacer, started, answer } = setUp();
    assert.equal(pacer.look(500), true);
    assert.equal(started.length, 10);
    for (let ms = 500; !pacer.isDone(); ms += 5) {
      answer(10);
      pacer.look(ms);
    }
    assert.deepEqual(
      started,
      Array.from({ length: 1000 }, (_, each) => each),
    );
    const { scheduled, sent, dropped, unsent, waited } = pacer.counts();
    assert.deepEqual(
      { scheduled, sent, dropped, unsent },
      { scheduled: 1000, sent: 1000, dropped: 0, unsent: 0 },
    );
    assert.ok(waited > 400 && waited <= 990, `${waited} waited`);
  });

  it('wait: counts each operation that waited once, however often it is looked at', () => {
    const { pacer } = setUp();
    for (let look = 0; look < 100; look++) pacer.look(50);
    assert.equal(pacer.counts().waited, 40);
  });

  it('drop: what finds no room is dropped, and the rest is on time', () => {
    const { pacer, started, answer } = setUp({ whenFull: 'drop' });
    pacer.look(500);
    answer(10);
    pacer.look(505);
    assert.deepEqual(started.slice(10), [500, 501, 502, 503, 504]);
    const { sent, dropped, unsent, scheduled } = pacer.counts();
    assert.deepEqual([sent, dropped], [15, 490]);
    assert.equal(sent + dropped + unsent, scheduled);
  });

  it('tells of an operation that found no room, for a loop that is to fail then', () => {
    const { pacer } = setUp({ whenFull: 'fail' });
    assert.equal(pacer.look(5), false);
    assert.equal(pacer.look(20), true);
  });

  it('starts a batch when all of its operations are due, and a smaller one at the end', () => {
    const { pacer, started } = setUp({ batchSize: 4, bound: 1000, total: 10 });
    pacer.look(3);
    assert.deepEqual(started, []);
    assert.equal(pacer.nextAt(), 3);
    pacer.look(3.5);
    assert.deepEqual(started, [0, 1, 2, 3]);
    pacer.look(20);
    assert.equal(started.length, 10);
    assert.ok(pacer.isDone());
  });

  it('starts nothing after its end, and says what was not sent', () => {
    const { pacer, started } = setUp();
    pacer.look(3.5);
    pacer.end();
    pacer.look(1000);
    assert.equal(started.length, 4);
    assert.ok(pacer.isDone());
    assert.equal(pacer.counts().unsent, 996);
  });
});
