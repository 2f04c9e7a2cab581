import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What installed clients do by default: read out of the packages, so that no page can fall behind a release. */

const require = createRequire(import.meta.url);
/** What node-redis has as constants. */
const ofRedis = createRequire(require.resolve('redis'));
const NOT_SET = '–';

/** @param {number | null | undefined} ms */
const time = (ms) => (ms == null ? NOT_SET : ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`);

/** @param {string} name @returns {string} `ioredis 6.0.0` */
const nameOf = (name) => `${name} ${require(`${name}/package.json`).version}`;

/** @returns {Promise<string>} a table */
export async function clientDefaults() {
  const { createClient } = await import('redis');
  const { Redis } = await import('ioredis');
  const { Redis: Valkey } = await import('iovalkey');
  const constants = ofRedis('@redis/client/dist/lib/defaults.js');
  const redis = createClient().options;
  const lazy = { lazyConnect: true };
  const [ioredis, iovalkey] = [new Redis(lazy), new Valkey(lazy)].map(({ options }) => options);
  /** @type {[what: string, redis: string, of: (options: any) => string][]} */
  const rows = [
    ['connecting times out after', time(connectTimeout()), (of) => time(of.connectTimeout)],
    ['a command times out after', time(constants.DEFAULT_COMMAND_TIMEOUT), (of) => time(of.commandTimeout)],
    [
      'first keep-alive probe after',
      time(constants.DEFAULT_KEEPALIVE_INITIAL_DELAY),
      (of) => probe(of.keepAlive),
    ],
    ['a silent socket is closed after', time(redis?.socket?.socketTimeout), (of) => time(of.socketTimeout)],
    ['most retries of a command', NOT_SET, (of) => `${of.maxRetriesPerRequest ?? NOT_SET}`],
    [
      'queues while it is offline',
      redis?.disableOfflineQueue ? 'no' : 'yes',
      (of) => (of.enableOfflineQueue ? 'yes' : 'no'),
    ],
  ];
  const table = [
    ['', nameOf('redis'), nameOf('ioredis'), nameOf('iovalkey')],
    ...rows.map(([what, first, of]) => [what, first, of(ioredis), of(iovalkey)]),
  ];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `0` leaves it to the kernel. @param {number} ms */
const probe = (ms) => (ms === 0 ? '2 hours (Linux)' : time(ms));

/** Of node-redis, which names it only where it is used. @returns {number} */
function connectTimeout() {
  const file = ofRedis.resolve('@redis/client/dist/lib/client/socket.js');
  const [, ms] = /connectTimeout \?\? (\d+)/.exec(readFileSync(file, 'utf8')) ?? [];
  if (ms === undefined) throw new Error(`${file} names no default of connectTimeout any more`);
  return Number(ms);
}
