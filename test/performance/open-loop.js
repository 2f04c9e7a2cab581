/**
 * What an open loop reaches on this machine: how exactly a rate is kept, the highest rate of one process
 * and of two, and that a long run's memory stays flat. By hand, on a quiet machine:
 *
 *   node test/performance/open-loop.js          all of it, about six minutes
 *   node test/performance/open-loop.js memory   one part: accuracy, highest or memory
 */
import { benchmark } from '../../src/commands/benchmark.js';
import { renderReport } from '../../src/commands/render.js';

/**
 * @import { BenchmarkOptions } from '../../src/commands/types.js'
 * @import { Summary } from '../../src/analysis/types.js'
 * @import { Second } from '../../src/worker/types.js'
 */

/** @type {BenchmarkOptions} */
const PRODUCER = {
  scenarios: ['shared-connection'],
  ...{ workload: ['set'], keySize: [16], valueSize: '128', tasks: [1], runs: 1 },
};

/** @param {Record<string, any>} options @param {(second: Second) => void} [onSecond] */
async function measure(options, onSecond = () => {}) {
  const report = await benchmark(
    { ...PRODUCER, ...options },
    { onEvent: (event) => event.type === 'second' && onSecond(event.second) },
  );
  return report.cells.map(({ client, variant, processes, summary }) => ({
    client: `${client}:${variant}`,
    processes,
    ...figuresOf(summary),
  }));
}

/** @param {Summary | null} summary */
function figuresOf(summary) {
  const { openLoop, latency, bottleneck, client, server } = summary ?? {};
  if (!openLoop || !latency || !bottleneck) return { failed: true };
  return {
    rate: openLoop.intendedPerSecond,
    'off %': round((openLoop.achievedPerSecond / openLoop.intendedPerSecond - 1) * 100),
    held: openLoop.held,
    'late p99 ms': round(Number(openLoop.latenessP99Us) / 1000),
    'p99 ms': round(latency.p99Us / 1000),
    'client %': round(bottleneck.clientBusy * 100),
    'server %': round(Number(bottleneck.serverBusy) * 100),
    'waiting %': round(openLoop.waitingShare * 100),
    'GC ms': round(Number(client?.gcPauseMs)),
    'RSS MB': round(Number(client?.peakRssBytes) / 1e6),
    dropped: openLoop.dropped,
    'server counted': server?.commands === openLoop.acknowledged,
  };
}

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

const parts = {
  async accuracy() {
    console.table(
      await measure({ clients: ['raw', 'redis:tuned'], rate: [1000, 20_000, 100_000], durationMs: 10_000 }),
    );
  },

  /** Of one process, and what a second one adds. */
  async highest() {
    const report = await benchmark({
      ...PRODUCER,
      ...{ runs: undefined, maxInFlight: [1000], clients: ['raw', 'redis:tuned'], processes: [1, 2] },
      ...{ rateSearch: [100_000, 1_600_000], sloMs: 50 },
    });
    console.log(await renderReport(report, 'table'));
  },

  /** The first half of the run against the second. */
  async memory() {
    /** @type {number[]} */
    const sizes = [];
    const [figures] = await measure(
      { clients: ['raw'], rate: [200_000], durationMs: 50_000, warmupRuns: 0 },
      ({ rssBytes }) => sizes.push(rssBytes),
    );
    const middle = sizes.length / 2;
    const [first, second] = [Math.max(...sizes.slice(0, middle)), Math.max(...sizes.slice(middle))];
    console.table([
      { ...figures, 'first half MB': round(first / 1e6), 'second half MB': round(second / 1e6) },
    ]);
    console.log(
      `10,000,000 commands: the second half's peak is ${round((second / first - 1) * 100)} % off the first's`,
    );
  },
};

const wanted = process.argv[2];
for (const [name, part] of Object.entries(parts)) {
  if (wanted === undefined || wanted === name) await part();
}
