import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStarted, runCli, STATE } from '../helpers/cli.js';

const CELLS = [
  '--clients',
  'redis,ioredis',
  '--scenarios',
  'shared-connection',
  '--size',
  '10',
  '--runs',
  '3',
  '--starts',
  '3',
  '--iterations',
  '20',
  '--pin',
  'off',
  '--no-profile',
];

describe('end to end: compare', () => {
  /** @type {string} */
  let folder;
  /** @param {string} name */
  const file = (name) => join(folder, name);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-compare-'));
    const { code, stderr } = await runCli([...CELLS, '--format', 'json', '--output', file('base.json')]);
    assert.equal(code, 0, stderr);
    const base = JSON.parse(readFileSync(file('base.json'), 'utf8'));
    // What is tested is what is said of figures; those of a busy machine would hide that one is half the other.
    for (const { runs } of base.cells) {
      for (const run of runs) run.opsPerSecond = 50_000 + 100 * run.round;
    }
    writeFileSync(file('base.json'), JSON.stringify(base));
    const slow = structuredClone(base);
    for (const { client, runs } of slow.cells) {
      if (client !== 'redis') continue;
      for (const run of runs) run.opsPerSecond /= 2;
    }
    writeFileSync(file('slow.json'), JSON.stringify(slow));
    copyFileSync(file('base.json'), file('same.json'));
    writeFileSync(file('broken.json'), '{"schemaVersion": 1,');
    writeFileSync(file('other.json'), '{"name": "another tool"}');
    const other = JSON.parse(readFileSync(file('base.json'), 'utf8'));
    for (const cell of other.cells) cell.tasks++;
    writeFileSync(file('elsewhere.json'), JSON.stringify(other));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(endStarted);

  it('prints old, new, ratio, interval and p for each cell', async () => {
    const { code, stdout, stderr } = await runCli(['compare', file('base.json'), file('slow.json')]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /GET, keys of 10 and values of 10|keys and values of 10 characters/);
    assert.match(
      stdout,
      /redis, shared connection +[\d,]+ +[\d,]+ +0\.50x +0\.\d\d – 0\.\d\d +(0\.\d{3}|<0\.001)/,
    );
    assert.match(stdout, /ioredis, shared connection +[\d,]+ +[\d,]+ +~ 1\.00x/);
    assert.match(stdout, /geometric mean of the ratios: 0\.707x/);
    assert.match(stdout, /test: t-test of the logarithms of each start.* p corrected for\s+2\s+comparisons/);
  });

  it('takes the last saved result by that name, and writes to a file', async () => {
    const { temp } = await runCli([...CELLS, '--runs', '1', '--starts', '1']);
    const env = { XDG_STATE_HOME: join(temp, STATE) };
    const output = file('comparison.md');
    const { code, stdout, stderr } = await runCli(
      ['compare', file('base.json'), 'last', '--format', 'markdown', '--output', output],
      { env },
    );
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(readFileSync(output, 'utf8'), /redis, shared connection/);
    const nowhere = await runCli(['compare', file('base.json'), 'last']);
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.stderr, /there is no last result/);
  });

  it('as json, markdown and csv too', async () => {
    const print = async (/** @type {string} */ format) => {
      const { code, stdout } = await runCli([
        'compare',
        file('base.json'),
        file('slow.json'),
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
    assert.match(await print('markdown'), /^\| redis, shared connection \| [\d,]+ \| [\d,]+ \| 0\.50x \|/m);
    const [head, first] = (await print('csv')).split('\r\n').map((line) => line.split(','));
    assert.equal(head.length, first.length);
    assert.equal(first[head.indexOf('differs')], 'true');
  });

  it('exits 5 for a regression, with both figures, and 0 where there is none', async () => {
    const worse = await runCli([
      'compare',
      file('base.json'),
      file('slow.json'),
      '--fail-on',
      'regression:5%',
    ]);
    assert.equal(worse.code, 5);
    assert.match(
      worse.stderr,
      /regression: redis, shared connection .*: [\d,]+ → [\d,]+ ops\/s, 50\.0 % worse/,
    );
    assert.match(worse.stderr, /1 of 2 cells are worse by 5 % or more/);
    const same = await runCli([
      'compare',
      file('base.json'),
      file('same.json'),
      '--fail-on',
      'regression:5%',
    ]);
    assert.deepEqual([same.code, same.stderr], [0, '']);
    const better = await runCli([
      'compare',
      file('slow.json'),
      file('base.json'),
      '--fail-on',
      'regression:5%',
    ]);
    assert.equal(better.code, 0);
    const lax = await runCli([
      'compare',
      file('base.json'),
      file('slow.json'),
      '--fail-on',
      'regression:60%',
    ]);
    assert.equal(lax.code, 0);
  });

  for (const [what, args, message] of /** @type {[string, string[], RegExp][]} */ ([
    ['a missing file', ['base.json', 'none.json'], /expected a result of this tool, but '.*none\.json'/],
    ['a file that is cut off', ['base.json', 'broken.json'], /expected a result.*broken\.json/],
    ['a file of another tool', ['other.json', 'base.json'], /expected a result.*other\.json/],
    ['two results with nothing in common', ['base.json', 'elsewhere.json'], /no cell in common/],
  ])) {
    it(`refuses ${what}`, async () => {
      const { code, stdout, stderr } = await runCli(['compare', ...args.map(file)]);
      assert.equal(code, 2);
      assert.match(stderr, message);
      assert.equal(stdout, '');
      assert.equal(stderr.trim().split('\n').length, 1);
    });
  }

  it('refuses wrong options, naming them', async () => {
    for (const [option, value, message] of [
      ['--metric', 'speed', /--metric.*opsPerSecond/],
      ['--fail-on', '5%', /--fail-on.*regression:5%.*got '5%'/],
      ['--format', 'xml', /--format.*table/],
    ]) {
      const { code, stderr } = await runCli([
        ...['compare', file('base.json'), file('same.json'), String(option), String(value)],
      ]);
      assert.equal(code, 2);
      assert.match(stderr, /** @type {RegExp} */ (message));
    }
    assert.equal((await runCli(['compare', file('base.json')])).code, 2);
  });
});
