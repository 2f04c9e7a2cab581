/** A server near its limit that others use, and loads that grow: does it ever cost the others a key, or a write? */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ONE_CELL, runCli } from './cli.js';
import { createRandom } from './random.js';
import { startRedis } from './redis-server.js';
import { PROFILE_END, PROFILE_HEADER, profileText } from './sample-profile.js';

const STRANGERS = 2000;
const POLICIES = [
  ...['allkeys-lru', 'allkeys-lfu', 'allkeys-random', 'noeviction'],
  ...['volatile-lru', 'volatile-lfu', 'volatile-random', 'volatile-ttl'],
];
/** Bytes that are free. */
const HEADROOMS = [600_000, 1_500_000, 4_000_000, 12_000_000];

/** @param {string} add @param {string} count of what its key has */
const script = (add, count) =>
  `EVAL "local n = redis.call('${count}', KEYS[1]); return redis.call(${add})" 1 {key} {value}`;

/** Adds a key each time. */
const NEW_KEYS = `let made = 0;
export default {
  summary: 'new keys',
  async iterate(redis, { key, value }) {
    made++;
    await redis.set(\`\${key}:\${made}\`, value);
    return true;
  },
};
`;

const PUSHES = Array.from({ length: 400 }, (_, index) => [
  ...[1000 + 100 * index, 1, ['LPUSH', 'RPUSH', 'XADD', 'APPEND'][index % 4]],
  index % 4 === 2 ? [[2, 16], '*', 4, 600] : [[[0, 1, 2, 3][index % 4], 16], 600],
  ...[index % 4 === 2 ? ['$', 15] : [':', 1], 80, 1, 1],
]);

/** What grows. @type {Record<string, (folder: string) => string[]>} */
const LOADS = {
  lpush: () => ['--command', 'LPUSH {key} {value}'],
  rpush: () => ['--command', 'RPUSH {key} {value}', '--prepare', 'RPUSH {key} {value}'],
  append: () => ['--command', 'APPEND {key} {value}'],
  xadd: () => ['--command', 'XADD {key} * field {value}'],
  sequence: () => ['--command', 'RPUSH {key} {value} {value} ; LLEN {key}', '--way', 'parallel'],
  sadd: () => ['--allow-scripts', '--command', script("'SADD', KEYS[1], ARGV[1] .. n", 'SCARD')],
  zadd: () => ['--allow-scripts', '--command', script("'ZADD', KEYS[1], n, ARGV[1] .. n", 'ZCARD')],
  hset: () => ['--allow-scripts', '--command', script("'HSET', KEYS[1], n, ARGV[1]", 'HLEN')],
  setrange: () => ['--allow-scripts', '--command', script("'SETRANGE', KEYS[1], n, ARGV[1]", 'STRLEN')],
  newKeys(folder) {
    writeFileSync(join(folder, 'new-keys.js'), NEW_KEYS);
    return ['--workload', join(folder, 'new-keys.js')];
  },
  replay(folder) {
    const file = join(folder, 'pushes.ndjson');
    const lines = [{ type: 'open', atUs: 800, connection: 1 }, ...PUSHES];
    const closing = { connection: 1, pushes: 0, pushBytes: 0, unparsedBytes: 0 };
    const end = { ...PROFILE_END, atUs: 90_000, commands: PUSHES.length };
    writeFileSync(
      file,
      profileText([PROFILE_HEADER, ...lines, { type: 'close', atUs: 60_000, ...closing }, end]),
    );
    return ['--workload', `profile:${file}`];
  },
  queue: () => ['--workload', 'queue'],
  stream: () => ['--workload', 'stream'],
  rewrites: () => ['--workload', 'mix:get=20,set=80'],
};
const MESSAGES = ['queue', 'stream'];

/** How long, and how much at once. @type {string[][]} */
const SHAPES = [
  ['--duration', '200ms', '--runs', '1', '--warmup-runs', '1'],
  ['--duration', '800ms', '--runs', '1', '--warmup-runs', '0'],
  ['--iterations', '1000', '--runs', '2', '--warmup-runs', '0'],
  ['--duration', '600ms', '--runs', '1', '--warmup-runs', '0', '--rate', '4000'],
  ['--duration', '300ms', '--runs', '1', '--warmup-runs', '0', '--tasks', '50'],
];

/**
 * @param {number} seed of one try
 * @returns {Promise<{name: string, code: number | null, stderr: string, evicted: number, left: number, refused: number,
 *   strangers: number, overBytes: number}>} `refused`: writes; `overBytes`: by how much memory was over its limit, at most
 */
export async function tryGrowth(seed) {
  // The first numbers of neighbouring seeds are alike.
  const { uniform } = createRandom(Math.imul(seed + 1, 0x9e3779b1) >>> 0);
  const pick = (/** @type {any[]} */ all) =>
    all[Math.min(all.length - 1, Math.floor(uniform() * all.length))];
  const loads = Object.keys(LOADS);
  // Each policy and load in turn, so that few tries have all of them.
  const policy = POLICIES[seed % POLICIES.length];
  const load = loads[seed % loads.length];
  const [headroom, shape, size] = [pick(HEADROOMS), pick(SHAPES), pick([10, 1000, 10_000])];
  const isFilled = uniform() < 0.3;
  const folder = mkdtempSync(join(tmpdir(), 'rpb-strangers-'));
  const server = await startRedis({ args: ['--maxmemory-policy', policy] });
  try {
    const expires = policy.startsWith('volatile') ? ['EX', '3600'] : [];
    const value = 'x'.repeat(100);
    for (let from = 0; from < STRANGERS; from += 500)
      await Promise.all(
        Array.from({ length: 500 }, (_, index) =>
          server.query('SET', `theirs:${from + index}`, value, ...expires),
        ),
      );
    const { used_memory: used } = await server.info();
    const limit = Number(used) + headroom;
    await server.query('CONFIG', 'SET', 'maxmemory', `${limit}`);
    let strangers = STRANGERS;
    let isOver = false;
    let overBytes = Number.NEGATIVE_INFINITY;
    /** Another client stores more meanwhile, as long as that alone fits. */
    async function fill() {
      while (!isOver) {
        const now = Number((await server.info()).used_memory);
        overBytes = Math.max(overBytes, now - limit);
        if (isFilled && now < limit - headroom * 0.3) {
          await server.query('SET', `theirs:${strangers}`, 'x'.repeat(Math.floor(headroom / 60)), ...expires);
          strangers++;
        }
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    }
    const filling = fill();
    // What ended the try is told instead.
    filling.catch(() => {});
    const isMessages = MESSAGES.includes(load);
    const own = LOADS[load](folder);
    const args = [
      ...[...ONE_CELL.filter((each) => !isMessages || each !== '--no-profile'), '--size', `${size}`],
      ...[...shape, '--url', server.url, ...own],
    ];
    const { code, stderr } = await runCli(isMessages ? ['messages', ...args] : [...args, '--starts', '1']);
    isOver = true;
    await filling;
    const info = await server.info();
    const left = (await server.query('KEYS', 'theirs:*')).length;
    const [, refused = 0] = /count=(\d+)/.exec(info.errorstat_OOM ?? '') ?? [];
    const name = [
      ...[policy, load, `${headroom / 1e6} MB`, `${size} bytes`, shape.join(' ')],
      ...(isFilled ? ['another client fills'] : []),
    ].join(', ');
    const evicted = Number(info.evicted_keys);
    return { name, code, stderr, evicted, left, strangers, refused: Number(refused), overBytes };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
