/**
 * The release that is installed against the same release, asked for by its version: a tool that is
 * right claims no difference, neither in operations a second nor in client CPU.
 *
 * Usage: node test/performance/same-release.js [comparisons]
 */
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { loadCatalogue } from '../../src/options/catalogue.js';

const comparisons = Number(process.argv[2] ?? 10);
const { packages } = await loadCatalogue();
let claimed = 0;
for (let comparison = 1; comparison <= comparisons; comparison++) {
  const { comparisons: groups } = await benchmark({
    clients: ['redis', `redis@${packages.redis}`],
    scenarios: ['shared-connection'],
    tasks: [64],
  });
  const [{ entries }] = groups[0].versions;
  const { opsPerSecond, cpuUsPerOp } = entries[1];
  const text = [opsPerSecond, cpuUsPerOp].map(
    ({ toPrevious }) =>
      `${toPrevious?.ratio.toFixed(3)} (p ${toPrevious?.p.toFixed(3)})${toPrevious?.differs ? ' CLAIMED' : ''}`,
  );
  if (opsPerSecond.toPrevious?.differs || cpuUsPerOp.toPrevious?.differs) claimed++;
  console.log(`${comparison}. redis@${packages.redis} over redis: ops/s ${text[0]}, client CPU ${text[1]}`);
}
console.log(`differences claimed in ${claimed} of ${comparisons}`);
process.exitCode = claimed > 0 ? 1 : 0;
