/**
 * Are equal cells called different? Four copies of one cell in each benchmark, of three clients in three scenarios in
 * turn, every other time beside busy loops.
 * Run by hand on a machine that does nothing else: node test/performance/equal-cells.js [benchmarks] [loops] [first]
 *
 * Target: at most 2 of 40 benchmarks claim anything (issue 14).
 */
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { startBusyLoops } from './busy-loops.js';

const CLIENTS = ['redis', 'redis:tuned', 'ioredis'];
const SCENARIOS = ['shared-connection', 'connection-per-task', 'pool'];
const COPIES = 4;

const [benchmarks = 40, loops = 3, first = 0] = process.argv.slice(2).map(Number);
let claiming = 0;
for (let index = first; index < first + benchmarks; index++) {
  const pair = Math.floor(index / 2);
  const client = CLIENTS[pair % CLIENTS.length];
  const scenario = SCENARIOS[Math.floor(pair / CLIENTS.length) % SCENARIOS.length];
  const busy = index % 2 === 1;
  const end = startBusyLoops(busy ? loops : 0);
  try {
    const clients = Array.from({ length: COPIES }, () => client).join(',');
    const { comparisons, findings } = await benchmark({ clients, scenarios: scenario });
    const claims = comparisons[0].ranking.filter(({ againstFastest }) => againstFastest?.differs);
    if (claims.length > 0) claiming++;
    const { tellsApart, starts } = comparisons[0].tested;
    const waited = findings.find(({ kind }) => kind === 'disturbance');
    console.log(
      [
        `${index + 1}: ${client}, ${scenario}${busy ? `, beside ${loops} busy loops` : ''}`,
        `${starts} starts tell ${((tellsApart ?? Number.NaN) * 100).toFixed(0)} % apart`,
        `waited ${((waited?.kind === 'disturbance' ? waited.waitedShare : Number.NaN) * 100).toFixed(0)} %`,
        claims.length === 0
          ? 'nothing claimed'
          : `CLAIMED: ${claims.map(({ againstFastest }) => `${againstFastest?.ratio.toFixed(3)}, p ${againstFastest?.pAdjusted.toFixed(4)}`).join('; ')}`,
      ].join('; '),
    );
  } finally {
    end();
  }
}
console.log(`${claiming} of ${benchmarks} benchmarks of equal cells claim a difference`);
