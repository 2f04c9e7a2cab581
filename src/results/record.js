import { sum } from 'simple-statistics';
import { latencyOf } from '../stats/latency.js';
import { batchingOf, clientCost, processFigures, serverCost } from './cost.js';
import { openLoopOf } from './open-loop.js';

/**
 * The record of one finished run: what the tasks measured, and what the server's counters say to it.
 *
 * @param {object} facts
 * @param {number} facts.round from 1
 * @param {import('../types.js').Observed} facts.observed
 * @param {boolean} facts.opensDuringRun
 * @param {import('../types.js').OpenLoopPlan | null} [facts.openLoop] as it was asked for
 * @param {boolean} [facts.ownProcessor] whether nothing else was meant to run on the worker's processors
 * @returns {import('../types.js').Run}
 */
export function createRun({
  round,
  observed: { measured, connections, seen },
  opensDuringRun,
  openLoop = null,
  ownProcessor = false,
}) {
  const { taskElapsedMs, taskIterations, elapsedMs, wrongReplies, firstWrongReply, errors } = measured;
  const operations = sum(taskIterations);
  return {
    round,
    averageMs: taskElapsedMs.reduce((sum, ms) => sum + ms, 0) / taskElapsedMs.length,
    spreadMs: Math.max(...taskElapsedMs) - Math.min(...taskElapsedMs),
    taskElapsedMs,
    elapsedMs,
    operations,
    commands: sum(Object.values(measured.calls)),
    opsPerSecond: (operations / elapsedMs) * 1000,
    connections: opensDuringRun ? measured.connectionsOpened : connections,
    latency: measured.latencyHdr === null ? null : latencyOf([measured.latencyHdr]),
    batching: batchingOf(measured.batches, operations),
    openLoop: openLoopOf(measured, openLoop),
    processes: measured.processes ?? [processFigures(measured)],
    client: clientCost(measured.client, operations, elapsedMs),
    server: serverCost(seen, elapsedMs),
    wrongReplies,
    errors,
    failed: failureOf(wrongReplies, firstWrongReply, errors),
    warnings: [
      ...(seen === null ? [NO_INFO] : accountFor(seen, measured.calls, opensDuringRun)),
      ...disturbances(measured.client, elapsedMs, ownProcessor),
    ],
  };
}

/**
 * @param {number} round
 * @param {string} reason
 * @returns {import('../types.js').Run} the record of a run that gave no figures
 */
export const failedRun = (round, reason) => ({
  round,
  averageMs: null,
  spreadMs: null,
  taskElapsedMs: [],
  elapsedMs: null,
  operations: 0,
  commands: 0,
  opsPerSecond: null,
  connections: null,
  latency: null,
  batching: null,
  openLoop: null,
  processes: [],
  client: null,
  server: null,
  wrongReplies: 0,
  errors: {},
  failed: reason,
  warnings: [],
});

/**
 * @param {number} wrongReplies
 * @param {string | null} firstWrongReply
 * @param {Record<string, number>} errors
 * @returns {string | null}
 */
function failureOf(wrongReplies, firstWrongReply, errors) {
  const [[error, times] = []] = Object.entries(errors);
  if (error !== undefined) return `${times} of the tasks failed: ${error}`;
  if (wrongReplies > 0) return `${wrongReplies} wrong replies, the first: ${firstWrongReply}`;
  return null;
}

/**
 * Whether the server's own counters confirm the commands that the run claims.
 *
 * @param {import('../types.js').ServerDelta} seen
 * @param {Record<string, number>} claimed commands by name in lower case
 * @param {boolean} opensDuringRun
 * @returns {string[]} warnings
 */
function accountFor(seen, claimed, opensDuringRun) {
  if (seen.restarted) return ['the server restarted during the run'];
  const warnings = [];
  for (const [command, count] of Object.entries(seen.calls === null ? {} : claimed)) {
    const counted = seen.calls?.[command] ?? 0;
    if (counted !== count) {
      warnings.push(`the run claims ${count} ${command.toUpperCase()}, the server counted ${counted}`);
    }
  }
  const others = Object.entries(seen.calls ?? {}).filter(([name, calls]) => calls > 0 && !(name in claimed));
  // Where connections are opened in the run, what they send to set themselves up is part of it.
  if (!opensDuringRun && others.length > 0) {
    warnings.push(
      `other commands ran on the server: ${others.map(([name, calls]) => `${name} ×${calls}`).join(', ')}`,
    );
  }
  const total = sum(Object.values(claimed));
  if (seen.calls === null && seen.commands !== null && !opensDuringRun && seen.commands !== total) {
    warnings.push(`the run claims ${total} commands, the server counted ${seen.commands}`);
  }
  return warnings;
}

const NO_INFO =
  'INFO is not allowed on this server: its side is not known, and the commands could not be checked';

/** A busy event loop that got less of its processor than this did not have it for itself. */
const TAKEN_AWAY = 0.15;
/** Collecting garbage for longer than this part of a run is more than its background noise. */
const MUCH_GARBAGE = 0.1;

/**
 * What plainly disturbed a run.
 *
 * @param {import('../types.js').ClientProbe} client
 * @param {number} elapsedMs
 * @param {boolean} ownProcessor
 * @returns {string[]} warnings; the same words each time, so that they can be told once for many runs
 */
function disturbances({ cpuUs, eventLoopUtilization, gcPauseMs }, elapsedMs, ownProcessor) {
  const warnings = [];
  const got = cpuUs / 1000 / elapsedMs;
  if (ownProcessor && eventLoopUtilization - got > TAKEN_AWAY) {
    warnings.push("something else ran on the worker's processor: close other programs, or use more --runs");
  }
  if (gcPauseMs > MUCH_GARBAGE * elapsedMs) {
    warnings.push('garbage collection took over a tenth of the run');
  }
  return warnings;
}
