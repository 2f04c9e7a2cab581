/**
 * Is a real difference claimed? ioredis against itself with a tenth more work for each operation, and redis
 * against redis:tuned with 64 tasks.
 * Run by hand on a machine that does nothing else: node test/performance/real-difference.js [repeats]
 * By counted instructions, ioredis against itself with about 1, 2 and 3 % more of them, on any machine with valgrind:
 * real-difference.js counts [repeats]
 *
 * Targets: a difference of 10 % in 9 of 10 benchmarks of the default length (issue 14), the other each time
 * (issue 6).
 */
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';
import { benchmark } from '../../src/index.js';
import { countsOf, isClaimed } from './counted-starts.js';

const CASES = [
  { clients: 'ioredis,ioredis-slower', scenarios: 'shared-connection', tasks: 8 },
  { clients: 'redis,redis:tuned', scenarios: 'shared-connection', tasks: 64 },
];
const pluginFolders = { clients: [fileURLToPath(new URL('plugins/clients', import.meta.url))] };
/** @param {number} repeats */
async function timed(repeats) {
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
}

/** @param {number} repeats */
async function counted(repeats) {
  const slower = ['by-1', 'by-2', 'by-3'].map((variant) => `ioredis-slower:${variant}`);
  const claims = slower.map(() => 0);
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const { cells } = await benchmark(
      {
        clients: ['ioredis', ...slower].join(),
        ...{ scenarios: 'shared-connection', size: 100, iterations: 2000 },
        ...{ count: 'on', runs: 3, starts: 3, warmupRuns: 0 },
      },
      { pluginFolders },
    );
    const [plain, ...others] = cells.map(countsOf);
    for (const [index, counts] of others.entries()) {
      const claimed = isClaimed(counts, plain);
      if (claimed) claims[index]++;
      const more = (median(counts) / median(plain) - 1) * 100;
      console.log(
        `${repeat}: ${slower[index]}: ${more.toFixed(1)} % more, ${claimed ? 'claimed' : 'not claimed'}`,
      );
    }
  }
  for (const [index, name] of slower.entries())
    console.log(`${name}: the difference was claimed ${claims[index]} times of ${repeats}`);
}

const words = process.argv.slice(2);
if (words[0] === 'counts') await counted(Number(words[1] ?? 5));
else await timed(Number(words[0] ?? 10));
