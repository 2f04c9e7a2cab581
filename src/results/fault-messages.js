import { min } from 'simple-statistics';

/** @import { ReceiverCall } from '../worker/types.js' */
/** @import { FaultLog, FaultOperation, FaultRun, FaultSetting } from './types.js' */

/** A receiver waits on the server for a second at most; as long again is more than a busy machine needs. */
const BLOCKED_MS = 2000;

/** @param {FaultLog['operations']} operations @returns {Map<number, number>} how often each came to one receiver, at most */
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
 * A message's operation ends when it is everywhere, and its sender was told that the server has it.
 * @param {Omit<FaultOperation, 'times'>} sent @param {number} receivers
 * @returns {Pick<FaultOperation, 'atMs' | 'acceptedMs'>}
 */
export function endOfMessage({ atMs, cause, arrivals = [] }, receivers) {
  if (atMs === null || cause !== null) return { atMs, acceptedMs: null };
  /** @type {number[]} */
  const first = [];
  for (const each of arrivals) first[each.receiver] ??= each.atMs;
  const isEverywhere = first.filter((ms) => ms !== undefined).length === receivers;
  return { atMs: isEverywhere ? Math.max(atMs, ...first) : null, acceptedMs: atMs };
}

/** Of whose operations it is known where they arrived. @param {FaultSetting['proves']} proves */
const areMessages = (proves) => proves === 'published' || proves === 'popped' || proves === 'kept';

/**
 * What became of those that the server took.
 * @param {FaultOperation[]} operations @param {FaultSetting} setting
 * @param {{struckAtMs: number} | null} watched @param {FaultLog[]} logs
 * @returns {{gone: FaultOperation[], lost: FaultOperation[], figures: Partial<FaultRun>}} `gone`: neither arrived nor left
 *   on the server, so that nobody waits for them; `lost`: of those, what cannot be the fault's doing
 */
export function accountForMessages(operations, { proves, sloMs }, watched, logs) {
  if (!areMessages(proves)) return { gone: [], lost: [], figures: {} };
  const taken = operations.filter(({ acceptedMs, atMs }) => Number.isFinite(acceptedMs) && atMs === null);
  const gone = taken.filter(({ times }) => proves === 'published' || Number(times) < 1);
  const backMs = watched === null ? undefined : receiverBackMs(operations, watched.struckAtMs);
  const untilMs = Number(watched?.struckAtMs) + (backMs ?? Number.POSITIVE_INFINITY);
  // What is popped may have waited in the list for long.
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
 * What a fault may take on its way to the receivers, by no doing of the client: all that is published while a
 * subscriber is away, and what each consumer's blocking pop has just been given.
 * @type {Record<'published' | 'popped' | 'kept', (processes: number) => number>}
 */
const MOST_MISSED = {
  published: () => Number.POSITIVE_INFINITY,
  popped: (processes) => processes,
  kept: () => 0,
};

/**
 * @param {FaultOperation[]} operations @param {number} struckAtMs
 * @returns {number | null | undefined} null for never; undefined where the server took no message any more
 */
function receiverBackMs(operations, struckAtMs) {
  const later = operations.filter(
    ({ scheduledMs, acceptedMs }) => scheduledMs >= struckAtMs && Number.isFinite(acceptedMs),
  );
  const arrived = later.flatMap(({ atMs }) => atMs ?? []);
  if (later.length === 0) return undefined;
  return arrived.length === 0 ? null : min(arrived) - struckAtMs;
}

/**
 * One is overtaken where another that was sent after the server had taken it came first. Of those in flight together
 * nobody knows an order.
 * @param {FaultOperation[]} operations @returns {number} how many were, at any receiver
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

/** @param {FaultLog[]} logs @returns {ReceiverCall | null} the longest of all processes; null where none took too long */
function longestBlock(logs) {
  const [longest] = logs.flatMap(({ longestCall }) => longestCall ?? []).sort((a, b) => b.ms - a.ms);
  return longest === undefined || longest.ms < BLOCKED_MS ? null : longest;
}
