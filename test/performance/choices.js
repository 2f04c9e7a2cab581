/**
 * What issue 20 promises, as figures: node test/performance/choices.js [servers | cached | messages | protocols] [which]
 *
 * - servers: `--server redis-server,redis-server` ten times, or with the seeds of `which` such as 1-5; none may claim a difference.
 * - protocols: RESP2 and RESP3 of two clients side by side.
 * - cached: redis:cached against redis:tuned on 100 keys, zipf, and what still arrived at the server.
 * - messages: a million through each workload of messages, or those of `which`; none lost, none doubled.
 */
import { benchmark, loadCatalogue, renderReport } from '../../src/index.js';

const COMMON = { scenarios: ['shared-connection'], clients: ['redis:tuned'] };
const MESSAGES = 1_000_000;
const TASKS = 64;

const PARTS = { servers, cached, messages, protocols };
const WORKLOADS = [
  'publish',
  'stream',
  'queue',
  'queue:shared',
  'publish:apart',
  'stream:apart',
  'queue:apart',
];
const [wanted = Object.keys(PARTS).join(), which] = process.argv.slice(2);
await loadCatalogue();
for (const name of wanted.split(',')) await PARTS[/** @type {keyof typeof PARTS} */ (name)]();

async function servers() {
  let claims = 0;
  const [first, last] = (which ?? '1-10').split('-').map(Number);
  for (let seed = first; seed <= last; seed++) {
    const { cells, comparisons } = await benchmark({
      ...COMMON,
      server: ['redis-server', 'redis-server'],
      ...{ runs: 5, runTimeMs: 30, size: [100], profile: false, seed },
    });
    const differs = comparisons.some(({ ranking }) => ranking.some((each) => each.againstFastest?.differs));
    if (differs) claims++;
    const rates = cells.map(({ summary }) => Math.round(Number(summary?.opsPerSecond)));
    console.log(`seed ${seed}: ${rates.join(' and ')} ops/s${differs ? ', a difference is claimed' : ''}`);
  }
  console.log(`${claims} of ${last - first + 1} benchmarks claim a difference between a server and itself`);
}

async function cached() {
  for (const [keySize, valueSize, tasks] of [
    [10, 10, 1],
    [10, 10, 8],
    [20, 1000, 1],
    [20, 1000, 8],
    [1000, 1000, 1],
    [1000, 1000, 8],
  ]) {
    const { cells } = await benchmark({
      ...COMMON,
      clients: ['redis:tuned', 'redis:cached'],
      ...{
        keys: 100,
        keyDistribution: 'zipf',
        keySize: [keySize],
        valueSize: `${valueSize}`,
        tasks: [tasks],
        profile: false,
        runs: 5,
        starts: 1,
        runTimeMs: 100,
      },
    });
    const [tuned, own] = cells.map(({ summary, runs }) => ({
      rate: Number(summary?.opsPerSecond),
      commands: runs.reduce((sum, run) => sum + run.commands, 0),
      arrived: runs.reduce((sum, run) => sum + Number(run.server?.commands), 0),
      warnings: runs.flatMap((run) => run.warnings.filter((text) => /cache|claims/.test(text))),
    }));
    console.log(
      `keys of ${keySize}, values of ${valueSize} characters, ${tasks} tasks: redis:cached ${Math.round(own.rate)} ops/s, ${(own.rate / tuned.rate).toFixed(1)} times ` +
        `redis:tuned (${Math.round(tuned.rate)}); ${own.arrived} of ${own.commands} commands arrived; ${own.warnings.length} warnings of the count`,
    );
  }
}

async function messages() {
  for (const each of which?.split(',') ?? WORKLOADS) {
    const { cells } = await benchmark({
      ...COMMON,
      clients: ['ioredis'],
      ...{
        workload: [each],
        tasks: [TASKS],
        iterations: MESSAGES / TASKS,
        size: [32],
        runs: 1,
        starts: 1,
        warmupRuns: 0,
      },
    });
    const [{ runs }] = cells;
    const [{ operations, wrongReplies, errors, failed, warnings, elapsedMs }] = runs;
    console.log(
      `${each}: ${operations} messages arrived in ${(Number(elapsedMs) / 1000).toFixed(1)} s; ${wrongReplies} wrong, ` +
        `errors ${JSON.stringify(errors)}, ${failed ?? 'not failed'}; ${warnings.filter((text) => /claims|other commands/.test(text)).join() || "the server's count is the same"}`,
    );
  }
}

async function protocols() {
  const report = await benchmark({
    ...COMMON,
    clients: ['redis:resp2', 'redis:resp3', 'ioredis:resp2', 'ioredis:resp3'],
    ...{ runs: 6, starts: 3, runTimeMs: 80 },
  });
  console.log(await renderReport(report, 'table'));
}
