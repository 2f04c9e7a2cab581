/**
 * Does a cell differ from itself? Each time the same client is measured twice in one benchmark.
 * Run by hand on a quiet machine: node test/performance/equal-cells.js [repeats] [client] [tasks]
 *
 * Target: at most 2 of 20 comparisons claim a difference (issue 6).
 */
import { benchmark } from '../../src/index.js';

const [repeats = 20, client = 'ioredis', tasks = 8] = process.argv.slice(2);
let claims = 0;
for (let repeat = 1; repeat <= Number(repeats); repeat++) {
  const { comparisons } = await benchmark({
    ...{ clients: `${client},${client}`, scenarios: 'shared-connection', tasks, runTimeMs: 100 },
  });
  const [{ ranking, test }] = comparisons;
  const contrast = ranking[1].againstFastest;
  if (contrast?.differs) claims++;
  console.log(
    `${repeat}: ${contrast?.ratio.toFixed(3)} (${contrast?.low.toFixed(3)} to ${contrast?.high.toFixed(3)}), p = ${contrast?.p.toFixed(4)}${contrast?.differs ? ', claimed to differ' : ''} (${test})`,
  );
}
console.log(`${claims} of ${repeats} comparisons of ${client} with itself claim a difference`);
