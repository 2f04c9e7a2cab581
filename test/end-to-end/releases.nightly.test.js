import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStarted, leftovers, runCli, STATE, startHere } from '../helpers/cli.js';
import { clientReleases, skipMissing } from '../helpers/client-releases.js';
import { runMain } from '../helpers/main.js';
import { OFFLINE } from '../helpers/npm-registry.js';
import { schemaErrors } from '../helpers/report-shapes.js';

const { missing } = await clientReleases();
const SHORT = [
  ...['--scenarios', 'shared-connection', '--size', '10', '--pin', 'off', '--no-profile'],
  ...['--runs', '2', '--starts', '1', '--warmup-runs', '0', '--iterations', '50'],
];

describe('releases side by side', () => {
  /** @type {string} */
  let temp;
  beforeEach(() => {
    temp = mkdtempSync(join(tmpdir(), 'rpb-e2e-'));
  });
  afterEach(async () => {
    await endStarted();
    rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
  });

  skipMissing(missing);

  it('the results have the exact version of each, and the table has them in order', async function () {
    if (missing.length > 0) this.skip();
    const args = ['--clients', 'redis@5,redis@4,redis', ...SHORT];
    const json = await runCli([...args, '--format', 'json']);
    assert.equal(json.code, 0, json.stderr);
    const report = JSON.parse(json.stdout);
    assert.deepEqual(schemaErrors(report), []);
    const [five, four, plain] = report.cells;
    assert.match(five.version, /^5\.\d+\.\d+$/);
    assert.match(four.id, /^redis@4\.\d+\.\d+:default\//);
    assert.deepEqual([plain.version, plain.release.entry], [null, null]);
    assert.equal(plain.release.version, report.environment.packages.redis);
    for (const cell of [five, four]) assert.ok(cell.release.entry.includes(`redis@${cell.version}`));
    // What a release really uses shows that it is another one: only redis 6 limits the time of a command.
    assert.deepEqual(
      report.cells.map((/** @type {any} */ cell) => cell.effectiveOptions.commandOptions.timeout),
      [null, null, 5000],
    );

    const env = { XDG_STATE_HOME: join(json.temp, STATE) };
    const { stdout } = await runMain(['report', 'last', '--format', 'markdown'], env);
    const versions = stdout.slice(stdout.search(/\| ops\/s \| (ops|client)\//));
    const order = [...versions.matchAll(/^\| redis@<!-- -->(\d)\.\S+, shared connection \|/gm)];
    assert.deepEqual(
      order.slice(0, 3).map(([, major]) => major),
      ['4', '5', '6'],
    );
  });

  it('node-redis 3 and 4.0 are measured through the files that the refusal names', async () => {
    for (const [release, file] of [
      ['redis@3.1.2', 'redis-v3.js@3.1.2'],
      ['redis@4.0.4', 'redis-v4-0.js@4.0.4'],
      ['redis@4.6.4', 'redis-v4-0.js@4.6.4'],
    ]) {
      const refused = await runCli(['--clients', release, ...SHORT]);
      assert.equal(refused.code, 2);
      const [, client] = /--clients (\S+)/.exec(refused.stderr) ?? [];
      assert.ok(client?.endsWith(`examples/clients/${file}`), refused.stderr);
      const args = ['--clients', client, '--pipelining', 'implicit,explicit:10', ...SHORT];
      const { code, stdout, stderr } = await runCli([...args, '--format', 'json']);
      assert.equal(code, 0, stderr);
      const { cells } = JSON.parse(stdout);
      assert.deepEqual(
        cells.map((/** @type {any} */ { skipped, runs }) => [skipped ?? null, runs.length > 0]),
        [
          [null, true],
          [null, true],
        ],
      );
    }
  });

  it('an older release without a variant is skipped, with the reason', async function () {
    if (missing.length > 0) this.skip();
    const { code, stdout } = await runCli(['--clients', 'redis@4:tuned,redis:tuned', ...SHORT]);
    assert.equal(code, 0);
    assert.match(
      stdout.replace(/\s+/g, ' '),
      /skipped: redis 4\.\d+\.\d+ has no tuned: that came with 5\.6\.0/,
    );
  });

  it('a release is installed once', async function () {
    const env = { XDG_CACHE_HOME: temp };
    const install = await runCli(['--clients', 'ioredis@5.0.0', ...SHORT], { env });
    if (/cannot be reached/.test(install.stderr)) this.skip();
    assert.equal(install.code, 0, install.stderr);
    assert.match(install.stderr, /^installing ioredis@5\.0\.0 into .*, once$/m);
    const again = await runCli(['--clients', 'ioredis@5.0.0', ...SHORT], { env: { ...env, ...OFFLINE } });
    assert.equal(again.code, 0, again.stderr);
    assert.doesNotMatch(again.stderr, /installing/);
  });

  describe('bisect', () => {
    const FROM_5_TO_6 = ['bisect', '--client', 'redis', '--from', '5.12.1', '--to', '6.0.0'];

    it('--dry-run prints the releases between the two, without prereleases, and measures nothing', async function () {
      if (missing.length > 0) this.skip();
      const { code, stdout, stderr } = await runCli([
        'bisect',
        '--client',
        'redis',
        '--from',
        '4.7.1',
        '--to',
        '5.1.0',
        '--dry-run',
      ]);
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /^4 releases of redis/);
      assert.deepEqual(stdout.match(/\d+\.\d+\.\d+[^\s,]*/g), ['4.7.1', '5.0.0', '5.0.1', '5.1.0']);
    });

    it('says where the ends do not differ, or names the first release on the other side', async function () {
      if (missing.length > 0) this.skip();
      this.timeout(240_000);
      const { code, stdout, stderr } = await runCli(
        [
          ...[...FROM_5_TO_6, '--runs', '4', '--iterations', '80', '--warmup-runs', '0'],
          ...['--size', '10', '--pin', 'off'],
        ],
        { withinMs: 110_000 },
      );
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^Confidence: 6\.0\.0 has .*x/m, 'as soon as it is known');
      assert.match(stdout, /^Confidence: 6\.0\.0 has .*x.* the client CPU\/op of 5\.12\.1/m);
      assert.match(stdout, /\n\n release .*\n─+\n 5\.12\.1 .*older end\n 6\.0\.0 .*newer end\n/);
      // Each command of redis 6 has a timer by default: several times the CPU, which beside other work may not be carried.
      const [, p] = /,\sp\s[=<]\s([\d.]+)/.exec(stdout) ?? [];
      assert.match(
        stdout,
        Number(p) < 0.05
          ? /^The change came with redis 6\.0\.0: client CPU\/op .* µs instead of .* µs in 5\.12\.1\./m
          : /^Not decided: no difference in client CPU\/op is proven between redis 5\.12\.1 and/m,
      );
    });

    it('Ctrl-C ends it with 130', async function () {
      if (missing.length > 0) this.skip();
      const cli = startHere([
        ...[...FROM_5_TO_6, '--runs', '500', '--starts', '1', '--iterations', '50', '--pin', 'off'],
      ]);
      await cli.says(/round 1 of/);
      cli.signal('SIGINT');
      const { code, temp: used } = await cli.result;
      assert.equal(code, 130);
      assert.deepEqual(leftovers(used), []);
    });
  });
});
