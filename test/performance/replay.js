/**
 * Whether a replay is what was recorded: records a service that sends 5,000 commands a second and often finds nothing,
 * replays it at that rate while recording again, and holds the two profiles against each other. Shares and hit rate
 * within 0.5 %, sizes (p50, p99) within 1 %; exit code 1 where one is not.
 *
 *     node test/performance/replay.js [seconds]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import getPort from 'get-port';
import { Redis } from 'ioredis';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { benchmark } from '../../src/commands/benchmark.js';
import { record } from '../../src/commands/record.js';
import { readProfile } from '../../src/traffic/read-profile.js';

/** @import { CommandLine } from '../../src/traffic/types.js' */

const seconds = Number(process.argv[2] ?? 5);
const RATE = 5000;
const KEYS = 1000;
/** Of 100 keys that are asked for, so many are stored. */
const FOUND = 70;
const COMMANDS = ['GET', 'SET', 'EXISTS'];

const folder = mkdtempSync(join(tmpdir(), 'rpb-replay-'));
const [server, listen] = [await getPort(), await getPort()];
const redis = spawn('redis-server', ['--port', String(server), '--bind', '127.0.0.1', '--save', ''], {
  stdio: 'ignore',
});
const random = xoroshiro128plus(1);
const upTo = (/** @type {number} */ most) => uniformInt(random, 0, most - 1);
const value = () => 'v'.repeat(upTo(20) === 0 ? 10_000 : 100 + upTo(900));

/** The service: GET 70 %, SET 20 %, EXISTS 10 %, whatever is due every two milliseconds. */
async function serve() {
  const connection = new Redis(listen);
  const startedAt = performance.now();
  /** @type {Promise<unknown>[]} */
  const sent = [];
  while (sent.length < RATE * seconds) {
    const due = ((performance.now() - startedAt) / 1000) * RATE;
    while (sent.length < Math.min(due, RATE * seconds)) sent.push(send(connection));
    await later(2);
  }
  await Promise.all(sent);
  await connection.quit();
}

/** @param {Redis} connection @returns {Promise<unknown>} */
function send(connection) {
  const stored = `session:of:stored:${upTo(KEYS)}`;
  const drawn = upTo(100);
  if (drawn < 70) return connection.get(upTo(100) < FOUND ? stored : `session:of:nobody:${upTo(KEYS)}`);
  return drawn < 90 ? connection.set(stored, value()) : connection.exists(stored);
}

/**
 * Records while something is sent.
 *
 * @param {string} name
 * @param {(path: string) => Promise<(commands: CommandLine[]) => CommandLine[]>} sending resolves to which of them count
 */
async function recorded(name, sending) {
  const output = join(folder, name);
  const ending = new AbortController();
  const recording = record({ url: `redis://127.0.0.1:${server}`, listen, output }, { signal: ending.signal });
  await later(500);
  const chosen = await sending(output);
  ending.abort();
  await recording;
  /** @type {CommandLine[]} */
  const commands = [];
  await readProfile(output, (line) => {
    if (line.type === 'command' && COMMANDS.includes(line.name)) commands.push(line);
  });
  return chosen(commands);
}

/** @param {number[]} numbers @param {number} part */
const percentile = (numbers, part) => numbers.sort((a, b) => a - b)[Math.floor(part * (numbers.length - 1))];

/** @param {CommandLine} command @returns {number} bytes of its arguments */
const sentBytes = ({ args }) =>
  args
    .map((arg) => (Array.isArray(arg) ? arg[1] : typeof arg === 'number' ? Math.abs(arg) : arg.length))
    .reduce((sum, each) => sum + each, 0);

/** @param {CommandLine[]} commands @returns {[name: string, figure: number, within: (figure: number) => number][]} */
function figuresOf(commands) {
  const points = () => 0.5;
  const percent = (/** @type {number} */ figure) => figure / 100;
  const gets = commands.filter(({ name }) => name === 'GET');
  const found = gets.filter(({ reply }) => reply?.[0] === '$');
  const replies = found.map(({ reply }) => Number(reply?.[1]));
  const sizes = { reply: replies, sent: commands.map(sentBytes) };
  return [
    ...COMMANDS.map(
      (wanted) =>
        /** @type {any} */ ([
          `${wanted} %`,
          (100 * commands.filter(({ name }) => name === wanted).length) / commands.length,
          points,
        ]),
    ),
    ...Object.entries(sizes).flatMap(([name, bytes]) => [
      [`${name} p50`, percentile(bytes, 0.5), percent],
      [`${name} p99`, percentile(bytes, 0.99), percent],
    ]),
    ['found %', (100 * found.length) / gets.length, points],
  ];
}

await later(700);
const store = new Redis(server);
for (let key = 0; key < KEYS; key++) await store.set(`session:of:stored:${key}`, value());
await store.quit();
const first = await recorded('first.ndjson', async () => {
  await serve();
  return (commands) => commands;
});
const second = await recorded('second.ndjson', async () => {
  const { cells, warnings } = await benchmark(
    {
      workload: `profile:${join(folder, 'first.ndjson')}`,
      url: `redis://127.0.0.1:${listen}`,
      clients: 'ioredis',
      scenarios: 'shared-connection',
      rate: RATE,
      durationMs: seconds * 1000,
      runs: 1,
      starts: 1,
      warmupRuns: 0,
      profile: false,
    },
    { stateFolder: null },
  );
  const [run] = cells[0].runs;
  console.log(`replayed: ${run.commands} commands`, [...warnings, ...run.warnings, run.failed ?? []].flat());
  // What comes before is the tool's: it stores the data and tries each command once.
  return (commands) => commands.slice(-run.commands);
});
redis.kill();
rmSync(folder, { recursive: true });

console.log(
  `${'commands'.padEnd(10)} ${String(first.length).padStart(10)} ${String(second.length).padStart(10)}`,
);
const again = figuresOf(second);
for (const [index, [name, before, within]] of figuresOf(first).entries()) {
  const after = again[index][1];
  const held = Math.abs(after - before) <= within(before);
  if (!held) process.exitCode = 1;
  const columns = [before, after].map((figure) => figure.toFixed(2).padStart(10)).join(' ');
  console.log(
    `${name.padEnd(10)} ${columns}  ${held ? 'held' : 'NOT HELD'}, ${within(before).toFixed(2)} allowed`,
  );
}
