import { median, sum } from 'simple-statistics';
import { runApart } from '../break/record.js';

/** @import { ColdStart } from '../core/worker/types.js' */
/** @import { ColdRun, Run } from '../core/store/types.js' */

/** @param {number} round from 1 @param {ColdStart[]} starts @param {number | null} installedBytes @returns {Run} */
export function createColdRun(round, starts, installedBytes) {
  const timesMs = starts.map(({ firstReplyMs }) => Number(firstReplyMs));
  const kept = starts.filter(({ keptAlive }) => keptAlive).length;
  const cold = { ...mediansOf(starts), installedBytes };
  const run = runApart({
    ...{ round, elapsedMs: sum(timesMs), timesMs },
    ...{ operations: starts.length, connections: starts.length, peakRssBytes: Number(cold.rssBytes) },
  });
  return {
    ...run,
    // With a few processes, one that was disturbed would distort the mean.
    opsPerSecond: 1000 / Number(cold.firstReplyMs),
    client: run.client && { ...run.client, cpuUsPerOp: Number(cold.cpuMs) * 1000 },
    cold,
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
