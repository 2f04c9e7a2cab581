import assert from 'node:assert/strict';
import {
  accountForFault,
  firstSuccessMs,
  recoveredMs,
  timelineOf,
} from '../../../src/commands/break/account.js';
import { countEntries } from '../../../src/commands/break/workloads/append.js';

/** @import { FaultOperation } from '../../../src/commands/break/account.js' */
/** @import { FaultLog } from '../../../src/commands/break/run.js' */

const RUN = { struckAtMs: 1000, durationMs: 5000, sloMs: 100 };

/**
 * An operation each 10 ms for 5 s.
 *
 * @param {(scheduledMs: number) => Partial<FaultOperation>} change
 * @returns {FaultOperation[]}
 */
const operations = (change) =>
  Array.from({ length: 500 }, (_, index) => {
    const scheduledMs = index * 10;
    return { scheduledMs, atMs: scheduledMs + 1, cause: null, times: 1, ...change(scheduledMs) };
  });

const between = (/** @type {number} */ ms, /** @type {number} */ from, /** @type {number} */ to) =>
  ms >= from && ms < to;

describe('recovery after a fault', () => {
  it('at once where nothing was late', () => {
    assert.equal(
      recoveredMs(
        operations(() => ({})),
        RUN,
      ),
      0,
    );
  });

  it('when the last that failed, or came too late, is over', () => {
    const failing = operations((ms) => (between(ms, 1000, 2000) ? { cause: 'no' } : {}));
    assert.equal(recoveredMs(failing, RUN), 1000);
    const late = operations((ms) => (between(ms, 1000, 2500) ? { atMs: 2500 } : {}));
    assert.equal(recoveredMs(late, RUN), 1400, 'those of the last 100 ms were in time');
  });

  it('not in a pause between two outages that is shorter than a second', () => {
    const twice = operations((ms) =>
      between(ms, 1000, 1500) || between(ms, 2000, 3000) ? { atMs: null } : {},
    );
    assert.equal(recoveredMs(twice, RUN), 2000);
  });

  it('after an outage that begins long after the fault, but not after a hiccup', () => {
    const followed = operations((ms) => (between(ms, 2500, 3700) ? { atMs: 3900 } : {}));
    assert.equal(recoveredMs(followed, RUN), 2700);
    const hiccup = operations((ms) => (between(ms, 2500, 2700) ? { atMs: 2900 } : {}));
    assert.equal(recoveredMs(hiccup, RUN), 0);
  });

  it('never where an outage lasts until the end', () => {
    const lasting = operations((ms) => (ms >= 2500 ? { atMs: null } : {}));
    assert.equal(recoveredMs(lasting, RUN), null);
  });

  it('at once where nothing was late, however long after the fault the next operation began', () => {
    const calm = operations(() => ({}));
    assert.equal(recoveredMs(calm, { ...RUN, struckAtMs: 1003 }), 0);
  });

  it('in the last part of a run, if all of it was in time', () => {
    const failing = operations((ms) => (between(ms, 1000, 4400) ? { cause: 'no' } : {}));
    assert.equal(recoveredMs(failing, RUN), 3400);
    const again = operations((ms) => (between(ms, 1000, 4400) || ms === 4600 ? { cause: 'no' } : {}));
    assert.equal(recoveredMs(again, RUN), 3610);
  });

  it('never where too little is left to tell, or nothing comes', () => {
    const silent = operations((ms) => (ms >= 1000 ? { atMs: null } : {}));
    assert.equal(recoveredMs(silent, RUN), null);
    const tooLate = operations((ms) => (between(ms, 1000, 4900) ? { cause: 'no' } : {}));
    assert.equal(recoveredMs(tooLate, RUN), null);
  });

  it('one in twenty may be late', () => {
    const some = operations((ms) => (ms > 1000 && ms % 250 === 0 ? { cause: 'no' } : {}));
    assert.equal(recoveredMs(some, RUN), 0);
  });

  it('the first success is of an operation that began after the fault', () => {
    const done = operations((ms) => (between(ms, 990, 1500) ? { atMs: 1700 } : {}));
    assert.equal(firstSuccessMs(done.slice(0, 100), 1000), null);
    assert.equal(firstSuccessMs(done, 1000), 501);
  });
});

describe('the account of a run with a fault', () => {
  const done = { scheduledMs: 1500, atMs: 1501, cause: null };
  const sent = [
    done,
    done,
    done,
    { ...done, cause: 'no' },
    { ...done, atMs: null },
    done,
    { ...done, cause: 'no' },
  ];
  /** @param {[number, number][]} times @param {Partial<FaultLog>} [more] */
  const account = (times, more) => {
    const log = {
      ...{ operations: new Map(sent.map((each, number) => [number, each])), times: new Map(times) },
      ...{ scheduled: sent.length, dropped: 0, unsent: 0, elapsedMs: 5000, firstRssBytes: 1, rssBytes: 1 },
      ...{ loopDelayMaxMs: null, crash: null, client: null, calls: null, emitted: null, ...more },
    };
    const strike = { struckAtMs: 1000, lateMs: 0, overAtMs: 1000, freshFromMs: undefined, met: 1 };
    const setting = { durationMs: 5000, sloMs: 100, pause: { atMs: 0, ms: 0 }, strike };
    return accountForFault([log], /** @type {any} */ ({ ...setting, proves: 'repeats' }));
  };

  it('counts what is not in the data, twice in it, or in it though its caller was told otherwise', () => {
    const { figures, unknown } = account([
      [0, 1],
      [1, 2],
      [3, 1],
      [4, 1],
      [5, 3],
    ]);
    const { acknowledged, failed, unanswered, lost, doneTwice, doneThoughFailed, doneThoughUnanswered } =
      figures;
    assert.deepEqual([acknowledged, failed, unanswered, unknown], [4, 2, 1, 0]);
    assert.deepEqual([lost, doneTwice, doneThoughFailed, doneThoughUnanswered], [1, 2, 1, 1]);
  });

  it('names what no worker sent', () => {
    assert.equal(account(sent.map((_, number) => [number, 1])).unknown, 0);
    assert.equal(account([[99, 1]]).unknown, 1);
  });
});

describe('the first call after a pause', () => {
  const pause = { atMs: 1000, ms: 2000 };
  /** @param {number} waitedMs after the thaw @param {object} frozen */
  const firstCallMs = (waitedMs, frozen) => {
    const call = { scheduledMs: 3010, atMs: 5000 + waitedMs, cause: null, times: null };
    const log = {
      ...{ operations: new Map([[0, call]]), times: null, scheduled: 1, dropped: 0, unsent: 0 },
      ...{ elapsedMs: 6000, firstRssBytes: 1, rssBytes: 1, loopDelayMaxMs: 0, crash: null, client: null },
    };
    const strike = { struckAtMs: 2000, lateMs: 0, overAtMs: 5000, met: 1, ...frozen };
    const setting = { durationMs: 6000, sloMs: 100, pause, strike, proves: 'replies' };
    return accountForFault([/** @type {any} */ (log)], /** @type {any} */ (setting)).figures.firstCallMs;
  };

  it('does not contain the rest of a freeze, in which nobody calls', () => {
    assert.equal(firstCallMs(7, { frozenUntilMs: 5000 }), 7);
    assert.equal(firstCallMs(-1, { frozenUntilMs: 5000 }), 0, 'it was answered before the thaw was noticed');
  });

  it('contains the rest of a fault of the server', () => assert.equal(firstCallMs(7, {}), 1997));
});

describe('a node of a cluster that breaks', () => {
  /** @param {(index: number) => boolean} isOn whether an operation needs that node */
  function figuresWith(isOn) {
    const operations = Array.from({ length: 400 }, (_, index) => {
      const scheduledMs = index * 10;
      const isOnBroken = isOn(index);
      const fails = isOnBroken && scheduledMs >= 1000;
      return [index, { scheduledMs, atMs: scheduledMs + 1, cause: fails ? 'gone' : null, isOnBroken }];
    });
    const log = {
      ...{ operations: new Map(/** @type {any} */ (operations)), times: null, scheduled: 400, dropped: 0 },
      ...{
        unsent: 0,
        elapsedMs: 4000,
        firstRssBytes: 1,
        rssBytes: 1,
        loopDelayMaxMs: 0,
        crash: null,
        client: null,
      },
    };
    const strike = { struckAtMs: 1000, lateMs: 0, overAtMs: 1000, met: 1 };
    const setting = { durationMs: 4000, sloMs: 100, pause: { atMs: 0, ms: 0 }, strike, proves: 'replies' };
    return accountForFault([/** @type {any} */ (log)], /** @type {any} */ (setting)).figures;
  }

  it('has figures of its own, and so have the others', () => {
    const figures = figuresWith((index) => index % 2 === 0);
    const { broken, others } = /** @type {NonNullable<typeof figures.nodes>} */ (figures.nodes);
    assert.deepEqual(
      [figures, broken, others].map(({ failed, recoveredMs }) => [failed, recoveredMs]),
      [
        [150, null],
        [150, null],
        [0, 0],
      ],
    );
    assert.equal(broken.scheduled + others.scheduled, figures.scheduled);
  });

  it('has no figures of others where it has all keys', () =>
    assert.equal(figuresWith(() => true).nodes, undefined));
});

describe('the timeline of a fault', () => {
  it('counts each operation where it was due and where its caller got a result', () => {
    const { due, inTime, acknowledged, failed, waiting } = timelineOf(
      [
        { scheduledMs: 10, atMs: 20, cause: null, times: 1 },
        { scheduledMs: 90, atMs: 250, cause: null, times: 1 },
        { scheduledMs: 110, atMs: 150, cause: 'no', times: 0 },
        { scheduledMs: 120, atMs: null, cause: null, times: 0 },
      ],
      { endedMs: 300, sloMs: 100, pause: { atMs: 0, ms: 0 } },
    );
    assert.deepEqual(
      { due, inTime, acknowledged, failed, waiting },
      { due: [2, 2, 0], inTime: [1, 0, 0], acknowledged: [1, 0, 1], failed: [0, 1, 0], waiting: [1, 2, 1] },
    );
  });
});

describe('the entries of a key', () => {
  it('are counted by their numbers, and what is none is NaN', () => {
    assert.deepEqual(
      [...countEntries(['00000001,..00000002,..00000001,..', 'x'], 11)],
      [
        [1, 2],
        [2, 1],
        [Number.NaN, 1],
      ],
    );
  });
});
