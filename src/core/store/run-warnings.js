import { sum } from 'simple-statistics';
import { runsScripts } from '../command-places.js';
import { latencyOf } from '../statistics/latency.js';
import { startSkewMs } from './merge.js';

/** @import { OpenLoopPlan } from '../plan/types.js' */
/** @import { MadeBy } from '../plugins/types.js' */
/** @import { Observed } from '../run/types.js' */
/** @import { ServerDelta } from '../server/types.js' */
/** @import { Latency, MachineFigures, OpenLoopRun, RunWarning } from './types.js' */

/**
 * @typedef {object} RunFacts @property {boolean} opensDuringRun @property {boolean} hasOneNode @property {OpenLoopPlan | null} openLoop
 * @property {boolean} isWatched by Sentinels @property {'denied' | 'unknown'} noInfo why the server's counts are null
 * @property {number} appWorkUs intended, per operation
 * @property {boolean} ownProcessor whether the worker has its CPUs to itself
 * @property {number | null} workerCpus CPUs that the workers are pinned to; null if not pinned
 * @property {MadeBy} [madeBy] the data
 */

/** If the event loop was busy for this much more of the time than it had CPU, it shared its CPU. */
const TAKEN_AWAY = 0.15;
/** A larger share of garbage collection affects the figures. */
const MUCH_GARBAGE = 0.1;
/** With a smaller deviation, it hardly matters which part of a recording a run covers. */
const OTHER_RATE = 0.25;
/** A skew beyond this, or beyond this share of the run, is reported. */
const SKEW = { ms: 10, share: 0.01 };
const WORK_OFF = 0.1;
/** An operation that takes longer than this, and ten times the median, was stalled. */
const STALL_MS = 1000;
const TIMES_USUAL = 10;

/**
 * What makes a run doubtful, besides what its workers remarked. @param {Pick<Observed, 'measured' | 'seen' | 'stalledMs'>} observed
 * @param {RunFacts} facts @param {{latency: Latency | null, rated: OpenLoopRun | null}} figures @returns {RunWarning[]}
 */
export function warningsOf({ measured, seen, stalledMs }, facts, { latency, rated }) {
  const { client, elapsedMs, taskIterations, errors, machines = [] } = measured;
  const { appWorkUs, openLoop, workerCpus } = facts;
  const operations = sum(taskIterations);
  const processes = measured.processes?.length ?? 1;
  // First, because a garbage collection that waits for CPU takes longer.
  const isTaken =
    facts.ownProcessor && client.eventLoopUtilization - client.cpuUs / 1000 / elapsedMs > TAKEN_AWAY;
  const rateOff =
    rated !== null && openLoop?.arrivals === 'recorded'
      ? rated.intendedPerSecond / openLoop.ratePerSecond - 1
      : 0;
  const skewMs = machines.length < 2 ? 0 : startSkewMs(machines);
  const workOff = appWorkUs > 0 && operations > 0 ? client.appWorkUs / operations / appWorkUs - 1 : 0;
  // Latency from the schedule has other causes too, so `latencyFromSend` is used.
  const own = rated === null ? latency : rated.latencyFromSend;
  const waitedMs = own !== null && own.maxUs > TIMES_USUAL * own.p50Us ? own.maxUs / 1000 : 0;
  // While all tasks compute in one turn of the event loop, no reply can be read.
  const stallMs = Math.max(stalledMs - (taskIterations.length * appWorkUs) / 1000, waitedMs);
  return [
    ...emptyReplies(measured.filled, operations, facts.madeBy),
    ...foundNothing(measured.foundNothing, operations),
    // Failed operations are not claimed, but the server may have executed them.
    ...(Object.keys(errors).length > 0
      ? []
      : accountFor(seen, measured.calls, measured.answeredByCaches ?? 0, facts)),
    ...when(isTaken, { kind: 'processor-taken' }),
    ...when(!isTaken && client.garbage.gcPauseMs > MUCH_GARBAGE * elapsedMs, { kind: 'much-garbage' }),
    ...when(Math.abs(rateOff) > OTHER_RATE, { kind: 'part-of-recording' }),
    ...when(skewMs > Math.min(SKEW.ms, SKEW.share * elapsedMs), {
      kind: 'started-apart',
      ms: SKEW.ms,
      beyondShare: SKEW.share,
    }),
    ...ownTail(machines),
    ...when(Math.abs(workOff) > WORK_OFF, { kind: 'app-work-off', more: workOff > 0, beyondShare: WORK_OFF }),
    ...(workerCpus !== null
      ? when(processes > workerCpus, { kind: 'crowded', processes, cpus: workerCpus })
      : []),
    ...when(stallMs >= STALL_MS, { kind: 'stalled', ms: stallMs }),
  ];
}

/** @param {boolean} is @param {RunWarning} warning @returns {RunWarning[]} */
export const when = (is, warning) => (is ? [warning] : []);

/**
 * Compares the run's commands with the server's counters. Exactly the cache hits must be missing there. With scripts,
 * the server may count more, because it also counts the commands that they send.
 * @param {ServerDelta | null} seen null if INFO is not allowed @param {Record<string, number>} claimed by name
 * @param {number} cached cache hits among them @param {RunFacts} run @returns {RunWarning[]}
 */
function accountFor(seen, claimed, cached, { opensDuringRun, isWatched, noInfo }) {
  if (seen === null) return when(true, { kind: 'no-info', why: noInfo });
  const { calls, commands } = seen;
  const hasScripts = runsScripts(claimed);
  const all = sum(Object.values(claimed));
  if (calls === null) {
    const counted = opensDuringRun ? null : commands;
    const isOff = counted !== null && (hasScripts ? counted < all - cached : counted !== all - cached);
    return when(isOff, { kind: 'commands-miscounted', claimed: all - cached, counted: Number(counted) });
  }
  const compared = Object.entries(claimed).map(([command, count]) => ({
    command,
    claimed: count,
    counted: countOf(command, calls),
  }));
  const missing = all - sum(compared.map(({ counted }) => counted));
  const mayCountMore = (/** @type {string} */ command) => isWatched && OF_SENTINELS.has(command);
  const isOff = (/** @type {typeof compared[number]} */ { command, claimed: count, counted }) =>
    hasScripts || mayCountMore(command) ? counted < count : cached > 0 ? counted > count : counted !== count;
  const others = Object.entries(calls).filter(
    ([name, count]) =>
      count > 0 && !(name in claimed) && !(name.split('|')[0] in claimed) && !mayCountMore(name),
  );
  // Connections opened during the run also send setup commands.
  const isOthers = !opensDuringRun && !hasScripts && others.length > 0;
  return [
    ...when(cached > 0 && missing !== cached, { kind: 'cache-miscounted', cached, claimed: all, missing }),
    ...compared.flatMap((each) => when(isOff(each), { kind: 'command-miscounted', ...each })),
    ...when(isOthers, { kind: 'other-commands', commands: Object.fromEntries(others) }),
  ];
}

/** Sentinels send these all the time. */
const OF_SENTINELS = new Set(['ping', 'info', 'publish']);

/** Redis 7 counts subcommands: `object|encoding`. @param {string} command @param {Record<string, number>} calls */
const countOf = (command, calls) =>
  sum(
    Object.entries(calls).flatMap(([name, count]) =>
      name === command || name.startsWith(`${command}|`) ? count : [],
    ),
  );

/** @param {Record<string, number>} filled by command @param {number} operations @param {MadeBy} [madeBy] */
const emptyReplies = (filled, operations, madeBy) =>
  Object.entries(operations === 0 ? {} : filled).flatMap(([command, some]) => {
    // A script need not reply.
    const isEmpty = some === 0 && !runsScripts({ [command.split(' ')[0].toLowerCase()]: 1 });
    return when(isEmpty, { kind: 'empty-replies', command, prepared: madeBy?.command != null });
  });

/** From this share of a command's operations on, a run has measured that there is nothing to find. */
export const MOSTLY_NOTHING = 0.5;

/** @param {Record<string, number>} counts by command @param {number} operations @returns {RunWarning[]} where a run has not failed with it */
const foundNothing = (counts, operations) =>
  Object.entries(counts).flatMap(([command, empty]) =>
    when(empty > 0 && empty < MOSTLY_NOTHING * operations, {
      kind: 'found-nothing',
      command,
      empty,
      operations,
    }),
  );

/** A p99 this many times that of all others together is the machine's own. */
const OWN_TAIL = 1.5;
/** With fewer operations, a p99 rests on too few samples. */
const FEWEST = 1000;

/** In the next run, it may be another machine. @param {MachineFigures[]} machines */
function ownTail(machines) {
  const known = machines.flatMap(({ name, latency }) => (latency === null ? [] : { name, latency }));
  if (known.length < 2 || known.some(({ latency }) => latency.count < FEWEST)) return [];
  const worst = known.reduce((one, other) => (other.latency.p99Us > one.latency.p99Us ? other : one));
  const others = latencyOf(known.filter((each) => each !== worst).map(({ latency }) => latency.hdr));
  const isOwn = others !== null && worst.latency.p99Us > OWN_TAIL * others.p99Us;
  return when(isOwn, { kind: 'own-tail', name: worst.name, times: OWN_TAIL });
}
