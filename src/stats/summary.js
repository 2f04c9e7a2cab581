import { max, median, min } from 'simple-statistics';

/**
 * What the runs of one cell say together. The unit is the run; failed runs are counted, not averaged.
 *
 * @param {import('../types.js').Run[]} runs
 * @returns {import('../types.js').Summary | null} null when no run succeeded
 */
export function summarize(runs) {
  const good = runs.filter((run) => run.failed === null);
  if (good.length === 0) return null;
  /** @param {'averageMs' | 'spreadMs' | 'opsPerSecond'} field */
  const values = (field) => good.map((run) => Number(run[field]));
  return {
    runs: good.length,
    failedRuns: runs.length - good.length,
    averageMs: median(values('averageMs')),
    spreadMs: median(values('spreadMs')),
    opsPerSecond: median(values('opsPerSecond')),
    opsPerSecondLow: min(values('opsPerSecond')),
    opsPerSecondHigh: max(values('opsPerSecond')),
  };
}
