/**
 * How long `redis-pipe-bench --help` takes against a Node that does nothing.
 * Run by hand: node test/performance/help-time.js [rounds]
 *
 * Target: at most 1.5 (issue 2).
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
const rounds = Number(process.argv[2] ?? 40);
/** @type {Record<string, string[]>} */
const commands = { nothing: ['-e', '0'], help: [BIN, '--help'] };
/** @type {Record<string, number[]>} */
const times = { nothing: [], help: [] };

for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(commands)) {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    times[name].push(performance.now() - startedAt);
    // A crash is quick, too.
    if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  }
}
const [nothing, help] = [median(times.nothing), median(times.help)];
console.log(
  `--help ${help.toFixed(0)} ms, node -e 0 ${nothing.toFixed(0)} ms: ${(help / nothing).toFixed(2)}`,
);
