import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readReport } from '../../src/cli/render.js';
import { runMain } from '../helpers/main.js';

/** @import { Report } from '../../src/store/types.js' */

/** A default benchmark of four starts. */
const SAVED = new URL('../corpus/saved/default.ndjson.gz', import.meta.url);

describe('end to end: compare', () => {
  /** @type {string} */
  let folder;
  /** @param {string} name */
  const file = (name) => join(folder, name);
  /** @type {Map<string, Report>} by file */
  const saved = new Map();
  /** @param {string} name @param {Report} report */
  function save(name, report) {
    saved.set(name, report);
    const { cells, finishedAt: at } = report;
    const records = cells.flatMap(({ id, iterations, effectiveOptions, runs }) => [
      { type: 'cell', cell: id, iterations, effectiveOptions },
      ...runs.map((run) => ({ type: 'run', cell: id, at, run })),
    ]);
    const lines = [{ type: 'header', ...report }, ...records, { ...report, type: 'end' }];
    writeFileSync(file(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-compare-'));
    writeFileSync(file('saved.ndjson'), gunzipSync(readFileSync(SAVED)));
    const base = await readReport(file('saved.ndjson'));
    base.cells = base.cells.filter(
      ({ scenario, variant }) => scenario === 'shared-connection' && variant === 'default',
    );
    // What is tested is what is said of figures; those that were measured differ by chance.
    for (const { runs } of base.cells) {
      for (const run of runs) {
        run.opsPerSecond = 50_000 + 100 * run.round;
        for (const slice of run.slices ?? []) slice.disturbed = false;
      }
    }
    save('base.ndjson', base);
    const slow = structuredClone(base);
    for (const { client, runs } of slow.cells) {
      if (client !== 'redis') continue;
      for (const run of runs) run.opsPerSecond = Number(run.opsPerSecond) / 2;
    }
    save('slow.ndjson', slow);
    copyFileSync(file('base.ndjson'), file('same.ndjson'));
    writeFileSync(file('broken.ndjson'), '{"schemaVersion": 1,');
    writeFileSync(file('other.ndjson'), '{"name": "another tool"}');
    for (const name of ['base', 'slow']) {
      const report = structuredClone(/** @type {any} */ (saved.get(`${name}.ndjson`)));
      const [{ runs }] = report.cells.filter((/** @type {any} */ cell) => cell.client === 'redis');
      // Most of its slices, not all.
      for (const { slices } of runs.slice(1)) {
        for (const slice of slices) {
          Object.assign(slice, { disturbed: true, waitedMs: slice.elapsedMs / 2 });
        }
      }
      save(`busy-${name}.ndjson`, report);
    }
    const other = structuredClone(base);
    for (const cell of other.cells) cell.tasks++;
    save('elsewhere.ndjson', other);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the last saved result by that name, and writes to a file', async () => {
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    const results = join(folder, 'state', 'redis-pipe-bench');
    mkdirSync(results, { recursive: true });
    copyFileSync(file('saved.ndjson'), join(results, '2026-11-22T23-31-33-000Z-1.ndjson'));
    const output = file('comparison.md');
    const { code, stdout, stderr } = await runMain(
      ['compare', file('base.ndjson'), 'last', '--format', 'markdown', '--output', output],
      env,
    );
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(readFileSync(output, 'utf8'), /redis, shared connection/);
    const nowhere = await runMain(['compare', file('base.ndjson'), 'last']);
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.stderr, /there is no saved result/);
  });

  it('as json, markdown and csv too', async () => {
    const print = async (/** @type {string} */ format) => {
      const { code, stdout } = await runMain([
        'compare',
        file('base.ndjson'),
        file('slow.ndjson'),
        '--format',
        format,
      ]);
      assert.equal(code, 0);
      return stdout;
    };
    const { cells } = JSON.parse(await print('json'));
    assert.deepEqual(
      cells.map((/** @type {any} */ { contrast }) => contrast.differs),
      [true, false],
    );
    assert.match(
      await print('markdown'),
      /^\| redis, shared connection \| worse \| 0\.50x \(0\.49–0\.51\) \| [\d,]+ \| [\d,]+ \|/m,
    );
    const [head, first] = (await print('csv')).split('\r\n').map((line) => line.split(','));
    assert.equal(head.length, first.length);
    assert.equal(first[head.indexOf('differs')], 'true');
  });

  it('exits 5 for a regression, with both figures, and 0 where there is none', async () => {
    const worse = await runMain([
      'compare',
      file('base.ndjson'),
      file('slow.ndjson'),
      '--fail-on',
      'regression:5%',
    ]);
    assert.equal(worse.code, 5);
    assert.match(
      worse.stderr,
      /regression: redis, shared connection .*: [\d,]+ → [\d,]+ ops\/s, 50\.0 % worse/,
    );
    assert.match(worse.stderr, /worse by more than 5 %: 1 of 2 cells/);
    const same = await runMain([
      'compare',
      file('base.ndjson'),
      file('same.ndjson'),
      '--fail-on',
      'regression:5%',
    ]);
    assert.deepEqual([same.code, same.stderr], [0, '']);
    const better = await runMain([
      'compare',
      file('slow.ndjson'),
      file('base.ndjson'),
      '--fail-on',
      'regression:5%',
    ]);
    assert.equal(better.code, 0);
    const lax = await runMain([
      'compare',
      file('base.ndjson'),
      file('slow.ndjson'),
      '--fail-on',
      'regression:60%',
    ]);
    assert.equal(lax.code, 0);
  });

  it('with --fail-on exits 6 where a result has a single run, which shows no change and rules out none', async () => {
    const single = structuredClone(/** @type {any} */ (saved.get('slow.ndjson')));
    for (const { client, runs } of single.cells) if (client === 'redis') runs.splice(1);
    save('single.ndjson', single);
    const { code, stdout, stderr } = await runMain([
      ...['compare', file('base.ndjson'), file('single.ndjson'), '--fail-on', 'regression:5%'],
    ]);
    assert.equal(code, 6, stderr);
    assert.match(
      stderr,
      /^not judged, because one of the results has too few runs or starts of it: redis, /m,
    );
    assert.match(
      stderr,
      /^redis-pipe-bench: not compared: 1 of 2 cells; measure both with more --starts or/m,
    );
    assert.match(stdout, /redis, shared connection +not compared +[\d,]+ +[\d,]+ *$/m);
  });

  describe('where other programs kept a cell waiting, --fail-on', () => {
    const NOT_JUDGED = /^not judged, because it waited for CPU: redis, shared connection \(/m;
    const COUNT =
      /^redis-pipe-bench: not judged: 1 of 2 cells; measure again on a quiet machine, or with a higher CPU limit$/m;

    for (const [what, base, next] of [
      ['exits 6: in the base', 'busy-base', 'slow'],
      ['exits 6: in the new result', 'base', 'busy-slow'],
      ['exits 6: even if it is as fast as before', 'base', 'busy-base'],
    ]) {
      it(what, async () => {
        const { code, stdout, stderr } = await runMain([
          ...['compare', file(`${base}.ndjson`), file(`${next}.ndjson`), '--fail-on', 'regression:5%'],
        ]);
        assert.equal(code, 6, stderr);
        assert.match(stderr, NOT_JUDGED);
        assert.match(stderr, COUNT);
        assert.doesNotMatch(stderr, /regression: /);
        assert.match(stdout, /redis, shared connection +not judged +[\d,]+ +[\d,]+ *$/m);
      });
    }

    it('exits 5 where another cell is worse all the same', async () => {
      const slower = structuredClone(/** @type {any} */ (saved.get('busy-base.ndjson')));
      for (const { client, runs } of slower.cells)
        if (client === 'ioredis') for (const run of runs) run.opsPerSecond /= 2;
      save('busy-slower.ndjson', slower);
      const { code, stderr } = await runMain([
        ...['compare', file('base.ndjson'), file('busy-slower.ndjson'), '--fail-on', 'regression:5%'],
      ]);
      assert.equal(code, 5, stderr);
      assert.match(stderr, NOT_JUDGED);
      assert.match(
        stderr,
        /^regression: ioredis, shared connection .* 50\.0 % worse \(49\.\d % to 50\.\d %\)$/m,
      );
    });

    it('exits 0 for what other programs do not change', async () => {
      const { code, stderr } = await runMain([
        ...['compare', file('base.ndjson'), file('busy-base.ndjson'), '--fail-on', 'regression:50%'],
        ...['--metric', 'allocatedBytesPerOp'],
      ]);
      assert.equal(code, 0, stderr);
    });
  });

  for (const [what, args, message] of /** @type {[string, string[], RegExp][]} */ ([
    [
      'a missing file',
      ['base.ndjson', 'none.ndjson'],
      /expected a result of this tool, but '.*none\.ndjson'/,
    ],
    ['a file that is cut off', ['base.ndjson', 'broken.ndjson'], /expected a result.*broken\.ndjson/],
    ['a file of another tool', ['other.ndjson', 'base.ndjson'], /expected a result.*other\.ndjson/],
    ['two results with nothing in common', ['base.ndjson', 'elsewhere.ndjson'], /no cell in common/],
  ])) {
    it(`refuses ${what}`, async () => {
      const { code, stdout, stderr } = await runMain(['compare', ...args.map(file)]);
      assert.equal(code, 2);
      assert.match(stderr, message);
      assert.equal(stdout, '');
      assert.equal(stderr.trim().split('\n').length, 1);
    });
  }
});
