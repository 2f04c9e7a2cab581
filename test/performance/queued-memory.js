/**
 * Whether the column "MB more" of `break` is what a service would see, whose values are all made anew:
 *
 *     node test/performance/queued-memory.js [client…]     redis and ioredis by default, half a minute each
 *
 * A server stalls for 4 s while 2,000 SETs of 20 kB a second arrive: once sent by a bare loop, once by `break`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BIN } from '../helpers/cli.js';

const RATE = 2000;
const STALL_MS = 4000;
const BEFORE_MS = 1000;
const RUN_MS = 7000;
const VALUE_BYTES = 20_000;

const [role, ...names] = process.argv.slice(2);
if (role === '--bare') await bareLoop(names[0], names[1]);
else for (const name of role === undefined ? ['redis', 'ioredis'] : [role, ...names]) await compare(name);

/** @param {string} client */
async function compare(client) {
  const bare = await withServer((path, pid) => {
    const child = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), '--bare', client, `${path}:${pid}`],
      { encoding: 'utf8' },
    );
    return Number(child.stdout);
  });
  const words = `break stall:${STALL_MS}ms --clients ${client} --workload set --value-size ${VALUE_BYTES} --rate ${RATE}`;
  const more = `--arrivals even --fault-at ${BEFORE_MS}ms --duration ${RUN_MS}ms --no-save --quiet --format json`;
  const { stdout } = spawnSync(process.execPath, [BIN, ...`${words} ${more}`.split(' ')], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const found = JSON.parse(stdout).cells[0].runs[0].fault.memoryGrowthBytes;
  const queued = (RATE * STALL_MS * VALUE_BYTES) / 1000;
  const mb = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;
  process.stdout.write(
    `${client}: ${mb(queued)} queued; a bare loop grew by ${mb(bare)}, break says ${mb(found)}\n`,
  );
}

/** @template T @param {(path: string, pid: number) => T} use @returns {Promise<T>} */
async function withServer(use) {
  const folder = mkdtempSync(join(tmpdir(), 'rpb-queued-'));
  const path = join(folder, 'redis.sock');
  const server = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder]);
  const closed = once(server, 'close');
  try {
    await once(server.stdout, 'data');
    return use(path, Number(server.pid));
  } finally {
    server.kill('SIGKILL');
    await closed;
    rmSync(folder, { recursive: true });
  }
}

/** Prints by how many bytes this process grew. @param {string} client @param {string} place `path:pid` of the server */
async function bareLoop(client, place) {
  const [path, pid] = place.split(':');
  const set = await connected(client, path);
  const startedMs = performance.now();
  let firstBytes = 0;
  let mostBytes = 0;
  let sent = 0;
  // What is queued is written at once when the server goes on, which takes memory too.
  const signals = [
    { atMs: BEFORE_MS, name: 'SIGSTOP' },
    { atMs: BEFORE_MS + STALL_MS, name: 'SIGCONT' },
  ];
  for (let ms = 0; ms < RUN_MS; ms = performance.now() - startedMs) {
    if (ms > signals[0]?.atMs) process.kill(Number(pid), signals.shift()?.name);
    for (; sent < (ms / 1000) * RATE; sent++)
      set(`key:${sent}`, randomBytes(VALUE_BYTES / 2).toString('hex')).catch(() => {});
    const bytes = process.memoryUsage.rss();
    if (ms > 50) firstBytes ||= bytes;
    mostBytes = Math.max(mostBytes, bytes);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  process.stdout.write(`${mostBytes - firstBytes}\n`);
  process.exit();
}

/** @param {string} client @param {string} path @returns {Promise<(key: string, value: string) => Promise<unknown>>} */
async function connected(client, path) {
  if (client === 'ioredis') {
    const { Redis } = await import('ioredis');
    const redis = new Redis(path);
    return (key, value) => redis.set(key, value);
  }
  const { createClient } = await import('redis');
  const redis = await createClient({ socket: { path, tls: false } }).connect();
  return (key, value) => redis.set(key, value);
}
