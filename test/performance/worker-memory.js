/**
 * Whether a worker's memory grows with the length of a run: peak RSS for N and for 10 N iterations.
 * Run by hand: node test/performance/worker-memory.js [iterations]
 *
 * Target: at most 10 MB more (issue 2).
 */
import { benchmark } from '../../src/commands/benchmark/benchmark.js';

const iterations = Number(process.argv[2] ?? 20_000);
for (const clients of ['raw', 'redis:tuned', 'ioredis']) {
  const [short, long] = [await peakRss(clients, iterations), await peakRss(clients, 10 * iterations)];
  console.log(
    `${clients}: ${short.toFixed(1)} MB after ${iterations} iterations a task, ` +
      `${(long - short).toFixed(1)} MB more after ten times as many`,
  );
}

/**
 * @param {string} clients
 * @param {number} count of iterations of each task in a run
 * @returns {Promise<number>} MB
 */
async function peakRss(clients, count) {
  const { cells } = await benchmark({
    ...{ clients, scenarios: 'shared-connection', tasks: 8, size: 100 },
    ...{ iterations: count, runs: 2, warmupRuns: 1 },
  });
  return Math.max(...cells[0].runs.map((run) => Number(run.client?.peakRssBytes))) / 1e6;
}
