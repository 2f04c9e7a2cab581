import { exists, hasFlag } from '@ioredis/commands';
import { sum } from '../descriptive-statistics.js';
import { count, whole } from '../numbers.js';
import { runsScripts } from '../server/command-places.js';
import { when } from './run-warnings.js';

/** @import { Observed } from '../run/types.js' */
/** @import { ServerDelta } from '../server/types.js' */
/** @import { RunFacts } from './run-warnings.js' */
/** @import { RunWarning } from './types.js' */

/** @typedef {{command: string, claimed: number, counted: number}} Compared */

/** The server must have counted this share of what a run claims, but all of its writes. */
const CONFIRMED = 0.99;

/**
 * Compares the commands that a run claims with the server's counters. What the server did not count was not measured, so
 * the run has failed. More than claimed is a warning, as other programs may use the server; with scripts it is none, because
 * the server also counts the commands that they send.
 * @param {Pick<Observed, 'measured' | 'seen' | 'uncounted'>} observed
 * @param {Pick<RunFacts, 'opensDuringRun' | 'isWatched' | 'noInfo' | 'caches'>} facts
 * @returns {{warnings: RunWarning[], unconfirmed: string | null, cacheHits: number | null}} `cacheHits`: null without a cache
 */
export function confirm({ measured, seen, uncounted = 0 }, facts) {
  const { calls: claimed, errors, answeredByCaches } = measured;
  const compared = seen?.calls ? compare(claimed, seen.calls) : null;
  const cacheHits = answeredByCaches ?? (facts.caches ? missingReads(claimed, compared, seen) : null);
  // Failed operations are not claimed, but the server may have executed them.
  if (Object.keys(errors).length > 0) return { warnings: [], unconfirmed: null, cacheHits };
  if (seen === null)
    return { warnings: [{ kind: 'no-info', why: facts.noInfo }], unconfirmed: null, cacheHits };
  const all = compared
    ? [...miscounted(claimed, compared, cacheHits ?? 0, facts), ...otherCommands(claimed, seen, facts)]
    : miscountedInAll(claimed, seen.commands, cacheHits ?? 0, facts);
  const missing = all.filter((warning) => isMissing(warning, claimed, seen));
  if (missing.length === 0) return { warnings: all, unconfirmed: null, cacheHits };
  if (uncounted > 0)
    return { warnings: [...all, { kind: 'server-miscounts', uncounted }], unconfirmed: null, cacheHits };
  return {
    warnings: all.filter((warning) => !missing.includes(warning)),
    unconfirmed: unconfirmedText(missing, cacheHits),
    cacheHits,
  };
}

/** @param {ServerDelta | null} seen @param {Record<string, number>} claimed @returns {boolean} whether it may have counted less */
export function mayLack(seen, claimed) {
  if (seen === null) return false;
  if (seen.calls === null) return seen.commands !== null && seen.commands < sum(Object.values(claimed));
  return compare(claimed, seen.calls).some((each) => each.counted < each.claimed);
}

/** @param {Record<string, number>} claimed by name @param {Record<string, number>} calls @returns {Compared[]} */
const compare = (claimed, calls) =>
  Object.entries(claimed).map(([command, times]) => ({
    command,
    claimed: times,
    counted: countOf(command, calls),
  }));

/** Redis 7 counts subcommands: `object|encoding`. @param {string} command @param {Record<string, number>} calls */
const countOf = (command, calls) =>
  sum(
    Object.entries(calls).flatMap(([name, times]) =>
      name === command || name.startsWith(`${command}|`) ? times : [],
    ),
  );

/** @param {string} command */
const isWrite = (command) => exists(command) && hasFlag(command, 'write');

/**
 * What a client that says that it caches, and does not say how much, left out.
 * @param {Record<string, number>} claimed @param {Compared[] | null} compared @param {ServerDelta | null} seen
 */
function missingReads(claimed, compared, seen) {
  if (compared !== null)
    return sum(
      compared.map((each) => (isWrite(each.command) ? 0 : Math.max(0, each.claimed - each.counted))),
    );
  return seen?.commands == null ? null : Math.max(0, sum(Object.values(claimed)) - seen.commands);
}

/** Sentinels send these all the time. */
const OF_SENTINELS = new Set(['ping', 'info', 'publish']);

/**
 * @param {Record<string, number>} claimed @param {Compared[]} compared @param {number} cached
 * @param {Pick<RunFacts, 'isWatched'>} facts @returns {RunWarning[]}
 */
function miscounted(claimed, compared, cached, { isWatched }) {
  const hasScripts = runsScripts(claimed);
  const all = sum(Object.values(claimed));
  const missing = all - sum(compared.map(({ counted }) => counted));
  const isOff = (/** @type {Compared} */ { command, claimed: own, counted }) => {
    if (hasScripts || (isWatched && OF_SENTINELS.has(command))) return counted < own;
    // Which of the reads a cache answered is not known.
    return cached > 0 && !isWrite(command) ? counted > own : counted !== own;
  };
  const off = compared.filter(isOff);
  const isCacheOff = cached > 0 && missing !== cached;
  return [
    ...when(isCacheOff, { kind: 'cache-miscounted', cached, claimed: all, missing }),
    ...off.flatMap((each) => when(true, { kind: 'command-miscounted', ...each })),
  ];
}

/**
 * @param {Record<string, number>} claimed @param {ServerDelta} seen @param {Pick<RunFacts, 'opensDuringRun' | 'isWatched'>} facts
 * @returns {RunWarning[]}
 */
function otherCommands(claimed, { calls }, { opensDuringRun, isWatched }) {
  // Connections opened during the run also send setup commands.
  if (opensDuringRun || runsScripts(claimed)) return [];
  const others = Object.entries(calls ?? {}).filter(
    ([name, times]) =>
      times > 0 &&
      !(name in claimed) &&
      !(name.split('|')[0] in claimed) &&
      !(isWatched && OF_SENTINELS.has(name)),
  );
  return others.length === 0 ? [] : [{ kind: 'other-commands', commands: Object.fromEntries(others) }];
}

/**
 * @param {Record<string, number>} claimed @param {number | null} counted @param {number} cached
 * @param {Pick<RunFacts, 'opensDuringRun'>} facts @returns {RunWarning[]}
 */
function miscountedInAll(claimed, counted, cached, { opensDuringRun }) {
  if (counted === null) return [{ kind: 'no-info', why: 'uncounted' }];
  const sent = sum(Object.values(claimed)) - cached;
  const isOff = opensDuringRun || runsScripts(claimed) ? counted < sent : counted !== sent;
  return isOff ? [{ kind: 'commands-miscounted', claimed: sent, counted }] : [];
}

/** @param {RunWarning} warning @param {Record<string, number>} claims @param {ServerDelta} seen */
function isMissing(warning, claims, { calls }) {
  const shareOf = (/** @type {boolean} */ areWrites) => (areWrites ? 1 : CONFIRMED);
  switch (warning.kind) {
    case 'command-miscounted': {
      const { command, claimed, counted } = warning;
      // A module's command may be counted by another name.
      const isNamed = exists(command) || Object.keys(calls ?? {}).some((name) => name === command);
      return isNamed && counted < shareOf(isWrite(command)) * claimed;
    }
    case 'commands-miscounted':
      return warning.counted < shareOf(Object.keys(claims).every(isWrite)) * warning.claimed;
    case 'cache-miscounted':
      return warning.missing - warning.cached > (1 - CONFIRMED) * warning.claimed;
    default:
      return false;
  }
}

/** @param {RunWarning[]} missing @param {number | null} cacheHits */
function unconfirmedText(missing, cacheHits) {
  const counts = missing.flatMap((warning) => {
    switch (warning.kind) {
      case 'command-miscounted':
        return `${whole(warning.counted)} of ${whole(warning.claimed)} ${warning.command.toUpperCase()}`;
      case 'commands-miscounted':
        return `${whole(warning.counted)} of ${count(warning.claimed, 'command')}`;
      case 'cache-miscounted':
        return `${whole(warning.claimed - warning.missing)}, and its cache ${whole(warning.cached)}, of ${count(warning.claimed, 'command')}`;
      default:
        return [];
    }
  });
  const mayCache = missing.some((each) => each.kind !== 'command-miscounted' || !isWrite(each.command));
  const advice = cacheHits === null && mayCache ? '; if it has a cache of its own, declare caches: true' : '';
  return `the server counted ${counts.join(', ')} that the client claims${advice}`;
}
