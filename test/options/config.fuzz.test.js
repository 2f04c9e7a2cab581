import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressMapOf, loadConfig } from '../../src/options/client-options.js';
import { loadPlugins } from '../../src/plugins/registry.js';
import { createBreaker, slipIn } from '../helpers/broken-files.js';
import { fuzz, NIGHTLY } from '../helpers/nightly.js';

/** The same ones each time. */
const SEEDS = fuzz(300).numRuns;
const MEASURED = ['redis', 'ioredis'];
const FORBIDDEN = [
  'url',
  'host',
  'port',
  'path',
  'username',
  'password',
  'keyPrefix',
  'sentinels',
  'variants',
];

const address = { host: '127.0.0.1', port: 7000 };
const CONFIGS = [
  {
    redis: {
      RESP: 2,
      socket: { noDelay: true, connectTimeout: 5000 },
      nodeAddressMap: { '10.0.0.1:1': address },
    },
    ioredis: { keepAlive: 0, natMap: { '10.0.0.1:1': address }, redisOptions: { tls: { servername: 'a' } } },
  },
  { noDelay: true, commandTimeout: 100, natMap: { 'a:1': address } },
];
/** Their values come in the place of others of the same name. */
const DONORS = [
  {
    redis: null,
    ioredis: [],
    raw: {},
    socket: { host: 'other', path: '/x' },
    host: 7,
    port: '7000',
    tls: { key: 'k' },
  },
  { natMap: 'a:1', nodeAddressMap: { 'a:1': 5 }, RESP: 4, keepAlive: {}, redisOptions: { password: 'p' } },
];

/** @param {any} value @param {string[]} path @returns {string[][]} paths of all fields in it */
const pathsIn = (value, path = []) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, each]) => [[...path, name], ...pathsIn(each, [...path, name])])
    : [];

describe('--config, whatever the file holds', function () {
  this.timeout(NIGHTLY ? 3_600_000 : 30_000);
  const folder = mkdtempSync(join(tmpdir(), 'rpb-config-fuzz-'));
  const file = join(folder, 'config.json');
  after(() => rmSync(folder, { recursive: true }));

  it('gives each client just what stands there, or is refused in a sentence', async function () {
    const clients = await loadPlugins('clients');
    let taken = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const { one, breakLines } = createBreaker(seed, DONORS);
      const bytes = breakLines([one(CONFIGS)]);
      writeFileSync(file, bytes);
      const what = `${seed}: ${bytes.subarray(0, 500)}`;
      const found = await loadConfig(file, MEASURED, clients).catch((error) => {
        assert.equal(error.name, 'UsageError', `${what}: ${error.stack}`);
        assert.ok(
          error.message.startsWith('--config ') || error.message.includes('in --config '),
          error.message,
        );
        assert.equal(slipIn(error.message), undefined, what);
      });
      assert.equal(/** @type {any} */ ({}).polluted, undefined);
      if (found === undefined) continue;
      taken++;
      const said = JSON.parse(`${bytes}`.replace(/^\ufeff/, ''));
      const isEach = Object.keys(said).length > 0 && Object.keys(said).every((name) => clients.has(name));
      for (const id of MEASURED) {
        const own = isEach ? (said[id] ?? {}) : said;
        const known = Object.entries(own).filter(([name]) => clients.get(id)?.options?.includes(name));
        assert.deepEqual({ ...found.options[id] }, Object.fromEntries(known), what);
        for (const path of pathsIn(found.options[id]))
          if (!path.some((name) => /^(natMap|nodeAddressMap)$/.test(name)))
            assert.ok(!FORBIDDEN.includes(String(path.at(-1))), what);
      }
      for (const { host, port } of Object.values(addressMapOf(Object.values(found.options))))
        assert.ok(typeof host === 'string' && host !== '' && port >= 1 && port <= 65_535, what);
    }
    /** @type {Mocha.Runnable} */ (this.test).title += ` (${taken} of ${SEEDS} taken)`;
    assert.ok(taken > SEEDS / 20 && taken < SEEDS, `${taken}`);
  });
});
