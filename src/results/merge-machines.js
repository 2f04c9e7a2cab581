import { max, min } from 'simple-statistics';
import { latencyOf } from '../analysis/statistics/latency.js';
import { processFigures } from './cost-record.js';
import { mergeRuns } from './merge-runs.js';

/** @import { AgentRun } from '../agents/types.js' */
/** @import { Observed } from '../runner/types.js' */
/** @import { MachineFigures, RunWarning } from './types.js' */

/** @typedef {Observed['measured']} Measured */

/**
 * Merges what several machines measured in one run, on the clock that they share.
 * @param {(AgentRun & {name: string})[]} runs @returns {Measured}
 */
export function mergeMachines(runs) {
  const all = runs.map(({ measured, clock }) => ({
    ...measured,
    startedAtMs: measured.startedAtMs + clock.offsetMs,
  }));
  const firstMs = min(all.map(({ startedAtMs }) => startedAtMs));
  const machines = all.map((measured, index) =>
    machineFigures(runs[index].name, measured, firstMs, runs[index].clock.errorMs),
  );
  if (all.length === 1) return { ...all[0], machines };
  return { ...mergeRuns(all), machines };
}

/**
 * @param {string} name @param {Measured} measured there
 * @param {number} firstMs when the first machine started @param {number} clockErrorMs @returns {MachineFigures}
 */
function machineFigures(name, measured, firstMs, clockErrorMs) {
  const { operations, opsPerSecond, cpuUtilization } = processFigures(measured);
  return {
    name,
    startedAfterMs: measured.startedAtMs - firstMs,
    clockErrorMs,
    elapsedMs: measured.elapsedMs,
    operations,
    opsPerSecond,
    cpuUtilization,
    latency: latencyOf([measured.latencyHdr]),
  };
}

/** A start that is off by more than this, or by this part of the run, is reported. */
const SKEW = { ms: 10, share: 0.01 };

/** @param {MachineFigures[]} machines @returns {number} how much later the last one started, in milliseconds */
export const startSkewMs = (machines) => max(machines.map(({ startedAfterMs }) => startedAfterMs));

/**
 * @param {MachineFigures[]} [machines] @param {number} [elapsedMs] of the run
 * @returns {RunWarning[]} one where they did not start together
 */
export function apart(machines = [], elapsedMs = 0) {
  if (machines.length < 2 || startSkewMs(machines) <= Math.min(SKEW.ms, SKEW.share * elapsedMs)) return [];
  return [{ kind: 'started-apart', ms: SKEW.ms, beyondShare: SKEW.share }];
}

/** A p99 so many times that of all others together is a machine's own. */
const OWN_TAIL = 1.5;
/** With fewer operations, a p99 is the luck of a few. */
const FEWEST = 1000;

/**
 * @param {MachineFigures[]} [machines]
 * @returns {RunWarning[]} one that names the machine whose own the tail is; of the next run, it may be another's
 */
export function ownTail(machines = []) {
  const known = machines.flatMap(({ name, latency }) => (latency === null ? [] : { name, latency }));
  if (known.length < 2 || known.some(({ latency }) => latency.count < FEWEST)) return [];
  const worst = known.reduce((one, other) => (other.latency.p99Us > one.latency.p99Us ? other : one));
  const others = latencyOf(known.filter((each) => each !== worst).map(({ latency }) => latency.hdr));
  if (others === null || worst.latency.p99Us <= OWN_TAIL * others.p99Us) return [];
  return [{ kind: 'own-tail', name: worst.name, times: OWN_TAIL }];
}
