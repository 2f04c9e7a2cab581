import { contrastFamily } from '../statistics/contrasts.js';

/**
 * @import { Run } from '../../results/types.js'
 * @import { Contrast, Sample } from '../types.js'
 * @import { MeasuredCell } from './compare-group.js'
 */

/** A cost that is less than this many times the other's is not worth a sentence. */
export const NOTABLE = 1.25;

/**
 * What the runs of a slower cell may cost more.
 *
 * @type {Record<'clientCpu' | 'serverCpu' | 'serverThreads' | 'batching' | 'busy' | 'garbage', (run: Run) => number | null | undefined>}
 */
const COSTS = {
  clientCpu: ({ client }) => client?.cpuUsPerOp,
  serverCpu: ({ server }) => server?.cpuUsPerCommand,
  serverThreads: ({ server }) => server?.allThreadsCpuUsPerCommand,
  batching: ({ server }) => server?.commandsPerRead,
  busy: ({ client, server }) =>
    client === null ? null : Math.max(client.eventLoopUtilization, server?.busiestNodeUtilization ?? 0),
  // The rest of the time: most runs collect no garbage, and 0 has no ratio.
  garbage: ({ client, elapsedMs }) =>
    client === null || !elapsedMs ? null : 1 - Number(client.gcPauseMs) / elapsedMs,
};

/** @typedef {Partial<Record<keyof typeof COSTS, Contrast>>} Carried the differences that a test carries */

/**
 * @param {{cell: MeasuredCell, than: MeasuredCell}[]} pairs
 * @returns {Carried[]}
 */
export function carriedDifferences(pairs) {
  const names = /** @type {(keyof typeof COSTS)[]} */ (Object.keys(COSTS));
  const samples = new Map(
    pairs.flatMap(({ cell, than }) => [cell, than]).map((cell) => [cell, samplesOf(cell)]),
  );
  const found = contrastFamily(
    names.map((name) => {
      const of = (/** @type {MeasuredCell} */ cell) => /** @type {Sample} */ (samples.get(cell)?.[name]);
      return {
        pairs: pairs.map(({ cell, than }) => /** @type {[Sample, Sample]} */ ([of(cell), of(than)])),
        rounds: [...samples.keys()].map(of),
      };
    }),
  );
  return pairs.map((_, pair) => {
    /** @type {Carried} */
    const carried = {};
    for (const [place, name] of names.entries()) {
      const contrast = found[place].contrastOf(pair);
      if (contrast?.differs) carried[name] = contrast;
    }
    return carried;
  });
}

/**
 * One walk over the runs for all costs: they may be many, and lie far apart in memory.
 *
 * @param {MeasuredCell} cell
 * @returns {Record<string, Sample>} by the name of the cost
 */
function samplesOf({ runs }) {
  const costs = Object.entries(COSTS);
  /** @type {Record<string, Sample>} */
  const samples = Object.fromEntries(costs.map(([name]) => [name, []]));
  for (const run of runs) {
    if (run.failed !== null) continue;
    for (const [name, costOf] of costs) {
      const value = costOf(run);
      if (value != null && value > 0) samples[name].push({ value, round: run.round, start: run.start });
    }
  }
  return samples;
}
