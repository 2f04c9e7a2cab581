/**
 * Measures the results again that README and docs show:
 *
 *     node test/docs/measure.js [name…]     all by default, about 15 minutes
 *
 * On a quiet machine: what a reader sees first should not begin with "too noisy to tell". Then print the outputs again
 * with `node test/docs/write.js`, and see that each page still says what its output shows.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { BIN } from '../helpers/cli.js';
import { writeResult } from '../helpers/saved-result.js';
import { layTracing } from '../helpers/tracing.js';
import { wordsOf } from './commands.js';

const fromHere = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

const SHARED = '--scenarios shared-connection';

/** By name: the options, those of the command that stands above the output. @type {Record<string, string>} */
const RESULTS = {
  default: '--tasks 8 --size 1000',
  conditions:
    '--tasks 1,8,64 --rtt 0,1ms --clients redis:tuned,ioredis,redis --scenarios shared-connection,pool --pool-size 10 --budget 90s',
  clients: `--clients redis,redis:tuned,ioredis,ioredis:auto-pipelining ${SHARED} --tasks 64`,
  itself: `--clients ioredis,ioredis ${SHARED}`,
  mix: '--workload mix:get=95,get@100kb=5 --size 100 --clients redis:tuned,ioredis --scenarios shared-connection,pool',
  waits: `--command 'GET {key}' --share 99 --prepare 'SET {key} {value}' --command 'BLPOP {missing} 0.1' --share 1 --size 100 --clients redis:tuned --scenarios shared-connection,round-robin,pool,connection-per-task --rate 500 --duration 5s --runs 3 --starts 3`,
  distance: '--rtt 0,0.5ms,2ms --clients redis:tuned,ioredis --scenarios shared-connection,pool',
  'app-work': `--app-work 0,50us,500us --clients redis,redis:tuned,ioredis ${SHARED}`,
  'rate-search': `--rate-search 20000-800000 --slo 50ms --workload set ${SHARED} --clients redis:tuned`,
  fault: 'break cut,half-open,stall:2s,restart',
  idle: 'break idle-drop:4s,idle-reset:4s --idle 10s',
  agents: `--agents local:2 --machines 1,2 --clients redis:tuned ${SHARED} --tasks 8`,
  versions: `--clients redis@4,redis@5,redis@6,ioredis@5,ioredis@6 ${SHARED}`,
  'where-time-goes': `--breakdown --clients redis,redis:tuned,ioredis --scenarios shared-connection,pool --tasks 8 --size 1000`,
  'where-time-goes-busy': `--breakdown --app-work 0,200us --clients redis,redis:tuned,ioredis ${SHARED} --tasks 8 --size 1000`,
  why: `--profile --clients redis,redis:tuned ${SHARED}`,
  before: `--clients redis,ioredis ${SHARED}`,
  after: `--clients redis,ioredis ${SHARED} --config joined.json`,
  tracing: `--import none,./otel.mjs,./otel-tenth.mjs ${SHARED} --profile`,
  'tracing-cold': 'cold --import none,./otel.mjs',
  replay: `--workload profile:traffic.ndjson.gz --clients redis:tuned,ioredis ${SHARED}`,
};
const BISECTION = `bisect --client redis --from 4.7.1 --to 6.3.1 --tasks 64 ${SHARED} --format json --quiet`;

/** @param {string} folder with the files that the commands name */
function bisect(folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...wordsOf(BISECTION)], {
    cwd: folder,
    encoding: 'utf8',
  });
  process.stdout.write(`bisect: exit code ${status}\n${stderr}`);
  if (status === 0) writeFileSync(fromHere('bisect.json.gz'), gzipSync(stdout, { level: 9 }));
}

const names = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'rpb-docs-'));
cpSync(fromHere('../corpus/shop.ndjson.gz'), join(folder, 'traffic.ndjson.gz'));
layTracing(folder);
writeFileSync(join(folder, 'joined.json'), '{"ioredis": {"enableAutoPipelining": true}}');
for (const name of names.length > 0 ? names : [...Object.keys(RESULTS), 'bisect']) {
  if (name === 'bisect') bisect(folder);
  else writeResult(fromHere(`${name}.ndjson.gz`), wordsOf(RESULTS[name]), folder);
}
rmSync(folder, { recursive: true });
