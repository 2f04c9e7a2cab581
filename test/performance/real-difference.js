/**
 * Is a real difference claimed? redis against redis:tuned with 64 tasks and 5 runs.
 * Run by hand on a quiet machine: node test/performance/real-difference.js [repeats]
 *
 * Target: each time of 10 (issue 6).
 */
import { benchmark } from '../../src/index.js';

const repeats = Number(process.argv[2] ?? 10);
let claims = 0;
for (let repeat = 1; repeat <= repeats; repeat++) {
  const { comparisons, advice } = await benchmark({
    ...{ clients: 'redis,redis:tuned', scenarios: 'shared-connection', tasks: 64, runTimeMs: 100, runs: 5 },
  });
  const contrast = comparisons[0].ranking[1].againstFastest;
  if (contrast?.differs) claims++;
  console.log(
    `${repeat}: ${contrast?.ratio.toFixed(3)} (${contrast?.low.toFixed(3)} to ${contrast?.high.toFixed(3)}), p = ${contrast?.p.toFixed(4)}: ${advice[0]}`,
  );
}
console.log(`the difference was claimed ${claims} times of ${repeats}`);
