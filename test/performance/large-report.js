/**
 * How long `report` takes for a file of many runs, and how much memory at most, for each format. The
 * runs are those of a real, short benchmark, over and over.
 * Run by hand: node test/performance/large-report.js [runs] [formats]
 *
 * Target: 100,000 runs within 5 s and 500 MB (issue 6), by the CPU time of the process where the machine is busy. Garbage is
 * collected by other threads, so that CPU time is the larger of the two on a quiet machine.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { benchmark } from '../../src/benchmark/benchmark.js';
import { pluginIds } from '../../src/core/plugins/registry.js';

/** @import { ResultLine } from '../../src/core/store/types.js' */

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
/** Of the process itself: the time on the clock is also that of whatever else the machine does. */
const TELL_COST = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => {
    const { maxRSS, userCPUTime } = process.resourceUsage();
    process.stderr.write('cost ' + maxRSS + ' ' + userCPUTime + '\\n');
  })`,
)}`;
const BIGGEST_OUTPUT = 2 ** 30;

const runs = Number(process.argv[2] ?? 100_000);
const formats = process.argv[3]?.split(',') ?? pluginIds('formats');
const folder = await mkdtemp(join(tmpdir(), 'rpb-large-'));
try {
  const file = join(folder, 'large.ndjson');
  await pipeline(largeResult(runs), createWriteStream(file));
  console.log(`${runs} runs, ${((await stat(file)).size / 1e6).toFixed(0)} MB`);
  for (const format of formats) console.log(`${format}: ${report(file, format)}`);
} finally {
  await rm(folder, { recursive: true });
}

/** @param {number} count */
async function* largeResult(count) {
  /** @type {ResultLine[]} */
  const lines = [];
  await benchmark({ runs: 3 }, { onLine: (line) => void lines.push(line) });
  const recorded = lines.flatMap((line) => (line.type === 'run' ? [line] : []));
  const cells = new Set(recorded.map(({ cell }) => cell)).size;
  for (const line of lines) {
    if (line.type === 'end') {
      for (let index = 0; index < count; index++) {
        const { run, ...rest } = recorded[index % recorded.length];
        const round = Math.floor(index / cells) + 1;
        yield `${JSON.stringify({ ...rest, run: { ...run, round } })}\n`;
      }
    }
    if (line.type !== 'run') yield `${JSON.stringify(line)}\n`;
  }
}

/** @param {string} file @param {string} format */
function report(file, format) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', TELL_COST, BIN, 'report', file, '--format', format],
    { encoding: 'utf8', maxBuffer: BIGGEST_OUTPUT, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const [, peakKb, userUs] = /^cost (\d+) (\d+)$/m.exec(stderr) ?? [];
  if (status !== 0) return `failed: ${stderr}`;
  return `${seconds.toFixed(1)} s, ${(Number(userUs) / 1e6).toFixed(1)} s of CPU, ${(Number(peakKb) / 1024).toFixed(0)} MB`;
}
