import assert from 'node:assert/strict';
import { breakDown, followed, operationsOf } from '../../../src/commands/breakdown/parts.js';
import { answerOfAll } from '../../../src/run/workers.js';

/** @import { SeenInWorker } from '../../../src/commands/breakdown/types.js' */

/** @param {[socket: number, count: number, atMs: number, fromMs?: number][]} events */
const events = (events) => ({
  sockets: events.map(([socket]) => socket),
  counts: events.map(([, count]) => count),
  from: events.map(([, , at, from = at]) => from),
  at: events.map(([, , at]) => at),
});

/** One command at 10 ms on a connection that has had 3 before. @type {SeenInWorker} */
const ONE = {
  sockets: [{ port: 5000, written: 3, read: 3, expected: 1 }],
  startedAt: [10],
  endedAt: [20],
  calls: { operations: [0], sockets: [0], commands: [1], at: [10] },
  written: events([[0, 4, 11, 10.5]]),
  read: events([[0, 4, 18]]),
};
/** @param {number} atMs */
const arrivedAt = (atMs) => ({ ports: [4999, 5000], arrived: events([[1, 4, atMs]]) });

describe('parts of operations', () => {
  it('are the times between call, writing, arrival, reading and going on', () => {
    const { operations, unmatched } = operationsOf(ONE, arrivedAt(15));
    assert.deepEqual(operations, [{ wait: 1, away: 4, unread: 3, handled: 2, whole: 10 }]);
    assert.equal(unmatched, 0);
  });

  it('without a relay, unread replies are part of there and back', () => {
    assert.deepEqual(operationsOf(ONE, null).operations, [
      { wait: 1, away: 7, unread: 0, handled: 2, whole: 10 },
    ]);
  });

  it('a port may have been that of an earlier connection', () => {
    const relay = { ...arrivedAt(15), ports: [5000, 5000] };
    assert.equal(operationsOf(ONE, relay).operations[0].unread, 3);
  });

  it('a relay that stamps late has seen a reply no later than it was read', () =>
    assert.deepEqual(operationsOf(ONE, arrivedAt(19)).operations, [
      { wait: 1, away: 7, unread: 0, handled: 2, whole: 10 },
    ]));

  it('a write that returns after its reply has arrived was done at its beginning', () =>
    assert.deepEqual(operationsOf(ONE, arrivedAt(10.75)).operations, [
      { wait: 0.5, away: 0.25, unread: 7.25, handled: 2, whole: 10 },
    ]));

  it('commands one after the other have parts each; those in flight together are one', () => {
    const base = { ...ONE, sockets: [{ port: 5000, written: 3, read: 3, expected: 2 }] };
    const apart = operationsOf(
      {
        ...base,
        calls: { operations: [0, 0], sockets: [0, 0], commands: [1, 1], at: [10, 14] },
        written: events([
          [0, 4, 11],
          [0, 5, 16],
        ]),
        read: events([
          [0, 4, 13],
          [0, 5, 19],
        ]),
      },
      null,
    );
    assert.deepEqual(apart.operations, [{ wait: 3, away: 5, unread: 0, handled: 2, whole: 10 }]);
    const together = operationsOf(
      {
        ...base,
        calls: { operations: [0, 0], sockets: [0, 0], commands: [1, 1], at: [10, 10] },
        written: events([[0, 5, 12]]),
        read: events([
          [0, 4, 13],
          [0, 5, 19],
        ]),
      },
      null,
    );
    assert.deepEqual(together.operations, [{ wait: 2, away: 7, unread: 0, handled: 1, whole: 10 }]);
  });

  it('a call may be several commands, as a transaction is', () => {
    const seen = {
      ...ONE,
      written: events([[0, 6, 11]]),
      read: events([
        [0, 5, 12],
        [0, 6, 18],
      ]),
    };
    assert.deepEqual(operationsOf(seen, null).operations, [
      { wait: 1, away: 7, unread: 0, handled: 2, whole: 10 },
    ]);
  });

  it('a call whose commands go one after the other, or differ in number, is refused', () => {
    const oneByOne = {
      ...ONE,
      written: events([
        [0, 4, 11],
        [0, 5, 15],
      ]),
      read: events([
        [0, 4, 14],
        [0, 5, 18],
      ]),
    };
    assert.deepEqual(operationsOf(oneByOne, null), { operations: [], unmatched: 1 });
    const calls = { operations: [0, 1], sockets: [0, 0], commands: [1, 1], at: [10, 10] };
    const sockets = [{ ...ONE.sockets[0], expected: 2 }];
    const times = { startedAt: [10, 10], endedAt: [20, 20] };
    for (const last of [4, 6])
      assert.throws(
        () => operationsOf({ ...ONE, ...times, sockets, calls, written: events([[0, last, 11]]) }, null),
        /uneven-operations/,
      );
  });

  it('calls may be of different numbers of commands, as in a replay, and the tool may have sent some before', () => {
    const seen = {
      sockets: [{ port: 5000, written: 3, read: 3, expected: 4 }],
      startedAt: [10, 30],
      endedAt: [20, 40],
      calls: { operations: [0, 1], sockets: [0, 0], commands: [3, 1], at: [10, 30] },
      written: events([
        [0, 5, 8],
        [0, 8, 11],
        [0, 9, 32],
      ]),
      read: events([
        [0, 5, 9],
        [0, 8, 18],
        [0, 9, 39],
      ]),
    };
    assert.deepEqual(operationsOf(seen, null).operations, [
      { wait: 1, away: 7, unread: 0, handled: 2, whole: 10 },
      { wait: 2, away: 7, unread: 0, handled: 1, whole: 10 },
    ]);
  });

  it('those of all processes count', () => {
    assert.deepEqual(answerOfAll('take-breakdown', [[ONE], [ONE]]), [ONE, ONE]);
    const many = Array.from({ length: 60 }, () => ONE);
    const operations = followed([...many, ...many], arrivedAt(15));
    assert.deepEqual([operations.length, breakDown(operations, true).p50.unreadUs], [120, 3000]);
  });

  it('what cannot be is not counted, and too much of that is an error', () => {
    const early = { ...ONE, written: events([[0, 4, 9]]) };
    assert.throws(() => operationsOf(early, null), /uneven-operations/);
    const unread = { ...ONE, read: events([]) };
    assert.deepEqual(operationsOf(unread, null), { operations: [], unmatched: 1 });
    assert.throws(() => followed([unread], null), { reason: { kind: 'not-matched', share: 1 } });
    assert.throws(() => breakDown(followed([ONE], null), false), {
      reason: { kind: 'few-followed', operations: 1, least: 100 },
    });
  });

  it('at each percentile they are means that add up to the whole', () => {
    const count = 1000;
    const numbers = [...Array(count).keys()];
    const seen = {
      sockets: [{ port: 5000, written: 0, read: 0, expected: count }],
      startedAt: numbers.map((n) => n * 10_000),
      endedAt: numbers.map((n) => n * 10_000 + 3 + n),
      calls: {
        operations: numbers,
        sockets: numbers.map(() => 0),
        commands: numbers.map(() => 1),
        at: numbers.map((n) => n * 10_000),
      },
      written: events(numbers.map((n) => [0, n + 1, n * 10_000 + 1])),
      read: events(numbers.map((n) => [0, n + 1, n * 10_000 + 2 + n])),
    };
    const relay = { ports: [5000], arrived: events(numbers.map((n) => [0, n + 1, n * 10_000 + 2])) };
    const operations = followed([seen], relay);
    assert.equal(operations.length, count);
    const { p50, p99 } = breakDown(operations, true);
    assert.deepEqual(p50, {
      clientWaitUs: 1000,
      roundTripUs: 1000,
      unreadUs: 499_500,
      handledUs: 1000,
      wholeUs: 502_500,
    });
    assert.equal(p99.unreadUs, 989_500);
  });
});
