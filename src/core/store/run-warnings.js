import { sum } from 'simple-statistics';
import { runsScripts } from '../command-places.js';
import { latencyOf } from '../statistics/latency.js';
import { startSkewMs } from './merge.js';

/** @import { MadeBy } from '../plugins/types.js' */
/** @import { ServerDelta } from '../server/types.js' */
/** @import { ClientProbe } from '../worker/types.js' */
/** @import { Latency, MachineFigures, RunWarning } from './types.js' */

/**
 * Compares the run's commands with the server's counters. Exactly the cache hits must be missing there. With scripts,
 * the server may count more, because it also counts the commands that they send.
 * @param {ServerDelta | null} seen null if INFO is not allowed @param {Record<string, number>} claimed by name
 * @param {{opensDuringRun: boolean, cached: number, isWatched: boolean, noInfo: 'denied' | 'unknown'}} run `cached`: cache
 *   hits among `claimed`; `isWatched`: by Sentinels; `noInfo`: why `seen` is null @returns {RunWarning[]}
 */
export function accountFor(seen, claimed, { opensDuringRun, cached, isWatched, noInfo }) {
  if (seen === null) return [{ kind: 'no-info', why: noInfo }];
  const { calls, commands } = seen;
  const hasScripts = runsScripts(claimed);
  const all = sum(Object.values(claimed));
  if (calls === null) {
    const isAccounted = hasScripts ? Number(commands) >= all - cached : commands === all - cached;
    if (commands === null || opensDuringRun || isAccounted) return [];
    return [{ kind: 'commands-miscounted', claimed: all - cached, counted: commands }];
  }
  /** @type {RunWarning[]} */
  const warnings = [];
  const compared = Object.entries(claimed).map(([command, count]) => ({
    command,
    claimed: count,
    counted: countOf(command, calls),
  }));
  const missing = all - sum(compared.map(({ counted }) => counted));
  if (cached > 0 && missing !== cached) {
    warnings.push({ kind: 'cache-miscounted', cached, claimed: all, missing });
  }
  const mayCountMore = (/** @type {string} */ command) => isWatched && OF_SENTINELS.has(command);
  for (const { command, claimed: count, counted } of compared) {
    const isOff =
      hasScripts || mayCountMore(command)
        ? counted < count
        : cached > 0
          ? counted > count
          : counted !== count;
    if (isOff) warnings.push({ kind: 'command-miscounted', command, claimed: count, counted });
  }
  const others = Object.entries(calls).filter(
    ([name, count]) =>
      count > 0 && !(name in claimed) && !(name.split('|')[0] in claimed) && !mayCountMore(name),
  );
  // Connections opened during the run also send setup commands.
  if (!opensDuringRun && !hasScripts && others.length > 0) {
    warnings.push({ kind: 'other-commands', commands: Object.fromEntries(others) });
  }
  return warnings;
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

/** If the event loop was busy for this much more of the time than it had CPU, it shared its CPU. */
const TAKEN_AWAY = 0.15;
/** A larger share of garbage collection affects the figures. */
const MUCH_GARBAGE = 0.1;

/** @param {ClientProbe} client @param {number} elapsedMs @param {boolean} ownProcessor @returns {RunWarning[]} */
export function disturbances({ cpuUs, eventLoopUtilization, garbage }, elapsedMs, ownProcessor) {
  const got = cpuUs / 1000 / elapsedMs;
  // First, because a garbage collection that waits for CPU takes longer.
  if (ownProcessor && eventLoopUtilization - got > TAKEN_AWAY) return [{ kind: 'processor-taken' }];
  return garbage.gcPauseMs > MUCH_GARBAGE * elapsedMs ? [{ kind: 'much-garbage' }] : [];
}

/** @param {Record<string, number>} filled by command @param {number} operations @param {MadeBy} [madeBy] @returns {RunWarning[]} */
export const emptyReplies = (filled, operations, madeBy) =>
  Object.entries(operations === 0 ? {} : filled).flatMap(([command, some]) =>
    // A script need not reply.
    some > 0 || runsScripts({ [command.split(' ')[0].toLowerCase()]: 1 })
      ? []
      : { kind: 'empty-replies', command, prepared: madeBy?.command != null },
  );

const WORK_OFF = 0.1;

/** @param {ClientProbe} client @param {number} operations @param {number} wantedUs of each @returns {RunWarning[]} */
export function workTaken({ appWorkUs }, operations, wantedUs) {
  if (wantedUs === 0 || operations === 0) return [];
  const off = appWorkUs / operations / wantedUs - 1;
  if (Math.abs(off) <= WORK_OFF) return [];
  return [{ kind: 'app-work-off', more: off > 0, beyondShare: WORK_OFF }];
}

/** Shared CPUs add latency. @param {number} processes @param {number | null} cpus pinned to @returns {RunWarning[]} */
export function crowding(processes, cpus) {
  return cpus === null || processes <= cpus ? [] : [{ kind: 'crowded', processes, cpus }];
}

/** An operation that takes longer than this, and ten times the median, was stalled. */
const STALL_MS = 1000;
const TIMES_USUAL = 10;

/** @param {number} stalledMs as the parent saw it @param {Latency | null} latency @returns {RunWarning[]} */
export function stalls(stalledMs, latency) {
  const held = latency !== null && latency.maxUs > TIMES_USUAL * latency.p50Us ? latency.maxUs / 1000 : 0;
  const longest = Math.max(stalledMs, held);
  return longest < STALL_MS ? [] : [{ kind: 'stalled', ms: longest }];
}

/** A skew beyond this, or beyond this share of the run, is reported. */
const SKEW = { ms: 10, share: 0.01 };

/** @param {MachineFigures[]} [machines] @param {number} [elapsedMs] of the run @returns {RunWarning[]} */
export function apart(machines = [], elapsedMs = 0) {
  if (machines.length < 2 || startSkewMs(machines) <= Math.min(SKEW.ms, SKEW.share * elapsedMs)) return [];
  return [{ kind: 'started-apart', ms: SKEW.ms, beyondShare: SKEW.share }];
}

/** A p99 this many times that of all others together is the machine's own. */
const OWN_TAIL = 1.5;
/** With fewer operations, a p99 rests on too few samples. */
const FEWEST = 1000;

/** In the next run, it may be another machine. @param {MachineFigures[]} [machines] @returns {RunWarning[]} */
export function ownTail(machines = []) {
  const known = machines.flatMap(({ name, latency }) => (latency === null ? [] : { name, latency }));
  if (known.length < 2 || known.some(({ latency }) => latency.count < FEWEST)) return [];
  const worst = known.reduce((one, other) => (other.latency.p99Us > one.latency.p99Us ? other : one));
  const others = latencyOf(known.filter((each) => each !== worst).map(({ latency }) => latency.hdr));
  if (others === null || worst.latency.p99Us <= OWN_TAIL * others.p99Us) return [];
  return [{ kind: 'own-tail', name: worst.name, times: OWN_TAIL }];
}
