import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStarted, leftovers, runCli, startHere } from '../../helpers/cli.js';
import { startRegistry } from '../../helpers/npm-registry.js';

const HERE = createRequire(import.meta.url).resolve('ioredis');
/** The ioredis of this project under other versions, so that nothing comes from elsewhere. */
const WORKS = { 'index.js': `module.exports = require(${JSON.stringify(HERE)})` };
const SMALL = [
  ...['--clients', 'ioredis', '--newest', '2', '--size', '10', '--pin', 'off', '--no-profile'],
  ...['--starts', '1', '--warmup-runs', '0', '--iterations', '50'],
];

describe('commands/history/releases', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRegistry>>} */
  let registry;
  /** @type {string} */
  let cache;
  /** @type {string} */
  let temp;
  /** @type {string} */
  let folder;
  before(async () => {
    cache = mkdtempSync(join(tmpdir(), 'rpb-releases-cache-'));
    registry = await startRegistry('ioredis', {
      '4.20.0': WORKS,
      '5.8.0': WORKS,
      '5.8.1': WORKS,
      '5.9.0': { 'index.js': "throw new Error('built without care')" },
      '5.10.0': WORKS,
      '5.11.0-beta.1': WORKS,
    });
  });
  after(async () => {
    await registry.stop();
    rmSync(cache, { recursive: true, force: true, maxRetries: 5 });
  });
  beforeEach(() => {
    temp = mkdtempSync(join(tmpdir(), 'rpb-releases-'));
    folder = join(temp, 'results');
  });
  afterEach(async () => {
    await endStarted();
    rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
  });

  /** @param {string[]} args */
  const options = (...args) => ({
    args: ['releases', folder, ...SMALL, ...args],
    env: { ...registry.env, XDG_CACHE_HOME: cache },
  });
  /** @param {string[]} more */
  async function run(...more) {
    const { args, env } = options(...more);
    return runCli(args, { env });
  }
  /** @param {string[]} more */
  async function states(...more) {
    const { stdout } = await run('--dry-run', '--format', 'json', ...more);
    return JSON.parse(stdout).map((/** @type {any} */ { version, state }) => `${version} ${state}`);
  }
  const lines = (/** @type {string} */ file) =>
    readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('adds the newest release of each minor, beside raw, and names what does not install', async () => {
    const { code, stdout, stderr, temp: used } = await run('--runs', '1');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^2 releases asked for: 1 left out, 1 added\n/);
    assert.match(stdout, /^ ioredis@5\.9\.0 +left out +ioredis@5\.9\.0: built without care$/m);
    assert.match(stdout, /^ ioredis@5\.10\.0 +added +\S+ioredis-5\.10\.0\.ndjson$/m);
    assert.match(stderr, /^ioredis@5\.10\.0: added \S+ioredis-5\.10\.0\.ndjson$/m);
    assert.deepEqual(readdirSync(folder), ['ioredis-5.10.0.ndjson']);
    const [header] = lines('ioredis-5.10.0.ndjson');
    assert.deepEqual(
      header.cells.map((/** @type {any} */ { client, version }) => [client, version]),
      [
        ['raw', null],
        ['ioredis', '5.10.0'],
      ],
    );
    assert.equal(header.suite.id, 'releases');
    assert.deepEqual(leftovers(used), []);
    assert.deepEqual(await states('--newest', '3'), ['5.8.1 missing', '5.9.0 missing', '5.10.0 there']);
    assert.deepEqual(await states('--tasks', '2'), ['5.9.0 missing', '5.10.0 missing']);
  });

  it('begins again what was interrupted, and leaves what is none of its own', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'ioredis-5.10.0.ndjson'), '{"type":"header","cells":7}\n');
    const { args, env } = options('--runs', '10000', '--newest', '1');
    const started = startHere(args, { env });
    await started.says(/round 2 of/);
    started.signal('SIGINT');
    const { code, stdout } = await started.result;
    assert.deepEqual([code, / added /.test(stdout)], [130, false]);
    assert.equal(lines('ioredis-5.10.0-2.ndjson').at(-1).partial, true);

    assert.match((await run('--newest', '1', '--runs', '1')).stdout, /^ ioredis@5\.10\.0 +added /m);
    assert.equal(lines('ioredis-5.10.0-2.ndjson').at(-1).partial, false);
    assert.deepEqual(lines('ioredis-5.10.0.ndjson'), [{ type: 'header', cells: 7 }]);
  });

  it('leaves out, without installing it, a release that lacks the variant', async () => {
    const { stdout } = await run('--clients', 'ioredis@4:resp3', '--dry-run');
    assert.match(stdout, /^ ioredis@4\.20\.0:resp3 +left out +ioredis 4\.20\.0 has no resp3/m);
  });

  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [['--clients', 'raw'], /--clients: 'raw' is part of this tool and has no releases of its own/],
    [['--clients', 'ioredis@latest'], /--clients: expected a client, or a range of its releases/],
    [['--clients', 'ioredis@7'], /--clients: no release of ioredis is '7'/],
    [['--newest', '0'], /--newest: expected a positive whole number, got '0'/],
  ])) {
    it(`refuses ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
    });
  }

  it('refuses a file for a folder', async () => {
    writeFileSync(folder, '');
    const { code, stderr } = await run();
    assert.equal(code, 2);
    assert.match(stderr, /expected a folder for the results, but '.*results' is a file/);
  });
});
