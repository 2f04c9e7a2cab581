/**
 * What recording costs, against its targets: `node test/performance/record.js [latency|carries|varied|memory]`. Wants a quiet
 * machine and redis-benchmark on PATH.
 *
 * - latency: one connection sends a GET at 5,000 a second, in turn directly and through the relay; target: at most
 *   100 µs more at p50
 * - carries: redis-benchmark with 8 connections, unpipelined; target: 50,000 commands a second, at most 40 bytes each
 * - varied: twelve kinds of commands on 200,000 keys, a few of them hot, with values of 20 to 20,000 bytes; target: at most 40
 *   bytes each
 * - memory: commands on keys of their own, pipelined; target: 200 MB (the number of commands may be given: 10000000)
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { startRelayProcess } from '../../src/runner/relay-process.js';
import { locateServer } from '../../src/server/locate.js';
import { startManagedServer } from '../../src/server/managed.js';
import { createRandom } from '../helpers/random.js';
import { PROFILE_HEADER } from '../helpers/sample-profile.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'rpb-record-'));
const file = join(folder, 'traffic.ndjson.gz');
const server = await startManagedServer(await locateServer());
const upstream = { host: '127.0.0.1', port: Number(server.targets.tcp.port) };

/** @param {number | undefined} pid */
const largestMb = (pid) =>
  Math.round(Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024);

/** @param {(tap: Awaited<ReturnType<typeof startRelayProcess>>) => Promise<unknown>} work */
async function recorded(work) {
  const recording = { file, header: PROFILE_HEADER };
  const tap = await startRelayProcess({ upstreams: [upstream], recording }, null);
  await work(tap);
  const state = await tap.state();
  const largest = largestMb(tap.pid);
  const { commands, dropped } = await tap.stop('time');
  await tap.kill();
  const bytes = statSync(file).size;
  console.log(
    `recorded ${commands} commands, dropped ${dropped}, ${(bytes / commands).toFixed(1)} bytes each, ` +
      `largest RSS ${largest} MB, unparsed ${state.unparsed}`,
  );
}

/** @param {number} port @param {number} count @returns {Promise<number[]>} µs of a GET each 200 µs, one at a time */
async function paced(port, count) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  /** @type {number[]} */
  const took = [];
  const startMs = performance.now();
  await new Promise((resolve) => {
    let sentMs = 0;
    const send = () => {
      if (took.length === count) {
        resolve(socket.destroy());
        return;
      }
      const dueMs = startMs + took.length * 0.2;
      if (performance.now() < dueMs) {
        setImmediate(send);
        return;
      }
      sentMs = performance.now();
      socket.write('*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n');
    };
    socket.on('data', () => {
      took.push((performance.now() - sentMs) * 1000);
      send();
    });
    socket.on('connect', send);
  });
  return took.sort((a, b) => a - b);
}

/** Keys of a service: the square of a drawn number makes the first ones the hot ones. */
const KEYS = 200_000;

/** @param {number} port @param {number} seed @param {number} count of commands, 8 under way */
async function sendVaried(port, seed, count) {
  const client = new Redis({ port, lazyConnect: true });
  await client.connect();
  const { uniform: draw } = createRandom(seed);
  const key = (/** @type {string} */ kind) => `${kind}:${Math.floor(draw() ** 3 * KEYS)}`;
  const value = () => 'x'.repeat(Math.round(20 * 1000 ** (draw() ** 2)));
  const commands = [
    () => client.get(key('session')),
    () => client.get(key('page')),
    () => client.setex(key('session'), 1800, value()),
    () => client.set(key('page'), value(), 'EX', 60),
    () => client.hset(key('cart'), `item${Math.floor(draw() * 50)}`, value()),
    () => client.hgetall(key('cart')),
    () => client.expire(key('cart'), 3600),
    () => client.incrby(key('visits'), Math.ceil(draw() * 1000)),
    () => client.lpush(key('log'), value()),
    () => client.lrange(key('log'), 0, Math.floor(draw() * 20)),
    () => client.zadd(key('top'), Math.floor(draw() * 1e6), `member${Math.floor(draw() * 1000)}`),
    () => client.mget(key('session'), key('session'), key('page')),
  ];
  let sent = 0;
  const task = async () => {
    while (sent++ < count) await commands[Math.floor(draw() * commands.length)]();
  };
  await Promise.all(Array.from({ length: 8 }, task));
  client.disconnect();
}

const parts = {
  async latency() {
    await recorded(async (tap) => {
      for (let turn = 0; turn < 4; turn++) {
        const [direct, through] = [await paced(upstream.port, 10_000), await paced(tap.ports[0], 10_000)];
        const at = (/** @type {number[]} */ all, /** @type {number} */ share) =>
          all[Math.floor(all.length * share)];
        console.log(
          `p50 ${at(direct, 0.5).toFixed(0)} µs directly, ${at(through, 0.5).toFixed(0)} µs through: ` +
            `${(at(through, 0.5) - at(direct, 0.5)).toFixed(0)} µs more; p99 ${at(direct, 0.99).toFixed(0)} and ${at(through, 0.99).toFixed(0)} µs`,
        );
      }
    });
  },

  async carries() {
    await recorded(async (tap) => {
      for (const [name, port] of Object.entries({ directly: upstream.port, through: tap.ports[0] })) {
        const args = `-p ${port} -c 8 -n 400000 -t get,set -d 100 -r 10000 --csv`.split(' ');
        const { stdout } = await run('redis-benchmark', args);
        for (const line of stdout.split('\n').slice(1, 3)) {
          const [test, rate, , , p50] = line.replaceAll('"', '').split(',');
          console.log(`${name}: ${test} ${Math.round(Number(rate))} a second, p50 ${p50} ms`);
        }
      }
    });
  },

  async varied() {
    await recorded(async (tap) => {
      await Promise.all(Array.from({ length: 8 }, (_, seed) => sendVaried(tap.ports[0], seed + 1, 25_000)));
    });
  },

  async memory() {
    const count = process.argv[3] ?? '2000000';
    await recorded(async (tap) => {
      const args = `-p ${tap.ports[0]} -c 8 -P 16 -n ${count} -r 10000000 -q GET key:__rand_int__`.split(' ');
      console.log((await run('redis-benchmark', args)).stdout.split('\r').at(-1)?.trim());
    });
  },
};

const [asked] = process.argv.slice(2);
for (const [name, part] of Object.entries(parts)) if (asked === undefined || asked === name) await part();
await server.stop();
rmSync(folder, { recursive: true });
