/**
 * Is a start warm when its runs begin? One start of each cell with many runs: the first ones against the last ones, seconds
 * later. Run by hand on a machine that does nothing else: node test/performance/warm-ups.js [starts] [options]
 *
 * CPU time shows it best, because the machine's speed changes meanwhile. Targets: 5 % for cells within 2 times of the best,
 * 10 % for all others.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mean } from 'simple-statistics';
import { MEASURING } from '../../src/method.js';

/** @import { CellResult, Report } from '../../src/store/types.js' */

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
const [count = '2', ...options] = process.argv.slice(2);
const RUNS = 36;
/** The first ones are those of a start in a race. */
const COMPARED = { first: MEASURING.runs, last: 12 };

/** @param {CellResult} cell @param {'cpuUsPerOp' | 'opsPerSecond'} figure @returns {number} the first over the last */
function firstOverLast({ runs }, figure) {
  const all = runs
    .filter(({ awake }) => !awake)
    .map((run) => Math.log(Number(figure === 'cpuUsPerOp' ? run.client?.cpuUsPerOp : run.opsPerSecond)));
  return Math.exp(mean(all.slice(0, COMPARED.first)) - mean(all.slice(-COMPARED.last)));
}

const folder = await mkdtemp(join(tmpdir(), 'rpb-warm-'));
/** @type {Report[]} */
const reports = [];
try {
  for (let index = 0; index < Number(count); index++) {
    const file = join(folder, `${index}.json`);
    const args = [
      '--starts',
      '1',
      '--runs',
      `${RUNS}`,
      '--cpus',
      'both',
      '--format',
      'json',
      '--output',
      file,
    ];
    const env = { ...process.env, XDG_STATE_HOME: folder };
    await promisify(execFile)(process.execPath, [BIN, ...args, ...options], { env, maxBuffer: 1e8 });
    reports.push(JSON.parse(await readFile(file, 'utf8')));
  }
} finally {
  await rm(folder, { recursive: true });
}

const best = Math.max(...reports[0].cells.map(({ summary }) => Number(summary?.opsPerSecond)));
for (const { id, client, variant, scenario, summary } of reports[0].cells) {
  const cells = reports.flatMap(({ cells }) => cells.find((cell) => cell.id === id) ?? []);
  const [cpu, speed] = /** @type {const} */ (['cpuUsPerOp', 'opsPerSecond']).map((figure) =>
    cells.map((cell) => (100 * (firstOverLast(cell, figure) - 1)).toFixed(1)).join(' '),
  );
  const isNear = Number(summary?.opsPerSecond) > best / 2;
  console.log(
    `${client}:${variant} ${scenario}`.padEnd(38),
    isNear ? 'near' : '    ',
    `CPU ${cpu} %`.padEnd(22),
    `ops/s ${speed} %`,
  );
}
