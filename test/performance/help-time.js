/**
 * How much CPU `redis-pipe-bench --help` takes against a Node that does nothing. Of the user, as the system's share is
 * mostly that of other programs on the machine.
 * Run by hand: node test/performance/help-time.js [rounds]
 *
 * Target: at most 1.5.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { mean } from 'simple-statistics';

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
const rounds = Number(process.argv[2] ?? 40);
/** @type {Record<string, string[]>} */
const commands = { nothing: ['-e', '0'], help: [BIN, '--help'] };
/** @type {Record<string, number[]>} */
const times = { nothing: [], help: [] };

for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(commands)) times[name].push(userMs(args));
}
const [nothing, help] = [mean(times.nothing), mean(times.help)];
console.log(
  `--help ${help.toFixed(0)} ms, node -e 0 ${nothing.toFixed(0)} ms: ${(help / nothing).toFixed(2)}`,
);

/** @param {string[]} args of Node @returns {number} as the shell counts it, in steps of 10 ms: only the mean is exact */
function userMs(args) {
  const timed = ['-c', '"$0" "$@" > /dev/null && times', process.execPath, ...args];
  const { status, stdout, stderr } = spawnSync('sh', timed, { encoding: 'utf8' });
  // A crash is quick, too.
  if (status !== 0) throw new Error(`${args} failed: ${stderr}`);
  const [, minutes, seconds] = /\n(\d+)m([\d.]+)s/.exec(stdout) ?? [];
  return (Number(minutes) * 60 + Number(seconds)) * 1000;
}
