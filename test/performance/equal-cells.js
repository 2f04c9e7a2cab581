/**
 * Are equal cells called different? Four copies of one cell in each benchmark, of three clients in three scenarios in
 * turn, every other time beside busy loops.
 * Run by hand on a machine that does nothing else: node test/performance/equal-cells.js [benchmarks] [loops] [first]
 *
 * Target: at most 2 of 40 benchmarks claim anything (issue 14).
 *
 * The same of counted instructions, which needs valgrind and no quiet machine: equal-cells.js counts [benchmarks]. Two
 * copies of a cell are counted in each benchmark. Results of equal cells that were saved with --count on are judged
 * without measuring: equal-cells.js counts FILE ….
 */
import { benchmark } from '../../src/index.js';
import { startBusyLoops } from './busy-loops.js';
import { countsIn, countsOf, isClaimed, tellDrawn } from './counted-starts.js';

const CLIENTS = ['redis', 'redis:tuned', 'ioredis'];
const SCENARIOS = ['shared-connection', 'connection-per-task', 'pool'];
const COPIES = 4;

/** @param {number[]} given */
async function timed([benchmarks = 40, loops = 3, first = 0]) {
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
}

/** Of a run, of which a quarter is counted at a time. */
const ITERATIONS = 2000;
const CLIENTS_OF_COUNTS = ['redis:tuned', 'ioredis'];

/** @param {number} benchmarks @returns {Promise<Map<string, number[]>>} counts by client */
async function counted(benchmarks) {
  /** @type {Map<string, number[]>} */
  const all = new Map();
  let claiming = 0;
  for (let index = 0; index < benchmarks; index++) {
    const client = CLIENTS_OF_COUNTS[index % CLIENTS_OF_COUNTS.length];
    const { cells } = await benchmark({
      clients: [client, client].join(),
      ...{ scenarios: 'shared-connection', size: 100, iterations: ITERATIONS },
      ...{ count: 'on', runs: 3, starts: 3, warmupRuns: 0 },
    });
    const [one, other] = cells.map(countsOf);
    const isFalse = isClaimed(one, other);
    if (isFalse) claiming++;
    all.set(client, [...(all.get(client) ?? []), ...one, ...other]);
    const texts = [one, other].map((counts) => counts.map(Math.round).join(' '));
    console.log(
      `${index + 1}: ${client}: ${texts.join(' against ')}: ${isFalse ? 'CLAIMED' : 'nothing claimed'}`,
    );
  }
  console.log(`${claiming} of ${benchmarks} benchmarks of equal cells claim a difference`);
  return all;
}

const [word, ...rest] = process.argv.slice(2);
if (word === 'counts') {
  const isSaved = rest.some((each) => Number.isNaN(Number(each)));
  const all = isSaved ? await countsIn(rest) : await counted(Number(rest[0] ?? 10));
  for (const [client, counts] of all) tellDrawn(client, counts);
} else await timed(process.argv.slice(2).map(Number));
