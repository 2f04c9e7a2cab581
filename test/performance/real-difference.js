/**
 * Is a real difference claimed? ioredis against itself with 5 % more work for each operation, and redis
 * against redis:tuned with 64 tasks.
 * Run by hand on a machine that does nothing else: node test/performance/real-difference.js [repeats]
 *
 * Targets: the 5 % in 9 of 10 benchmarks of 12 starts, which take about as long as one of the default length (a race
 * ends where the cells are known to lie within 10 % of each other); the other each time.
 */
import { fileURLToPath } from 'node:url';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';

const CASES = [
  { clients: 'ioredis,ioredis-slower', scenarios: 'shared-connection', tasks: 8, runs: 36, starts: 12 },
  { clients: 'redis,redis:tuned', scenarios: 'shared-connection', tasks: 64 },
];
const pluginFolders = { clients: [fileURLToPath(new URL('plugins/clients', import.meta.url))] };
const repeats = Number(process.argv[2] ?? 10);

for (const options of CASES) {
  let claims = 0;
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const { comparisons, cells } = await benchmark(options, { pluginFolders });
    const [{ tested, ranking }] = comparisons;
    const contrast = ranking[1].againstFastest;
    if (contrast?.differs) claims++;
    const cpu = cells.map(({ summary }) => summary?.client.cpuUsPerOp?.toFixed(2)).join(' and ');
    console.log(
      `${repeat}: ${cpu} µs; ${contrast?.ratio.toFixed(3)} (${contrast?.low.toFixed(3)} to ${contrast?.high.toFixed(3)}), p = ${contrast?.p.toFixed(4)}, tells ${((tested.tellsApart ?? Number.NaN) * 100).toFixed(0)} % apart`,
    );
  }
  console.log(`${options.clients}: the difference was claimed ${claims} times of ${repeats}`);
}
