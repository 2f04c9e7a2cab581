import { sum } from '../../descriptive-statistics.js';
import { count } from '../../numbers.js';
import { createCallCounts } from '../../plugins/shared/call-counts.js';
import { addEmitted, measuredRules } from '../../run/merge-runs.js';
import { IN_TIME } from '../../statistics/latency.js';
import { mergeBy } from '../../store/merge.js';
import { figuresFrom } from '../../store/metrics.js';
import { byCause, runOfTimes, withWarnings } from '../../store/run-record.js';
import { rangeOf } from './outcome.js';

/** @import { Run, RunWarning } from '../../store/types.js' */
/** @import { FaultRun } from './types.js' */
/** @import { FaultLog, FaultSetting } from './run.js' */

/**
 * @typedef {{scheduledMs: number, atMs: number | null, cause: string | null, wrong?: 'value' | 'nothing',
 *   times: number | null, isOnBroken?: boolean}} FaultOperation times are since the start. `atMs`: when the caller got a result or an error, null for
 *   never; `cause`: that error; `wrong`: of a reply, `nothing` if it said that nothing was there; `times`: how often it was
 *   done, by the server's data, null if that does not show it;
 *   `isOnBroken`: whether it needs the one node that breaks, undefined where it does not matter which node has a key
 */

/**
 * Failed operations are the result here, so they do not fail the run. `logs` has one entry per process. @returns {Run}
 * @param {{round: number, logs: FaultLog[], setting: FaultSetting, connections: number | null, remarks: RunWarning[]}} facts
 */
export function createFaultRun({ round, logs, setting, connections, remarks }) {
  const { figures, unknown, acknowledged, failed } = accountForFault(logs, setting);
  const elapsedMs = Math.max(...logs.map((log) => log.elapsedMs));
  const operations = acknowledged.length;
  const causes = createCallCounts();
  for (const { cause } of failed) causes.count(`${cause}`);
  const run = runOfTimes({
    round,
    elapsedMs,
    connections,
    operations,
    peakRssBytes: sum(logs.map(({ rssBytes }) => rssBytes)),
    timesMs: acknowledged.map(({ scheduledMs, atMs }) => Number(atMs) - scheduledMs),
  });
  const emitted = addEmitted(logs.map((log) => log.emitted));
  const used = {
    ...run,
    ...(emitted && { emitted }),
    ...usedBy(logs, { operations, elapsedMs }),
    wrongReplies: figures.wrong ?? 0,
    errors: byCause(causes.take()),
    fault: figures,
    failed:
      unknown > 0
        ? `the server's data has ${count(unknown, 'entry', 'entries')} of operations that were never sent: another program writes there`
        : null,
  };
  return withWarnings(used, remarks);
}

/** Nothing if a process died. @param {FaultLog[]} logs @param {{operations: number, elapsedMs: number}} run */
function usedBy(logs, run) {
  if (logs.some(({ client }) => client === null)) return {};
  const times = logs.map((log) => log.elapsedMs);
  const { client, calls } = measuredRules('processes', 'concatenate');
  const merged = mergeBy({ client, calls }, logs, times);
  return {
    client: figuresFrom('client', { ...run, ...merged }),
    commands: sum(Object.values(merged.calls)),
  };
}

/**
 * Compares replies with the server's data. @param {FaultLog[]} logs one per process @param {FaultSetting} setting
 * @returns {{figures: FaultRun, unknown: number} & Record<'acknowledged' | 'failed', FaultOperation[]>} `unknown`: entries
 *   that no worker sent
 */
export function accountForFault(logs, setting) {
  const { strike, pause, silenceLimitMs } = setting;
  const watched = watchedFrom(setting);
  const all = logs.map((log) => settle(log, strike?.freshFromMs));
  const operations = all.flatMap((each) => each.operations);
  const endedMs = Math.max(...logs.map((log) => log.elapsedMs));
  const { acknowledged, failed, figures } = outcomeFor(operations, setting, endedMs);
  const [broken, others] = [true, false].map((isOn) => operations.filter((each) => each.isOnBroken === isOn));
  return {
    unknown: sum(all.map((each) => each.unknown)),
    acknowledged,
    failed,
    figures: {
      struckAtMs: watched && withoutPause(watched.struckAtMs, pause),
      struckLateMs: strike?.lateMs ?? null,
      overAtMs: watched && withoutPause(watched.overAtMs, pause),
      ...(strike?.promotedAtMs !== undefined && { promotedMs: strike.promotedAtMs - strike.struckAtMs }),
      met: strike?.met ?? null,
      proves: setting.proves,
      ...(silenceLimitMs !== undefined && { silenceLimitMs }),
      ...figures,
      scheduled: sum(logs.map(({ scheduled }) => scheduled)),
      unsent: sum(logs.map(({ unsent, dropped }) => unsent + dropped)),
      // With --one-slot there are no others.
      ...(broken.length > 0 &&
        others.length > 0 && {
          nodes: {
            broken: outcomeFor(broken, setting, endedMs).figures,
            others: outcomeFor(others, setting, endedMs).figures,
          },
        }),
      loopDelayMaxMs: rangeOf(logs.map(({ loopDelayMaxMs }) => loopDelayMaxMs)).high,
      memoryGrowthBytes: sum(
        logs.map(({ rssBytes, firstRssBytes }) => Math.max(0, rssBytes - firstRssBytes)),
      ),
      crash: logs.find(({ crash }) => crash !== null)?.crash ?? null,
    },
  };
}

/**
 * What became of some operations.
 * @param {FaultOperation[]} operations @param {FaultSetting} setting @param {number} endedMs
 */
function outcomeFor(operations, setting, endedMs) {
  const { durationMs, sloMs, strike, pause } = setting;
  const watched = watchedFrom(setting);
  const acknowledged = operations.filter(({ atMs, cause }) => atMs !== null && cause === null);
  const wrong = operations.filter(({ cause }) => cause === WRONG_REPLY);
  const failed = operations.filter(({ cause }) => cause !== null && cause !== WRONG_REPLY);
  const unanswered = operations.filter(({ atMs }) => atMs === null);
  const longest = longestWait(operations, endedMs);
  const figures = {
    scheduled: operations.length,
    acknowledged: acknowledged.length,
    failed: failed.length,
    late: acknowledged.filter((each) => Number(each.atMs) - each.scheduledMs > sloMs).length,
    unanswered: unanswered.length,
    firstSuccessMs: watched && firstSuccessMs(acknowledged, watched.struckAtMs),
    recoveredMs: watched && recoveredMs(operations, { struckAtMs: watched.struckAtMs, durationMs, sloMs }),
    ...(watched && pause.ms > 0 && firstCall(operations, watched.struckAtMs, strike?.frozenUntilMs)),
    longestWaitMs: longest.ms,
    longestWaitAnswered: longest.answered,
    wrong: wrong.length,
    ...countWrites({ operations, acknowledged, failed, unanswered }, setting, watched),
    timeline: timelineOf(operations, { endedMs, sloMs, pause }),
  };
  return { acknowledged, failed, figures };
}

/**
 * @param {Record<'operations' | 'acknowledged' | 'failed' | 'unanswered', FaultOperation[]>} all
 * @param {FaultSetting} setting @param {ReturnType<typeof watchedFrom>} watched
 */
function countWrites({ operations, acknowledged, failed, unanswered }, { proves, strike }, watched) {
  const isMissing = (/** @type {FaultOperation} */ { times }) => times !== null && times < 1;
  const notFound = acknowledged.filter((each) => each.wrong === 'nothing' && !isMissing(each)).length;
  const missing = acknowledged.filter(isMissing);
  const freshFromMs = strike?.freshFromMs ?? 0;
  // What began before the server lost its data may have done its first part there.
  const inPart = operations.filter(
    ({ times, scheduledMs }) => times !== null && times > 0 && times < 1 && scheduledMs >= freshFromMs,
  ).length;
  const lost = missing.filter(
    (each) =>
      Number(each.atMs) >= freshFromMs && (Number(each.times) === 0 || each.scheduledMs >= freshFromMs),
  );
  const tells = proves !== 'reads' && proves !== 'replies';
  const countOf = (/** @type {FaultOperation[]} */ some, least = 1) =>
    tells ? some.filter(({ times }) => Number(times) >= least).length : null;
  return {
    doneTwice: proves === 'writes' ? null : countOf(operations, 2),
    lost: tells ? lost.length : null,
    ...lastLost(lost, watched),
    lostWithServer: missing.length - lost.length + notFound,
    ...(inPart > 0 && { doneInPart: inPart }),
    doneThoughFailed: countOf(failed),
    doneThoughUnanswered: countOf(unanswered),
  };
}

/** A fault in a pause counts from the end of the pause, when callers notice it. @param {FaultSetting} setting */
function watchedFrom({ strike, pause }) {
  if (pause.ms === 0) return strike;
  const endMs = pause.atMs + pause.ms;
  return { struckAtMs: endMs, overAtMs: Math.max(endMs, strike?.overAtMs ?? 0) };
}

/** The time by a clock that stops during the pause. @param {number} ms @param {FaultSetting['pause']} pause */
const withoutPause = (ms, pause) => Math.min(ms, Math.max(pause.atMs, ms - pause.ms));

/** @param {FaultOperation[]} lost @param {{struckAtMs: number} | null} watched */
function lastLost(lost, watched) {
  const { high } = rangeOf(lost.map(({ atMs }) => atMs));
  return high === null || watched === null ? {} : { lastLostMs: Math.max(0, high - watched.struckAtMs) };
}

/** @param {FaultOperation[]} operations @param {number} fromMs @returns {FaultOperation[]} those that began later, in order */
const since = (operations, fromMs) =>
  operations.filter(({ scheduledMs }) => scheduledMs >= fromMs).sort((a, b) => a.scheduledMs - b.scheduledMs);

/**
 * Nobody calls while the process is frozen: what was due then begins at the thaw.
 * @param {FaultOperation[]} operations @param {number} fromMs @param {number} [frozenUntilMs]
 */
function firstCall(operations, fromMs, frozenUntilMs = 0) {
  const [{ scheduledMs = 0, atMs = null, cause = null } = {}] = since(operations, fromMs);
  const calledMs = Math.max(scheduledMs, frozenUntilMs);
  return { firstCallMs: atMs === null ? null : Math.max(0, atMs - calledMs), firstCallError: cause };
}

const WRONG_REPLY = 'a wrong reply';

/**
 * @param {FaultLog} log @param {number} [freshFromMs] when the server lost its data
 * @returns {{operations: FaultOperation[], unknown: number}}
 */
function settle(log, freshFromMs = Number.POSITIVE_INFINITY) {
  const times = new Map(log.times);
  const operations = [...log.operations].map(([number, each]) => {
    const found = times.get(number);
    const done = log.times && (found === undefined ? 0 : found);
    times.delete(number);
    // A server that has lost its data rightly replies that there is nothing.
    const isWrong = each.wrong === 'value' || (each.wrong === 'nothing' && Number(each.atMs) < freshFromMs);
    return { ...each, ...(isWrong && { cause: WRONG_REPLY }), times: done };
  });
  // A crashed process may have sent more than it managed to log.
  const unclaimed = [...times].filter(([, done]) => Number(done) > 0);
  const last = log.crash === null ? [] : unclaimed.filter(([number]) => number < log.scheduled);
  return {
    operations: [
      ...operations,
      ...last.map(([, done]) => ({ scheduledMs: log.elapsedMs, atMs: null, cause: null, times: done })),
    ],
    unknown: unclaimed.length - last.length,
  };
}

/** Without a reply, a caller waits until the end. @param {FaultOperation[]} operations @param {number} endedMs */
function longestWait(operations, endedMs) {
  let longest = { ms: 0, answered: true };
  for (const { scheduledMs, atMs } of operations) {
    const ms = (atMs ?? endedMs) - scheduledMs;
    if (ms > longest.ms) longest = { ms, answered: atMs !== null };
  }
  return longest;
}

const BUCKET_MS = 100;

/**
 * Leaves the pause out. @returns {FaultRun['timeline']}
 * @param {FaultOperation[]} operations @param {{endedMs: number, sloMs: number, pause: FaultSetting['pause']}} run
 */
export function timelineOf(operations, { endedMs, sloMs, pause }) {
  const length = Math.max(1, Math.ceil(withoutPause(endedMs, pause) / BUCKET_MS));
  const [due, inTime, acknowledged, failed, waiting] = Array.from({ length: 5 }, () =>
    Array.from({ length }, () => 0),
  );
  const placeOf = (/** @type {number} */ ms) =>
    Math.min(length - 1, Math.floor(withoutPause(ms, pause) / BUCKET_MS));
  for (const { scheduledMs, atMs, cause } of operations) {
    const from = placeOf(scheduledMs);
    due[from]++;
    waiting[from]++;
    if (atMs === null) continue;
    const at = placeOf(atMs);
    waiting[at]--;
    (cause === null ? acknowledged : failed)[at]++;
    if (cause === null && atMs - scheduledMs <= sloMs) inTime[from]++;
  }
  // Arrivals minus departures so far: how many are in flight at the end of each bucket.
  for (let place = 1; place < length; place++) waiting[place] += waiting[place - 1];
  return { bucketMs: BUCKET_MS, due, inTime, acknowledged, failed, waiting };
}

/** The window is at most this share of the run after the fault. */
const PART_OF_REST = 1 / 3;
/** At the end of a run, a shorter window counts if everything in it was in time. */
const LEAST_MS = 200;

/** Null if none began after the fault. @param {FaultOperation[]} acknowledged @param {number} struckAtMs */
export function firstSuccessMs(acknowledged, struckAtMs) {
  const { low } = rangeOf(since(acknowledged, struckAtMs).map(({ atMs }) => atMs));
  return low === null ? null : low - struckAtMs;
}

/** Below this share in time it is an outage, which may begin seconds after the fault: when clients switch primary. */
const OUTAGE = 0.5;

/**
 * From the fault until operations are in time again with no later outage; 0 if all were in time; null for never.
 * @param {FaultOperation[]} operations @param {{struckAtMs: number, durationMs: number, sloMs: number}} run
 */
export function recoveredMs(operations, { struckAtMs, durationMs, sloMs }) {
  const after = since(operations, struckAtMs);
  const inTime = after.map(
    ({ scheduledMs, atMs, cause }) => atMs !== null && cause === null && atMs - scheduledMs <= sloMs,
  );
  const windowMs = Math.min(IN_TIME.windowMs, (durationMs - struckAtMs) * PART_OF_REST);
  const lastBad = inTime.lastIndexOf(false);
  let end = 0;
  let good = 0;
  let first = -1;
  for (const [start, { scheduledMs }] of after.entries()) {
    while (end < after.length && after[end].scheduledMs < scheduledMs + windowMs)
      good += Number(inTime[end++]);
    const leftMs = durationMs - scheduledMs;
    const isWhole = leftMs >= windowMs;
    const share = good / (end - start);
    const held = isWhole ? inTime[start] && share >= IN_TIME.share : start > lastBad && leftMs >= LEAST_MS;
    if (isWhole && share < OUTAGE) first = -1;
    else if (held && first < 0) first = start;
    good -= Number(inTime[start]);
  }
  if (first < 0) return null;
  return first === 0 ? 0 : after[first].scheduledMs - struckAtMs;
}
