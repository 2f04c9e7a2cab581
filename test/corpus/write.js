/**
 * Writes a saved result of every kind, for `corpus.test.js`:
 *
 *     node test/corpus/write.js FOLDER [name…]     all by default, about five minutes
 *
 * A change of the format migrates `saved/` by a script that is not kept. Files hold no name of a machine and no path
 * outside of this project; look before you add one.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeResult } from '../helpers/saved-result.js';

const SHARED = '--scenarios shared-connection';
const SHORT = '--size 100 --run-time 20ms --pin off';
const RUNS = '--runs 6 --starts 2';
const FAULT = '--rate 500 --duration 1s --fault-at 300ms';

/** By name: the options. @type {Record<string, string>} */
const KINDS = {
  default: `--clients redis,redis:tuned,ioredis --scenarios shared-connection,pool ${SHORT} ${RUNS} --profile`,
  conditions: `--clients redis:tuned,ioredis ${SHARED} ${SHORT} ${RUNS} --tasks 1,16 --size 10,1000 --no-profile`,
  smoke: '--smoke --clients redis,ioredis',
  'copies-asserted': `--clients ioredis,ioredis ${SHARED} ${SHORT} ${RUNS} --no-profile --assert ioredis.p99Us>0 --assert ioredis.opsPerSecond<1`,
  code: `--clients redis,redis:tuned ${SHARED} --size 100 --tasks 64 --run-time 100ms --pin off --runs 12 --starts 4 --no-profile`,
  distance: `--clients redis:tuned,ioredis ${SHARED} ${SHORT} ${RUNS} --rtt 0,1ms --jitter 20 --no-profile`,
  'open-loop': `--clients redis,ioredis ${SHARED} --size 100 --rate 500,2000 --duration 200ms --runs 3 --starts 1 --pin off --arrivals poisson`,
  'rate-search': `--clients redis:tuned,ioredis ${SHARED} --size 100 --rate-search 2000-64000 --slo 5ms --duration 150ms --pin off`,
  fault: `break none,cut,stall:500ms --clients redis,ioredis,ioredis:careful ${FAULT} --runs 1 --pin off`,
  'cold-start': 'cold --clients redis,ioredis --iterations 1 --runs 6 --pin off',
  idle: `break none,idle-drop:400ms,idle-reset:400ms --clients redis,ioredis,redis{pingInterval:50} ${FAULT} --idle 1s --runs 1 --pin off`,
  replicas: `--clients redis,ioredis ${SHARED} ${SHORT} --runs 2 --starts 2 --topology cluster --cluster-nodes 3 --replicas 1 --read-from primary,replica --workload mix:get=80,set=20 --no-profile`,
  agents: `--agents local:2 --machines 1,2 --clients redis,ioredis ${SHARED} ${SHORT} ${RUNS} --no-profile`,
  queue: 'messages --clients redis,ioredis --workload queue,stream --size 100 --runs 6 --pin off',
  servers: `--clients redis:tuned,ioredis ${SHARED} ${SHORT} ${RUNS} --server one=redis-server,other=redis-server --no-profile`,
  versions: `--clients redis@4,redis@5,redis@6 ${SHARED} ${SHORT} ${RUNS} --profile`,
  cluster: `--clients redis,ioredis ${SHARED} ${SHORT} ${RUNS} --topology standalone,cluster --no-profile`,
  mix: `--clients redis,ioredis ${SHARED} ${SHORT} ${RUNS} --workload mix:get=80,set=15,get@10kb=5 --keys 1000 --key-distribution zipf --no-profile`,
  'pipelining-test': `--suite pipelining-test --clients redis,ioredis --size 100 --tasks 2,4 --iterations 200`,
  'transport-pipe-size': `--suite transport-pipe-size --clients redis,ioredis --iterations 500`,
  'connection-use': '--suite connection-use --clients ioredis --duration 200ms',
};

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error('expected a folder');
mkdirSync(folder, { recursive: true });
for (const name of names.length > 0 ? names : Object.keys(KINDS)) {
  const args = KINDS[name].split(' ').map((arg) => arg.replaceAll('_', ' '));
  writeResult(join(folder, `${name}.ndjson.gz`), [...args, '--seed', '7']);
}
