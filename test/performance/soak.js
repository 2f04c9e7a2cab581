/**
 * Mixed benchmarks with random faults every few seconds, for a given time:
 *
 *     node test/performance/soak.js [minutes, 30 by default] [seed]
 *
 * Nothing may leak (memory, descriptors, processes, folders, keys), every run in the store is whole or
 * marked failed, and the runs' sums agree with the server's counters. Exits with 1 where that is not so.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { median } from 'simple-statistics';
import { readReport } from '../../src/cli/render.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { savedFiles } from '../../src/commands/history/saved-results.js';
import { createStore, stateFolder } from '../../src/store/result-store.js';
import { runCli, STATE, startCli } from '../helpers/cli.js';
import { killTogether, processesOf } from '../helpers/processes.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { until } from '../helpers/until.js';

/** @import { Report } from '../../src/store/types.js' */

const minutes = Number(process.argv[2] ?? 30);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const generator = xoroshiro128plus(seed);
/** @returns {number} from 0 to 1 */
const random = () => uniformInt(generator, 0, 1_000_000) / 1_000_001;
/** @template T @param {T[]} list @returns {T} */
const pick = (list) => list[uniformInt(generator, 0, list.length - 1)];

const temp = mkdtempSync(join(tmpdir(), 'rpb-soak-'));
process.env.TMPDIR = temp;
process.env.XDG_STATE_HOME = mkdtempSync(join(tmpdir(), 'rpb-soak-state-'));
const external = await startRedis();
const store = join(mkdtempSync(join(tmpdir(), 'rpb-soak-store-')), 'result.ndjson');
const ownFolders = readdirSync(temp).length;

/** @type {Record<string, number>} */
const injected = {};
/** @type {string[]} */
const problems = [];
const counts = { benchmarks: 0, runs: 0, failed: 0, operations: 0, interrupted: 0, lost: 0 };
/** @type {{rss: number, descriptors: number}[]} */
const usage = [];

/** @typedef {{url?: string, controller: AbortController}} Target */

const processes = (/** @type {RegExp} */ name) =>
  processesOf(temp).filter(({ pid, command }) => name.test(command) && pid !== external.pid);
const kill = (/** @type {RegExp} */ name, /** @type {NodeJS.Signals} */ signal) => {
  const [victim] = processes(name);
  if (victim) process.kill(victim.pid, signal);
  return victim?.pid;
};
const SERVER = /^\S*(redis|valkey)-server/;
const WORKER = /worker\/entry\.js/;

/**
 * What may happen to a benchmark. Each says whether runs may fail by it.
 *
 * @type {Record<string, (target: Target) => Promise<unknown> | unknown>}
 */
const FAULTS = {
  nothing: () => {},
  interrupt: ({ controller }) => controller.abort(),
  'worker killed': () => kill(WORKER, 'SIGKILL'),
  'worker stalled for ever': () => kill(WORKER, 'SIGSTOP'),
  'server killed': ({ url }) => (url ? external.restart() : kill(SERVER, 'SIGKILL')),
  'server stalled for 1 s': async ({ url }) => {
    const pid = url ? external.pid : kill(SERVER, 'SIGSTOP');
    if (pid === undefined) return;
    process.kill(pid, 'SIGSTOP');
    await sleep(1000);
    process.kill(pid, 'SIGCONT');
  },
  'connections cut': () => external.query('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
  'keys flushed': () => external.query('FLUSHALL'),
  'memory full': async () => {
    await external.query('CONFIG', 'SET', 'maxmemory', '1');
    await sleep(1000);
    await external.query('CONFIG', 'SET', 'maxmemory', '0');
  },
  'no more clients': async () => {
    await external.query('CONFIG', 'SET', 'maxclients', '3');
    await sleep(1000);
    await external.query('CONFIG', 'SET', 'maxclients', '10000');
  },
};

/** One benchmark in this process, so that what it leaks can be seen, with a fault in its middle. */
async function oneBenchmark() {
  const options = {
    clients: pick([['redis'], ['ioredis'], ['raw', 'ioredis'], ['redis:tuned', 'ioredis:auto-pipelining']]),
    scenarios: pick([
      ['shared-connection'],
      ['connection-per-task', 'pool'],
      ['open-and-close'],
      ['shared-connection', 'open-and-close'],
    ]),
    workload: pick([['get'], ['set-get']]),
    tasks: pick([[1], [8], [2, 16]]),
    size: pick([[10], [1000], [20_000]]),
    runs: 3,
    runTimeMs: 200,
    runTimeoutMs: 5000,
    ...(random() < 0.6 ? { url: external.url } : {}),
  };
  const controller = new AbortController();
  const fault = pick(Object.keys(FAULTS));
  injected[fault] = (injected[fault] ?? 0) + 1;
  const happening = sleep(300 + random() * 3000).then(() => FAULTS[fault]({ url: options.url, controller }));
  const onFailure = (/** @type {string} */ message) => void problems.push(`store: ${message}`);
  rmSync(store, { force: true });
  const { append } = await createStore(store, { replace: true, onFailure });
  const outcome = await Promise.all([
    benchmark(options, { signal: controller.signal, onLine: append }).catch((error) => error),
    happening.catch((error) => problems.push(`${fault}: could not be done: ${error.message}`)),
  ]);
  const [report] = outcome;
  const before = problems.length;
  if (report instanceof Error) {
    // The server may have been away, or taken no clients, from the start; or have been full.
    const expected = fault === 'memory full' ? [2, 3] : [3];
    if (!expected.includes(/** @type {any} */ (report).exitCode))
      problems.push(`${fault}: ${report.stack?.split('\n').slice(0, 3).join(' ')}`);
    counts.lost++;
  } else {
    check(report, fault);
    const saved = await readReport(store);
    if (JSON.stringify(saved) !== JSON.stringify(report)) problems.push(`${fault}: the store says otherwise`);
  }
  if (problems.length > before) problems.push(`  with ${JSON.stringify(options)}`);
}

/** @param {Report} report @param {string} fault */
function check(report, fault) {
  counts.benchmarks++;
  if (report.failure !== null) counts.lost++;
  else if (report.partial) counts.interrupted++;
  for (const error of schemaErrors(report)) problems.push(`${fault}: ${error}`);
  for (const cell of report.cells) {
    for (const run of cell.runs) {
      counts.runs++;
      if (run.failed !== null) {
        counts.failed++;
        if (fault === 'nothing') problems.push(`nothing happened, but a run failed: ${run.failed}`);
        continue;
      }
      counts.operations += run.operations;
      if (run.operations !== Number(cell.iterations) * cell.tasks)
        problems.push(`${fault}: a run is not whole`);
      const wrong = run.warnings.filter((text) => text.includes('claims'));
      if (wrong.length > 0) problems.push(`${fault}: ${wrong}`);
    }
  }
}

/** The tool as a user starts it, killed at any moment: alone, or with all that it has started, as a container is. */
async function oneKilled() {
  const everything = random() < 0.5;
  const what = everything ? 'kill -9 of everything' : 'kill -9 of the tool';
  injected[what] = (injected[what] ?? 0) + 1;
  const where = random() < 0.5 ? ['--url', external.url] : [];
  const workload = ['--workload', pick(['get', 'set', 'hset']), '--keys', pick(['1', '100', '20000'])];
  const cli = startCli(['--size', '10', '--runs', '1000', ...workload, ...where]);
  await sleep(random() * 5000);
  if (everything) killTogether(processesOf(cli.temp));
  else cli.signal('SIGKILL');
  await cli.result;
  // A loaded machine takes its time to end workers that were just starting, or that have many keys to remove.
  if (!everything)
    await until('all to be gone', () => processesOf(cli.temp).length === 0, 10_000).catch(() =>
      problems.push(`${what}: left ${JSON.stringify(processesOf(cli.temp))}`),
    );
  await startAgain(cli.temp, where, what);
  const state = { platform: process.platform, env: { XDG_STATE_HOME: join(cli.temp, STATE) }, home: '' };
  for (const file of await savedFiles(String(stateFolder(state)))) check(await readReport(file), what);
  rmSync(cli.temp, { recursive: true, force: true });
}

/**
 * The second start, in the same folders and on the same server: it removes what the first one had to leave.
 *
 * @param {string} folder
 * @param {string[]} where
 * @param {string} what happened
 */
async function startAgain(folder, where, what) {
  const env = { TMPDIR: folder, XDG_STATE_HOME: join(folder, STATE) };
  const again = ['--smoke', '--clients', 'raw', ...where];
  const { code, stderr, temp: unused } = await runCli(again, { env, withinMs: 120_000 });
  rmSync(unused, { recursive: true });
  if (code !== 0) problems.push(`${what}: the next start exits with ${code}: ${stderr}`);
  const files = readdirSync(folder).filter((name) => name !== STATE);
  if (files.length > 0) problems.push(`${what}: the next start left ${files}`);
  const processes = processesOf(folder);
  if (processes.length > 0) problems.push(`${what}: the next start left ${JSON.stringify(processes)}`);
}

async function leftBehind() {
  const left = processes(/./).map(({ pid, command }) => `process ${pid} ${command}`);
  const folders = readdirSync(temp);
  if (folders.length > ownFolders) left.push(`folders ${folders}`);
  const keys = Object.keys(await external.contents());
  return keys.length > 0 ? [...left, `keys ${keys}`] : left;
}

const endAt = performance.now() + minutes * 60_000;
while (performance.now() < endAt && problems.length < 20) {
  await (random() < 0.1 ? oneKilled() : oneBenchmark());
  await until('nothing to be left', async () => (await leftBehind()).length === 0, 3000).catch(async () => {
    problems.push(`left behind: ${await leftBehind()}`);
    await external.query('FLUSHALL');
  });
  globalThis.gc?.();
  usage.push({ rss: process.memoryUsage.rss(), descriptors: readdirSync('/proc/self/fd').length });
}
const { code } = await runCli(['--smoke', '--url', external.url]);
if (code !== 0) problems.push(`a run at the end exits with ${code}`);
await external.stop();
// A process that was left behind must not keep this one alive.
killTogether(processes(/./));
rmSync(temp, { recursive: true, force: true });

const third = Math.ceil(usage.length / 3);
const early = usage.slice(0, third);
const late = usage.slice(-third);
const megabytes = (/** @type {typeof usage} */ part) => Math.round(median(part.map(({ rss }) => rss)) / 1e6);
const descriptors = (/** @type {typeof usage} */ part) => median(part.map((each) => each.descriptors));
// The first benchmarks load and compile; after that nothing may grow.
if (megabytes(late) > megabytes(early) * 1.5) problems.push('memory grows');
if (descriptors(late) > descriptors(early) + 3) problems.push('descriptors grow');

console.log(`${minutes} min, seed ${seed}`);
console.log('faults', injected);
console.log(counts);
console.log(`RSS ${megabytes(early)} MB in the first third, ${megabytes(late)} MB in the last`);
console.log(`descriptors ${descriptors(early)} in the first third, ${descriptors(late)} in the last`);
console.log(problems.length === 0 ? 'left behind: nothing; everything agrees' : problems.join('\n'));
process.exit(problems.length === 0 ? 0 : 1);
