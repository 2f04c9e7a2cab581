import { sum } from 'simple-statistics';
import { runsScripts } from '../script-commands.js';

/**
 * @import { ServerDelta } from '../server/types.js'
 * @import { ClientProbe } from '../meters/types.js'
 * @import { Latency } from './types.js'
 */

const NO_INFO =
  'INFO is not allowed on this server: its own figures are missing, and the commands could not be checked';

/**
 * Checks the run's commands against the server's own counters. What the client says its cache has answered must be
 * missing there, no more and no less. What scripts of the run send is counted there too, and nobody else knows how much
 * that is: with them, the server may have counted more.
 *
 * @param {ServerDelta | null} seen null where INFO is not allowed
 * @param {Record<string, number>} claimed commands by name in lower case
 * @param {boolean} opensDuringRun
 * @param {number} [cached] of these, how many the client's cache has answered
 * @param {Record<string, number>} [ofWorkload] those claimed that may be scripts of the user's
 * @returns {string[]} warnings
 */
export function accountFor(seen, claimed, opensDuringRun, cached = 0, ofWorkload = {}) {
  const hasScripts = runsScripts(ofWorkload);
  if (seen === null) return [NO_INFO];
  const warnings = [];
  const differences = Object.entries(seen.calls === null ? {} : claimed).map(([command, count]) => {
    const counted = countOf(command, seen.calls ?? {});
    return { command, count, counted };
  });
  const missing = sum(differences.map(({ count, counted }) => count - counted));
  if (cached > 0 && seen.calls !== null && missing !== cached) {
    warnings.push(
      `the client's cache claims to have answered ${cached} commands, but of the run's ${sum(Object.values(claimed))} ` +
        `the server counted all but ${missing}`,
    );
  }
  for (const { command, count, counted } of differences) {
    if (hasScripts ? counted < count : cached > 0 ? counted > count : counted !== count) {
      const others = counted > count ? ': another program uses it too' : '';
      warnings.push(
        `the run claims ${count} ${command.toUpperCase()}, the server counted ${counted}${others}`,
      );
    }
  }
  const others = Object.entries(seen.calls ?? {}).filter(
    ([name, calls]) => calls > 0 && !(name in claimed) && !(name.split('|')[0] in claimed),
  );
  // Connections opened during the run also send commands to set themselves up.
  if (!opensDuringRun && !hasScripts && others.length > 0) {
    warnings.push(
      `other commands ran on the server: ${others.map(([name, calls]) => `${name} ×${calls}`).join(', ')}`,
    );
  }
  const total = sum(Object.values(claimed)) - cached;
  const isAccounted = hasScripts ? Number(seen.commands) >= total : seen.commands === total;
  if (seen.calls === null && seen.commands !== null && !opensDuringRun && !isAccounted) {
    warnings.push(`the run claims ${total} commands, the server counted ${seen.commands}`);
  }
  return warnings;
}

/**
 * @param {string} command
 * @param {Record<string, number>} calls by name; since Redis 7, subcommands apart: `object|encoding`
 * @returns {number}
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
 *
 * @param {ClientProbe} client
 * @param {number} elapsedMs
 * @param {boolean} ownProcessor
 * @returns {string[]} warnings; always in the same words, so that repeats can be merged
 */
export function disturbances({ cpuUs, eventLoopUtilization, garbage }, elapsedMs, ownProcessor) {
  const got = cpuUs / 1000 / elapsedMs;
  // A collection that waits for the processor takes longer than its work.
  if (ownProcessor && eventLoopUtilization - got > TAKEN_AWAY)
    return ["something else ran on the worker's processor: close other programs, or use more --runs"];
  return garbage.gcPauseMs > MUCH_GARBAGE * elapsedMs
    ? ['garbage collection took over a tenth of the run']
    : [];
}

/** The application's work may take so much more or less than was asked for before that is told. */
const WORK_OFF = 0.1;

/**
 * @param {ClientProbe} client
 * @param {number} operations
 * @param {number} wantedUs of each
 * @returns {string[]} a warning where the application's work was not what it was meant to be
 */
export function workTaken({ appWorkUs }, operations, wantedUs) {
  if (wantedUs === 0 || operations === 0) return [];
  const off = appWorkUs / operations / wantedUs - 1;
  if (Math.abs(off) <= WORK_OFF) return [];
  return [
    `the application's work took over ${WORK_OFF * 100} % ${off > 0 ? 'more' : 'less'} CPU than --app-work asks for (appWorkUsPerOp)`,
  ];
}

/**
 * Whether a cell's processes had to share processors, which adds to its latencies.
 *
 * @param {number} processes
 * @param {number | null} cpus that they were pinned to; null where to none
 * @returns {string[]} a warning if there were fewer processors than processes
 */
export function crowding(processes, cpus) {
  if (cpus === null || processes <= cpus) return [];
  const shared = cpus === 1 ? 'one processor' : `${cpus} processors`;
  return [
    `${processes} worker processes shared ${shared}: latencies include the time they waited for each other`,
  ];
}

/** An operation that takes longer than this, and ten times as long as usual, was held up. */
const STALL_MS = 1000;
const TIMES_USUAL = 10;

/**
 * @param {number} stalledMs seen from outside
 * @param {Latency | null} latency seen by the operations themselves
 * @returns {string[]} a warning if nothing was answered for a while
 */
export function stalls(stalledMs, latency) {
  const held = latency !== null && latency.maxUs > TIMES_USUAL * latency.p50Us ? latency.maxUs / 1000 : 0;
  const longest = Math.max(stalledMs, held);
  if (longest < STALL_MS) return [];
  return [
    `nothing was answered for ${(longest / 1000).toFixed(1)} s: the server, the network or this machine stalled`,
  ];
}
