/**
 * Whether a replay is what was recorded: records a benchmark at --rate 5000, replays it while recording again, and holds
 * the two profiles against each other. Shares within 0.5 %, sizes (p50, p99) within 1 %, hit rate within 0.5 %.
 *
 *     node test/performance/replay.js [seconds]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { benchmark, record } from '../../src/index.js';
import { tupleOf } from '../../src/traffic/format.js';
import { readProfile } from '../../src/traffic/read-profile.js';

/** @import { CommandLine } from '../../src/traffic/types.js' */

const seconds = Number(process.argv[2] ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'rpb-replay-'));
const [server, listen] = [await getPort(), await getPort()];
const redis = spawn('redis-server', ['--port', String(server), '--bind', '127.0.0.1', '--save', ''], {
  stdio: 'ignore',
});
const later = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
await later(700);

/**
 * Records one run of a benchmark, without what the tool sends before and after it.
 *
 * @param {string} name
 * @param {Record<string, unknown>} given
 * @returns {Promise<CommandLine[]>}
 */
async function recorded(name, given) {
  const output = join(folder, `whole-${name}`);
  const ending = new AbortController();
  const startedAt = performance.now();
  const recording = record({ url: `redis://127.0.0.1:${server}`, listen, output }, { signal: ending.signal });
  await later(500);
  const times = { run: 0, 'run-end': 0 };
  await benchmark(
    {
      ...{ clients: 'ioredis', scenarios: 'shared-connection', runs: 1, starts: 1, warmupRuns: 0 },
      ...{ durationMs: seconds * 1000, url: `redis://127.0.0.1:${listen}`, profile: false, ...given },
    },
    {
      stateFolder: null,
      onEvent: ({ type }) => {
        if (type === 'run' || type === 'run-end') times[type] = 1000 * (performance.now() - startedAt);
      },
    },
  );
  ending.abort();
  await recording;
  /** @type {CommandLine[]} */
  const commands = [];
  const { header } = await readProfile(output, (line) => {
    const isOwn = line.type === 'command' && ['GET', 'SET', 'EXISTS'].includes(line.name);
    if (isOwn && line.atUs > times.run && line.atUs < times['run-end']) commands.push(line);
  });
  const lines = [header, ...commands.map(tupleOf)];
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return commands;
}

/** @param {CommandLine[]} commands */
function figuresOf(commands) {
  const gets = commands.filter(({ name }) => name === 'GET');
  const share = (/** @type {string} */ name) =>
    (100 * commands.filter((each) => each.name === name).length) / commands.length;
  const reply = gets.map(({ reply }) => Number(reply?.[1])).sort((a, b) => a - b);
  const sent = commands
    .map(({ args }) =>
      args.reduce(
        (/** @type {number} */ sum, arg) =>
          sum + (Array.isArray(arg) ? arg[1] : typeof arg === 'number' ? Math.abs(arg) : arg.length),
        0,
      ),
    )
    .sort((a, b) => a - b);
  const at = (/** @type {number[]} */ sorted, /** @type {number} */ part) =>
    sorted[Math.floor(part * (sorted.length - 1))];
  return {
    commands: commands.length,
    'GET %': share('GET'),
    'SET %': share('SET'),
    'EXISTS %': share('EXISTS'),
    'reply p50': at(reply, 0.5),
    'reply p99': at(reply, 0.99),
    'sent p50': at(sent, 0.5),
    'sent p99': at(sent, 0.99),
    'hits %': (100 * gets.filter(({ reply }) => reply?.[0] === '$').length) / gets.length,
  };
}

const first = await recorded('first.ndjson', {
  rate: '5000',
  workload: 'mix:get=70,set=20,exists=5,get@10kb=5',
  valueSize: '100-1000',
  keys: 1000,
});
const second = await recorded('second.ndjson', {
  speed: '1',
  workload: `profile:${join(folder, 'first.ndjson')}`,
});
redis.kill();
rmSync(folder, { recursive: true });
const [before, after] = [figuresOf(first), figuresOf(second)];
for (const [name, value] of Object.entries(before)) {
  const again = after[/** @type {keyof typeof after} */ (name)];
  console.log(`${name.padEnd(10)} ${value.toFixed(2).padStart(10)} ${again.toFixed(2).padStart(10)}`);
}
