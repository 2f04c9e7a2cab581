import { max, min } from 'simple-statistics';
import { latencyOf } from '../statistics/latency.js';
import { processFigures } from './cost-record.js';
import { mergeRuns } from './merge-runs.js';

/** @import { AgentRun } from '../../agents/types.js' */
/** @import { Observed } from '../../benchmark/run/types.js' */
/** @import { MachineFigures, RunWarning } from './types.js' */

/** @typedef {Observed['measured']} Measured */

/** On the clock of the control Redis. @param {(AgentRun & {name: string})[]} runs @returns {Measured} */
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

/** @param {string} name @param {Measured} measured @param {number} firstMs @param {number} clockErrorMs */
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

/** A skew beyond this, or beyond this share of the run, is reported. */
const SKEW = { ms: 10, share: 0.01 };

/** @param {MachineFigures[]} machines */
export const startSkewMs = (machines) => max(machines.map(({ startedAfterMs }) => startedAfterMs));

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
