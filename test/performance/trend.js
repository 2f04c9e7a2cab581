/**
 * How long `trend` takes for a folder of many results, and how much memory at most. The results are those of a real, short
 * benchmark of 12 cells, over and over, with some noise and one step.
 * Run by hand: node test/performance/trend.js [results] [runs]
 *
 * Target: 500 results of 12 cells within 3 s and 300 MB (issue 32), by the CPU time of the process where the machine is
 * busy.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchmark } from '../../src/commands/benchmark.js';
import { createRandom } from '../helpers/random.js';

/** @import { ResultLine } from '../../src/results/types.js' */

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
/** Of the process itself: the time on the clock is also that of whatever else the machine does. */
const TELL_COST = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    process.stderr.write('cost ' + maxRSS + ' ' + (userCPUTime + systemCPUTime) + '\\n');
  })`,
)}`;
const DAY_MS = 86_400_000;
const NOISE = 0.01;
const STEP = 1.1;

const [results, runs] = [Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 5)];
const folder = await mkdtemp(join(tmpdir(), 'rpb-trend-'));
try {
  await writeResults();
  const sizes = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
  console.log(`${results} results, ${(sizes.reduce((sum, { size }) => sum + size, 0) / 1e6).toFixed(0)} MB`);
  for (const format of ['table', 'json', 'html']) console.log(`${format}: ${trend(format)}`);
} finally {
  await rm(folder, { recursive: true });
}

async function writeResults() {
  /** @type {ResultLine[]} */
  const lines = [];
  await benchmark(
    {
      clients: 'redis,ioredis',
      scenarios: 'shared-connection',
      tasks: [1, 4, 8, 16, 32, 64],
      runs,
      runTimeMs: 20,
    },
    { onLine: (line) => void lines.push(line) },
  );
  const { normal } = createRandom(1);
  for (let index = 0; index < results; index++) {
    const times = (index < results / 2 ? 1 : STEP) * (1 + NOISE * normal());
    const text = lines.map((line) => `${JSON.stringify(varied(line, index, times))}\n`).join('');
    await writeFile(join(folder, `${String(index).padStart(4, '0')}.ndjson`), text);
  }
}

/** @param {ResultLine} line @param {number} index of its result @param {number} times what its CPU is multiplied with */
function varied(line, index, times) {
  if (line.type === 'header') {
    return { ...line, startedAt: new Date(Date.UTC(2026, 0, 1) + index * DAY_MS).toISOString() };
  }
  if (line.type !== 'run' || line.run.client === null) return line;
  const { client } = line.run;
  return {
    ...line,
    run: { ...line.run, client: { ...client, cpuUsPerOp: Number(client.cpuUsPerOp) * times } },
  };
}

/** @param {string} format */
function trend(format) {
  const startedAt = performance.now();
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--import', TELL_COST, BIN, 'trend', folder, '--format', format],
    { encoding: 'utf8', maxBuffer: 2 ** 30 },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const [, peakKb, cpuUs] = /^cost (\d+) (\d+)$/m.exec(stderr) ?? [];
  if (status !== 0) return `failed: ${stderr}`;
  return `${seconds.toFixed(1)} s, ${(Number(cpuUs) / 1e6).toFixed(1)} s of CPU, ${(Number(peakKb) / 1024).toFixed(0)} MB, ${(stdout.length / 1000).toFixed(0)} kB printed`;
}
