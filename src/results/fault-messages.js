import { min } from 'simple-statistics';

/** @import { ReceiverCall } from '../worker/types.js' */
/** @import { FaultLog, FaultOperation, FaultRun, FaultSetting } from './types.js' */

/** A receiver blocks for a second at most; a busy machine needs less than another second. */
const BLOCKED_MS = 2000;

/** The most arrivals at one receiver, by number. @param {FaultLog['operations']} operations */
export function timesArrived(operations) {
  /** @type {Map<number, number>} */
  const times = new Map();
  for (const [number, { arrivals = [] }] of operations) {
    /** @type {number[]} */
    const each = [];
    for (const { receiver } of arrivals) each[receiver] = (each[receiver] ?? 0) + 1;
    if (arrivals.length > 0) times.set(number, Math.max(...each.filter(Boolean)));
  }
  return times;
}

/**
 * A message's operation ends when all receivers have it and the sender got its confirmation.
 * @param {Omit<FaultOperation, 'times'>} sent @param {number} receivers
 */
export function endOfMessage({ atMs, cause, arrivals = [] }, receivers) {
  if (atMs === null || cause !== null) return { atMs, acceptedMs: null };
  /** @type {number[]} */
  const first = [];
  for (const each of arrivals) first[each.receiver] ??= each.atMs;
  const isEverywhere = first.filter((ms) => ms !== undefined).length === receivers;
  return { atMs: isEverywhere ? Math.max(atMs, ...first) : null, acceptedMs: atMs };
}

/** @param {FaultSetting['proves']} proves */
const areMessages = (proves) => proves === 'published' || proves === 'popped' || proves === 'kept';

/**
 * @param {FaultOperation[]} operations @param {FaultSetting} setting
 * @param {{struckAtMs: number} | null} watched @param {FaultLog[]} logs
 * @returns {{gone: FaultOperation[], lost: FaultOperation[], figures: Partial<FaultRun>}} `gone`: accepted, neither
 *   received nor on the server; `lost`: of those, what the fault does not explain
 */
export function accountForMessages(operations, { proves, sloMs }, watched, logs) {
  if (!areMessages(proves)) return { gone: [], lost: [], figures: {} };
  const taken = operations.filter(({ acceptedMs, atMs }) => Number.isFinite(acceptedMs) && atMs === null);
  const gone = taken.filter(({ times }) => proves === 'published' || Number(times) < 1);
  const backMs = watched === null ? undefined : receiverBackMs(operations, watched.struckAtMs);
  const untilMs = Number(watched?.struckAtMs) + (backMs ?? Number.POSITIVE_INFINITY);
  // A popped message may have been in the list for a long time.
  const fromMs = proves === 'published' ? Number(watched?.struckAtMs) - sloMs : 0;
  const missed = gone
    .filter(
      ({ acceptedMs }) => watched !== null && Number(acceptedMs) >= fromMs && Number(acceptedMs) <= untilMs,
    )
    .slice(0, MOST_MISSED[proves](logs.length));
  const isMissed = new Set(missed);
  const blocked = longestBlock(logs);
  return {
    gone,
    lost: gone.filter((each) => !isMissed.has(each)),
    figures: {
      undelivered: taken.length - gone.length,
      ...(proves !== 'kept' && { missed: missed.length }),
      outOfOrder: countOvertaken(operations),
      ...(backMs !== undefined && { receiverBackMs: backMs }),
      ...(blocked !== null && { blocked }),
    },
  };
}

/**
 * Messages that a fault may lose without the client being to blame: all that are published to an absent subscriber, and
 * one per blocking pop in flight. @type {Record<'published' | 'popped' | 'kept', (processes: number) => number>}
 */
const MOST_MISSED = {
  published: () => Number.POSITIVE_INFINITY,
  popped: (processes) => processes,
  kept: () => 0,
};

/** Null for never, undefined if none was accepted. @param {FaultOperation[]} operations @param {number} struckAtMs */
function receiverBackMs(operations, struckAtMs) {
  const later = operations.filter(
    ({ scheduledMs, acceptedMs }) => scheduledMs >= struckAtMs && Number.isFinite(acceptedMs),
  );
  const arrived = later.flatMap(({ atMs }) => atMs ?? []);
  if (later.length === 0) return undefined;
  return arrived.length === 0 ? null : min(arrived) - struckAtMs;
}

/**
 * Counts messages that arrived, at any receiver, after one sent when the server had already accepted them. Messages in
 * flight together have no defined order. @param {FaultOperation[]} operations
 */
function countOvertaken(operations) {
  /** @type {Map<number, {atMs: number, operation: FaultOperation}[]>} */
  const byReceiver = new Map();
  for (const operation of operations) {
    const known = new Set();
    for (const { receiver, atMs } of operation.arrivals ?? []) {
      if (known.has(receiver)) continue;
      known.add(receiver);
      if (!byReceiver.has(receiver)) byReceiver.set(receiver, []);
      byReceiver.get(receiver)?.push({ atMs, operation });
    }
  }
  const overtaken = new Set();
  for (const arrivals of byReceiver.values()) {
    let latestMs = Number.NEGATIVE_INFINITY;
    for (const { operation } of arrivals.sort((a, b) => a.atMs - b.atMs)) {
      if (latestMs > (operation.acceptedMs ?? Number.POSITIVE_INFINITY)) overtaken.add(operation);
      latestMs = Math.max(latestMs, operation.scheduledMs);
    }
  }
  return overtaken.size;
}

/** Null if none took too long. @param {FaultLog[]} logs @returns {ReceiverCall | null} */
function longestBlock(logs) {
  const [longest] = logs.flatMap(({ longestCall }) => longestCall ?? []).sort((a, b) => b.ms - a.ms);
  return longest === undefined || longest.ms < BLOCKED_MS ? null : longest;
}
