import { median, sum } from 'simple-statistics';
import { latencyFromMs, memoryAlone } from './fault-record.js';
import { failedRun } from './run-record.js';

/** @import { ColdStart } from '../worker/types.js' */
/** @import { ColdRun, Run } from './types.js' */

/**
 * The record of a run whose operations were fresh processes, one after the other.
 * @param {number} round from 1 @param {ColdStart[]} starts @param {number | null} installedBytes of the library
 * @returns {Run}
 */
export function createColdRun(round, starts, installedBytes) {
  const times = starts.map(({ firstReplyMs }) => Number(firstReplyMs));
  const elapsedMs = sum(times);
  const kept = starts.filter(({ keptAlive }) => keptAlive).length;
  const cold = { ...mediansOf(starts), installedBytes };
  return {
    ...failedRun({ round, start: round }, ''),
    averageMs: elapsedMs,
    spreadMs: 0,
    taskElapsedMs: [elapsedMs],
    elapsedMs,
    operations: starts.length,
    commands: starts.length,
    opsPerSecond: (starts.length / elapsedMs) * 1000,
    connections: starts.length,
    latency: latencyFromMs(times),
    client: { ...memoryAlone(Number(cold.rssBytes)), cpuUsPerOp: Number(cold.cpuMs) * 1000 },
    cold,
    failed: null,
    ...(kept > 0 && { warningFacts: [{ kind: 'kept-alive', processes: kept, of: starts.length }] }),
  };
}

/** @param {ColdStart[]} starts @returns {Omit<ColdRun, 'installedBytes'>} */
function mediansOf(starts) {
  const [{ keptAlive, effectiveOptions, ...first }] = starts;
  const names = /** @type {(keyof typeof first)[]} */ (Object.keys(first));
  const of = (/** @type {keyof typeof first} */ name) => starts.flatMap((each) => each[name] ?? []);
  const figures = names.map((name) => [name, of(name).length === 0 ? null : median(of(name))]);
  return /** @type {any} */ (Object.fromEntries(figures));
}
