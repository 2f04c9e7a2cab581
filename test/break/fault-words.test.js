import assert from 'node:assert/strict';
import { FAULT_WORDS } from '../../src/break/fault-words.js';

/** @import { FaultOutcome } from '../../src/benchmark/judge/types.js' */

const range = (/** @type {number} */ low, high = low, never = false) => ({ low, high, never });

/** @type {FaultOutcome} */
const THREE_RUNS = {
  cell: 'a',
  group: 'all',
  runs: 3,
  struck: true,
  harmed: false,
  outlasted: false,
  inTimeBefore: 1,
  unseenRuns: 0,
  watchedMs: 2000,
  neededMs: 2000,
  scheduled: range(1000),
  firstSuccessMs: range(1),
  heldAgainMs: range(1),
  longestWaitMs: range(50, 450),
  failed: range(0, 9),
  late: range(0),
  unanswered: range(0),
  proves: 'repeats',
  wrong: range(0),
  doneTwice: range(0),
  doneInPart: range(0),
  lost: range(0),
  lostWithServer: range(0),
  doneThoughFailed: range(0),
  crashes: [],
};

/** @param {Partial<FaultOutcome>} outcome */
function sentenceOf(outcome) {
  const outcomes = [{ ...THREE_RUNS, ...outcome }];
  const context = /** @type {any} */ ({ name: (/** @type {string} */ id) => `"${id}"` });
  const kind = /** @type {const} */ ('came-through');
  return FAULT_WORDS[kind].details({ kind, group: null, cells: [], outcomes }, context);
}

describe('words/fault-words', () => {
  it('a bound is the worst of the runs, not a range', () => {
    assert.equal(
      sentenceOf({}),
      '"a": 0 to 9 failed, and no caller waited longer than 450 ms; it sustained the rate.',
    );
    assert.match(
      sentenceOf({ unanswered: range(5) }),
      /5 callers were still waiting when the run ended, after up to 450 ms/,
    );
  });

  for (const [thawed, text] of /** @type {const} */ ([
    [range(0, 4), 'it recovered as soon as it was thawed'],
    [range(30, 400), 'it recovered 30 to 400 ms after it was thawed'],
    [range(300, 300, true), 'it recovered 300 ms after it was thawed, in some runs never'],
  ])) {
    it(text, () =>
      assert.ok(
        sentenceOf({ heldAgainMs: range(2000, 2400, thawed.never), afterThawMs: thawed }).includes(
          `; ${text}.`,
        ),
      ),
    );
  }

  it('where Sentinels promoted a replica, the recovery counts from there, and lost writes have a last one', () => {
    assert.equal(
      sentenceOf({
        failed: range(0),
        heldAgainMs: range(2000, 2400),
        afterPromotionMs: range(300, 500),
        lost: range(0, 40),
        lastLostMs: range(9000),
      }),
      '"a": all callers got replies, the slowest in 50 to 450 ms; it recovered 300 to 500 ms after Sentinels ' +
        'named the new primary; 0 to 40 acknowledged, but lost, the last of them up to 9 s after the fault.',
    );
  });

  for (const [held, text] of /** @type {const} */ ([
    [range(0.1, 1400), 'it sustained the rate, or recovered after up to 1.4 s'],
    [range(900, 1400), 'it recovered after 900 ms to 1.4 s'],
    [range(900, 1400, true), 'it recovered after 900 ms to 1.4 s, in some runs never'],
    [
      range(0.1, 5, true),
      'it sustained the rate, or had not recovered when the run ended, 2 s after the fault',
    ],
  ])) {
    it(text, () => assert.ok(sentenceOf({ heldAgainMs: held }).includes(`; ${text}.`)));
  }

  it('reports a process that ended in some of the runs with their number', () => {
    const crash = /** @type {const} */ ({ kind: 'exit', message: 'exit code 7', at: null, ms: 2000 });
    assert.match(sentenceOf({ crashes: [crash, crash] }), /ended after 2 s \(in 2 of 3 runs\): exit code 7/);
  });
});
