import { sum } from 'simple-statistics';
import { runsScripts } from '../script-commands.js';

/** @import { ServerDelta } from '../server/types.js' */
/** @import { ClientProbe } from '../meters/types.js' */
/** @import { Latency, RunWarning } from './types.js' */

/**
 * Checks the run's commands against the server's own counters. What the client says its cache has answered must be
 * missing there, no more and no less. What scripts of the run send is counted there too, and nobody else knows how much
 * that is: with them, the server may have counted more.
 * @param {ServerDelta | null} seen null where INFO is not allowed
 * @param {Record<string, number>} claimed commands by name in lower case @param {boolean} opensDuringRun
 * @param {number} [cached] of these, how many the client's cache has answered
 * @param {Record<string, number>} [ofWorkload] those claimed that may be scripts of the user's
 * @param {boolean} [isWatched] whether Sentinels send commands meanwhile @returns {RunWarning[]}
 */
export function accountFor(seen, claimed, opensDuringRun, cached = 0, ofWorkload = {}, isWatched = false) {
  const hasScripts = runsScripts(ofWorkload);
  if (seen === null) return [{ kind: 'no-info' }];
  /** @type {RunWarning[]} */
  const warnings = [];
  const differences = Object.entries(seen.calls === null ? {} : claimed).map(([command, count]) => {
    const counted = countOf(command, seen.calls ?? {});
    return { command, count, counted };
  });
  const missing = sum(differences.map(({ count, counted }) => count - counted));
  if (cached > 0 && seen.calls !== null && missing !== cached) {
    warnings.push({ kind: 'cache-miscounted', cached, claimed: sum(Object.values(claimed)), missing });
  }
  for (const { command, count, counted } of differences) {
    if (
      hasScripts || (isWatched && OF_SENTINELS.has(command))
        ? counted < count
        : cached > 0
          ? counted > count
          : counted !== count
    ) {
      warnings.push({ kind: 'command-miscounted', command, claimed: count, counted });
    }
  }
  const others = Object.entries(seen.calls ?? {}).filter(
    ([name, calls]) =>
      calls > 0 &&
      !(name in claimed) &&
      !(name.split('|')[0] in claimed) &&
      !(isWatched && OF_SENTINELS.has(name)),
  );
  // Connections opened during the run also send commands to set themselves up.
  if (!opensDuringRun && !hasScripts && others.length > 0) {
    warnings.push({ kind: 'other-commands', commands: Object.fromEntries(others) });
  }
  const total = sum(Object.values(claimed)) - cached;
  const isAccounted = hasScripts ? Number(seen.commands) >= total : seen.commands === total;
  if (seen.calls === null && seen.commands !== null && !opensDuringRun && !isAccounted) {
    warnings.push({ kind: 'commands-miscounted', claimed: total, counted: seen.commands });
  }
  return warnings;
}

/** What Sentinels send all the time to the servers that they watch. */
const OF_SENTINELS = new Set(['ping', 'info', 'publish']);

/**
 * @param {string} command
 * @param {Record<string, number>} calls by name; since Redis 7, subcommands apart: `object|encoding` @returns {number}
 */
const countOf = (command, calls) =>
  sum(
    Object.entries(calls).flatMap(([name, count]) =>
      name === command || name.startsWith(`${command}|`) ? count : [],
    ),
  );

/** An event loop that was busy for this much more of the time than it had its processor shared it. */
const TAKEN_AWAY = 0.15;
/** A larger share of a run than this, spent collecting garbage, affects its figures. */
const MUCH_GARBAGE = 0.1;

/**
 * What clearly disturbed a run.
 * @param {ClientProbe} client @param {number} elapsedMs @param {boolean} ownProcessor @returns {RunWarning[]}
 */
export function disturbances({ cpuUs, eventLoopUtilization, garbage }, elapsedMs, ownProcessor) {
  const got = cpuUs / 1000 / elapsedMs;
  // A collection that waits for the processor takes longer than its work.
  if (ownProcessor && eventLoopUtilization - got > TAKEN_AWAY) return [{ kind: 'processor-taken' }];
  return garbage.gcPauseMs > MUCH_GARBAGE * elapsedMs ? [{ kind: 'much-garbage' }] : [];
}

/** The application's work may take so much more or less than was asked for before that is reported. */
const WORK_OFF = 0.1;

/**
 * @param {ClientProbe} client @param {number} operations @param {number} wantedUs of each
 * @returns {RunWarning[]} one where the application's work was not what it was meant to be
 */
export function workTaken({ appWorkUs }, operations, wantedUs) {
  if (wantedUs === 0 || operations === 0) return [];
  const off = appWorkUs / operations / wantedUs - 1;
  if (Math.abs(off) <= WORK_OFF) return [];
  return [{ kind: 'app-work-off', more: off > 0, beyondShare: WORK_OFF }];
}

/**
 * Whether a cell's processes had to share processors, which adds to its latencies.
 * @param {number} processes @param {number | null} cpus that they were pinned to; null where to none
 * @returns {RunWarning[]} one if there were fewer processors than processes
 */
export function crowding(processes, cpus) {
  return cpus === null || processes <= cpus ? [] : [{ kind: 'crowded', processes, cpus }];
}

/** An operation that takes longer than this, and ten times as long as usual, was held up. */
const STALL_MS = 1000;
const TIMES_USUAL = 10;

/**
 * @param {number} stalledMs seen from outside @param {Latency | null} latency seen by the operations themselves
 * @returns {RunWarning[]} one if nothing was answered for a while
 */
export function stalls(stalledMs, latency) {
  const held = latency !== null && latency.maxUs > TIMES_USUAL * latency.p50Us ? latency.maxUs / 1000 : 0;
  const longest = Math.max(stalledMs, held);
  return longest < STALL_MS ? [] : [{ kind: 'stalled', ms: longest }];
}
