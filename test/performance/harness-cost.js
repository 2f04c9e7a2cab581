/**
 * What the harness adds: client CPU per operation of a cell's worker against a bare
 * `await client.get(key)` loop with the same client, options, tasks and server, in two processes that
 * take turns, once with one key as the bare loop has and once with as many as a benchmark has by default; all
 * replies are checked in both. Run by hand: node test/performance/harness-cost.js [rounds] [pairs] [word …];
 * with `cached` the client answers out of its cache, with `requests` an operation reads 20 keys, with `instructions`
 * these are counted instead of CPU, by valgrind, which needs no quiet machine. Any other word chooses
 * the cases whose title has it, such as `redis:tuned`.
 *
 * Several pairs of processes, because each has its own luck with the JIT compiler and its memory; of
 * each pair the median of the rounds, and of those the median is the figure.
 *
 * Target: at most 1.03 with latencies recorded (issues 2 and 3).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { median } from 'simple-statistics';
import { pinProcess } from '../../src/machine/processors.js';
import redis from '../../src/plugins/clients/redis.js';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';
import { open } from '../../src/worker/cell.js';
import { jobOf } from '../helpers/job.js';
import { openCounter } from './count-instructions.js';

/** Length of keys and values unless a case has its own. */
const SIZE = 10;
const CASES = [
  { client: 'redis', variant: 'tuned', tasks: 64, operations: 200_000 },
  { client: 'redis', variant: 'tuned', tasks: 8, operations: 60_000 },
  { client: 'ioredis', variant: 'default', tasks: 8, operations: 60_000 },
  { client: 'ioredis', variant: 'auto-pipelining', tasks: 64, operations: 150_000 },
];
/** Short and long: the cache's own keys hold the whole key. */
const CACHED = [10, 1000].flatMap((size) =>
  [1, 8].map((tasks) => ({ client: 'redis', variant: 'cached', tasks, operations: 80_000, size })),
);
/** Keys of a request. */
const REQUEST = 20;
const REQUESTS = ['mget', 'pipeline', 'parallel'].flatMap((way) => [
  { client: 'redis', variant: 'tuned', tasks: 8, operations: 12_000, way },
  { client: 'ioredis', variant: 'default', tasks: 8, operations: 12_000, way },
]);
/** Operations of a slice that is counted. With 400 requests of 20 keys, one garbage collection more decided the ratio. */
const COUNTED = 4000;
/** Operations of a warm-up slice, and with requests; valgrind is slow. */
const WARM_UP = 4000;
const WARM_UP_REQUESTS = 400;
const WARM_UP_ROUNDS = 4;
/** Of a slice that is counted: after 16 of them redis:tuned still had 1.5 times its later instructions. */
const WARM_UP_SLICES = 64;

if (process.send) await child();
else await parent(Number(process.argv[2] ?? 12), Number(process.argv[3] ?? 5), process.argv.slice(4));

/** @param {string[]} words @returns {Record<string, any>[]} */
function casesOf(words) {
  const counted = words.includes('instructions');
  const [cases, warmUp] = words.includes('requests')
    ? [REQUESTS, WARM_UP_REQUESTS]
    : [words.includes('cached') ? CACHED : CASES, WARM_UP];
  const keys = counted || cases === REQUESTS ? [64] : [1, 64];
  const titleWords = words.filter((word) => !['instructions', 'requests', 'cached'].includes(word));
  return cases
    .flatMap((each) => keys.map((number) => ({ size: SIZE, ...each, keys: number, warmUp, counted })))
    .filter((job) => titleWords.every((word) => titleOf(job).includes(word)));
}

/** @param {Record<string, any>} job */
function titleOf({ way, client, variant, tasks, keys, size }) {
  const request = way ? `${REQUEST} keys by ${way}, ` : '';
  return `${request}${client}:${variant}, ${tasks} tasks, ${keys} ${keys === 1 ? 'key' : 'keys'} of ${size} characters`;
}

/** @param {number} rounds @param {number} pairs @param {string[]} words */
async function parent(rounds, pairs, words) {
  const server = await startManagedServer(await locateServer());
  const info = await server.control.info();
  await pinProcess(Number(info?.fields.process_id), [0]);
  try {
    for (const job of casesOf(words)) {
      const ratios = [];
      for (let pair = 0; pair < pairs; pair++) {
        ratios.push(await comparePair({ ...job, target: server.targets.tcp }, rounds));
      }
      const all = ratios.map((ratio) => ratio.toFixed(3)).sort();
      console.log(`${titleOf(job)}: ${median(ratios).toFixed(3)} of bare (${all.join(' ')})`);
    }
  } finally {
    server.control.close();
    await server.stop();
  }
}

/**
 * @param {Record<string, any>} job
 * @param {number} rounds
 * @returns {Promise<number>} CPU of the cell over CPU of the bare loop, median of the rounds
 */
async function comparePair(job, rounds) {
  const bare = await start({ ...job, kind: 'bare' });
  const cell = await start({ ...job, kind: 'cell' });
  const ratios = [];
  const warmUp = job.counted ? 0 : WARM_UP_ROUNDS;
  for (let round = 0; round < rounds + warmUp; round++) {
    // Who goes first changes, so that a drift falls on both alike.
    const results = new Map();
    for (const worker of round % 2 ? [bare, cell] : [cell, bare]) results.set(worker, await worker.run());
    if (round >= warmUp) ratios.push(results.get(cell) / results.get(bare));
  }
  await Promise.all([bare.end(), cell.end()]);
  return job.counted ? ratios[ratios.length - 1] : median(ratios);
}

/** @param {Record<string, any>} job */
async function start(job) {
  const counter = job.counted ? await openCounter() : undefined;
  const [program, ...options] = [...(counter?.under ?? []), process.execPath];
  const child = fork(fileURLToPath(import.meta.url), { execPath: program, execArgv: options });
  const ask = async (/** @type {object} */ message) => {
    child.send(message);
    const [answer] = await once(child, 'message');
    return answer;
  };
  await ask(job);
  if (child.pid) await pinProcess(child.pid, [1]);
  for (let slice = 0; counter && slice < WARM_UP_SLICES; slice++) await ask({ operations: job.warmUp });
  /** @param {number} operations */
  const countIn = async (operations) =>
    Number(await counter?.count(Number(child.pid), () => ask({ operations })));
  /** @type {number[][]} a few of which have a late compilation in them */
  const [whole, halves] = [[], []];
  return {
    /** @returns {Promise<number>} µs of CPU per operation, or instructions by all runs until now */
    async run() {
      if (counter === undefined) return (await ask({ operations: job.operations })) / job.operations;
      // A run of half the length has about as many different latencies to encode, and costs the same to begin and to end.
      whole.push(await countIn(COUNTED));
      halves.push(await countIn(COUNTED / 2));
      return (median(whole) - median(halves)) / (COUNTED / 2);
    },
    async end() {
      child.kill('SIGKILL');
      await counter?.close();
    },
  };
}

async function child() {
  const [job] = await once(process, 'message');
  const run = job.kind === 'bare' ? await bareLoop(job) : await cellLoop(job);
  process.on('message', async ({ operations }) => {
    process.send?.(await run(operations));
  });
  process.send?.('ready');
}

/**
 * Written by hand, with the client's own API and nothing of the tool's.
 *
 * @param {any} job
 * @returns {Promise<(operations: number) => Promise<number>>} runs once and resolves to the CPU it took, in µs
 */
async function bareLoop({ client: name, variant, tasks, keys, size, way, target: { host, port } }) {
  /** @type {Record<string, any>} */
  const variants = redis.variants;
  const key = Buffer.from('bare:'.padEnd(size, 'a')).toString('latin1');
  const client =
    name === 'redis'
      ? await createClient({ socket: { host, port }, ...variants[variant] }).connect()
      : new Redis({ host, port, enableAutoPipelining: variant === 'auto-pipelining' });
  await client.set(key, 'x'.repeat(size));
  const send =
    way === undefined
      ? () => client.get(key)
      : bareRequest(client, await storeLists(client, keys, size), way);
  const task = async (/** @type {number} */ operations) => {
    for (let left = operations / tasks; left > 0; left--) await send();
  };
  return async (operations) => {
    const before = process.cpuUsage();
    await Promise.all(Array.from({ length: tasks }, () => task(operations)));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}

/** @param {any} client @param {number} keys @param {number} size @returns {Promise<string[][]>} the keys of each request */
async function storeLists(client, keys, size) {
  const all = Array.from({ length: keys }, (_, index) =>
    Buffer.from(`bare:${index}`.padEnd(size, 'a')).toString('latin1'),
  );
  for (const [index, key] of all.entries()) await client.set(key, `${index}`.padEnd(size, 'x'));
  return all.map((_, first) => Array.from({ length: REQUEST }, (_, at) => all[(first + at) % keys]));
}

/**
 * Any program reads other keys with each request, and they cost more to send and to read than the same again: so
 * this one does too. Its lists are made before the run, and it compares nothing.
 * @param {any} client @param {string[][]} lists @param {'mget' | 'pipeline' | 'parallel'} way
 */
function bareRequest(client, lists, way) {
  const isRedis = !(client instanceof Redis);
  let turn = 0;
  const next = () => lists[turn++ % lists.length];
  const ways = {
    mget: () => (isRedis ? client.mGet(next()) : client.mget(next())),
    parallel: () => Promise.all(next().map((key) => client.get(key))),
    pipeline() {
      const batch = isRedis ? client.multi() : client.pipeline();
      for (const key of next()) batch.get(key);
      return isRedis ? batch.execAsPipeline() : batch.exec();
    },
  };
  return ways[way];
}

/**
 * The cell as a worker runs it, and the CPU that it reports itself.
 *
 * @param {any} job
 * @returns {Promise<(operations: number) => Promise<number>>}
 */
async function cellLoop({ client, variant, tasks, keys, size, way, target }) {
  const own = { client, variant, tasks, keys, keySize: size, valueSize: size, shortestValue: size, target };
  const request = way !== undefined && { way, workload: { id: 'fetch', parameter: { count: REQUEST } } };
  const cell = await open(
    jobOf({
      ...own,
      ...request,
      latency: process.env.LATENCY !== 'off',
      keyPrefix: 'rpb:perf',
    }),
  );
  await cell.prepare();
  return async (operations) => {
    const { client, errors, wrongReplies } = await cell.run({ iterations: operations / tasks }, () => {});
    if (Object.keys(errors).length > 0 || wrongReplies > 0) throw new Error(inspect(errors));
    return client.cpuUs;
  };
}
