import { max, mean, min, sum } from '../../descriptive-statistics.js';
import { MOST_OPERATIONS } from './event-log.js';

/** @import { Breakdown, Events, NoBreakdown, Parts, SeenInRelay, SeenInWorker, WatchedSocket } from './types.js' */

/** @typedef {Record<'wait' | 'away' | 'unread' | 'handled' | 'whole', number>} Operation ms */
/** @typedef {Record<'written' | 'arrived' | 'read', number>} Passed when a command and its reply passed; ms */

export class NotFollowed extends Error {
  /** @param {NoBreakdown} reason */
  constructor(reason) {
    super(reason.kind);
    this.reason = reason;
  }
}

/** Of operations whose commands were not found: counting must have gone wrong. */
const MOST_UNMATCHED = 0.02;
/** With fewer, a p99 is the slowest. */
export const FEWEST = 100;
/** Around each percentile: the operations that are averaged, as shares of all. */
const AROUND = { p50: [0.45, 0.55], p99: [0.985, 0.995] };

/**
 * @param {SeenInWorker[]} workers @param {SeenInRelay | null} relay null where none stood between
 * @returns {Operation[]} of all of them @throws {NotFollowed} where too many were not found
 */
export function followed(workers, relay) {
  const each = workers.map((worker) => operationsOf(worker, relay));
  const operations = each.flatMap((own) => own.operations);
  const unmatched = sum(each.map((own) => own.unmatched));
  const share = unmatched / (operations.length + unmatched);
  if (share > MOST_UNMATCHED) throw new NotFollowed({ kind: 'not-matched', share });
  return operations;
}

/**
 * @param {Operation[]} operations @param {boolean} isRelayed otherwise what lies unread is part of there and back
 * @returns {Pick<Breakdown, 'p50' | 'p99'>} @throws {NotFollowed} where there are too few
 */
export function breakDown(operations, isRelayed) {
  const all = operations.length;
  if (all < FEWEST) throw new NotFollowed({ kind: 'few-followed', operations: all, least: FEWEST });
  const inOrder = operations.toSorted((a, b) => a.whole - b.whole);
  /** @param {number[]} shares @returns {Parts} */
  const around = ([from, to]) => {
    const own = inOrder.slice(Math.floor(from * all), Math.ceil(to * all));
    const us = (/** @type {keyof Operation} */ part) => 1000 * mean(own.map((each) => each[part]));
    return {
      clientWaitUs: us('wait'),
      roundTripUs: us('away'),
      unreadUs: isRelayed ? us('unread') : null,
      handledUs: us('handled'),
      wholeUs: us('whole'),
    };
  };
  return { p50: around(AROUND.p50), p99: around(AROUND.p99) };
}

/** @param {Events} events @param {number} socket @returns {(count: number) => {from: number, at: number} | null} when so many were whole */
function readerOf({ sockets, counts, from, at }, socket) {
  const own = sockets.flatMap((each, index) => (each === socket ? index : []));
  let next = 0;
  return (count) => {
    while (next < own.length && counts[own[next]] < count) next++;
    return next < own.length ? { from: from[own[next]], at: at[own[next]] } : null;
  };
}

/**
 * By counting: the n-th call on a connection is the n-th command on its socket, and has the n-th reply. A call may be several
 * commands, all in flight together: a transaction, or always so many. A process may lose its CPU before it reads the clock, so no time is later than
 * what followed.
 * @param {WatchedSocket} socket @param {number} index @param {SeenInWorker} worker @param {SeenInRelay | null} relay
 * @returns {(commands: number) => Passed | null} of the next call @throws {NotFollowed}
 */
function passagesOn(socket, index, worker, relay) {
  const { written: log, startedAt, endedAt } = worker;
  /** @param {number} atMs */
  const commandsUntil = (atMs) => {
    const last = log.sockets.findLastIndex((each, place) => each === index && log.from[place] <= atMs);
    return (log.counts[last] ?? socket.written) - socket.written;
  };
  // Before the first operation the tool may store data anew; after the last it asks whether replies are in order.
  const before = commandsUntil(min(startedAt));
  const commands = commandsUntil(max(endedAt)) - before;
  const perCommand = Math.max(1, Math.round(commands / socket.expected));
  const missing = perCommand * socket.expected - commands;
  // The last calls may have come too late to be followed.
  if (missing < 0 || (missing > 0 && startedAt.length < MOST_OPERATIONS))
    throw new NotFollowed({ kind: 'uneven-operations' });
  const [whenWritten, whenRead] = [readerOf(worker.written, index), readerOf(worker.read, index)];
  const whenArrived = relay && readerOf(relay.arrived, relay.ports.lastIndexOf(socket.port));
  let done = before;
  return (ofCall) => {
    const firstRead = whenRead(socket.read + done + 1);
    done += ofCall * perCommand;
    const written = whenWritten(socket.written + done);
    const read = whenRead(socket.read + done)?.at;
    const seen = whenArrived ? whenArrived(socket.read + done)?.at : read;
    if (written === null || firstRead === null || read === undefined || seen === undefined) return null;
    if (ofCall * perCommand > 1 && written.from > firstRead.at) return null;
    const arrived = Math.min(seen, read);
    return { written: written.at <= arrived ? written.at : written.from, arrived, read };
  };
}

/**
 * Commands of an operation that were in flight together count as one: until the last was written, arrived, and was read.
 * @param {SeenInWorker} worker @param {SeenInRelay | null} relay
 * @returns {{operations: Operation[], unmatched: number}}
 */
export function operationsOf(worker, relay) {
  const { startedAt, endedAt, sockets, calls } = worker;
  const nextOn = sockets.map((socket, index) => passagesOn(socket, index, worker, relay));
  const flights = startedAt.map((at) => [{ from: at, written: 0, arrived: 0, read: 0 }]);
  const isLost = startedAt.map(() => false);
  for (const [index, socket] of calls.sockets.entries()) {
    const operation = calls.operations[index];
    const calledAt = calls.at[index];
    const passed = nextOn[socket](calls.commands[index]);
    if (passed === null || passed.written < calledAt) {
      isLost[operation] = true;
      continue;
    }
    const own = flights[operation];
    // After the last reply, what is called is another flight.
    if (own[own.length - 1].read > 0 && own[own.length - 1].read <= calledAt)
      own.push({ from: calledAt, written: 0, arrived: 0, read: 0 });
    const flight = own[own.length - 1];
    flight.written = Math.max(flight.written, passed.written);
    flight.arrived = Math.max(flight.arrived, passed.arrived);
    flight.read = Math.max(flight.read, passed.read);
  }
  const ended = [...startedAt.keys()].filter((operation) => endedAt[operation] >= startedAt[operation]);
  const operations = ended.flatMap((operation) => {
    const own = flights[operation];
    const endsAt = own.map((_, index) => own[index + 1]?.from ?? endedAt[operation]);
    if (isLost[operation] || own[0].read === 0 || own.some(({ read }, index) => read > endsAt[index]))
      return [];
    return {
      wait: sum(own.map(({ from, written }) => written - from)),
      away: sum(own.map(({ written, arrived }) => arrived - written)),
      unread: sum(own.map(({ arrived, read }) => read - arrived)),
      handled: sum(own.map(({ read }, index) => endsAt[index] - read)),
      whole: endedAt[operation] - startedAt[operation],
    };
  });
  return { operations, unmatched: ended.length - operations.length };
}
