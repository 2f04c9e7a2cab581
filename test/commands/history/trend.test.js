import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readSeries } from '../../../src/commands/history/trend.js';
import { runMain } from '../../helpers/main.js';
import { changedFiles, savedText, withFolder } from '../../helpers/series-fixture.js';

/** @import { SeriesSet } from '../../../src/commands/history/trend.js' */

const metrics = ['cpuUsPerOp'];

/** @param {SeriesSet} set @returns {(string | null | number)[][][]} file, release and figure of each point */
const pointsIn = ({ series }) =>
  series.map(({ points }) => points.map(({ file, release, value }) => [file, release, value]));

/** @param {string[]} asked releases of redis */
const releases = (...asked) => ({
  clients: asked.map((version) => `redis@${version}`).join(),
  sources: {
    releases: new Map(
      asked.map((version) => [
        `redis@${version}`,
        { package: 'redis', version, path: null, entry: 'file:///x.js', commit: null },
      ]),
    ),
  },
});

describe('commands/history/trend', () => {
  it('orders points by time, and knows which release was installed then', () =>
    withFolder(
      {
        'b.ndjson': { day: 1, cpu: () => 10, packages: { redis: '5.12.1' } },
        'a.ndjson': { day: 2, cpu: () => 20 },
      },
      async (folder) => {
        const set = await readSeries(folder, { metrics });
        assert.equal(set.order, 'time');
        assert.deepEqual(pointsIn(set), [
          [
            ['b.ndjson', '5.12.1', 10],
            ['a.ndjson', '6.3.1', 20],
          ],
        ]);
        assert.deepEqual(set.leftOut, []);
      },
    ));

  it('orders releases that were asked for, whenever they were measured, in one result or several', () =>
    withFolder(
      {
        'a.ndjson': { day: 1, ...releases('6.3.1', '5.9.0') },
        'b.ndjson': { day: 2, ...releases('5.10.0') },
        'c.ndjson': { day: 3, ...releases('6.3.1') },
      },
      async (folder) => {
        const set = await readSeries(folder, { metrics });
        assert.equal(set.order, 'release');
        assert.deepEqual(
          set.series[0].points.map(({ file, release }) => `${release} ${file}`),
          ['5.9.0 a.ndjson', '5.10.0 b.ndjson', '6.3.1 a.ndjson', '6.3.1 c.ndjson'],
        );
        const inTime = await readSeries(folder, { metrics, order: 'time' });
        assert.deepEqual(
          inTime.series.map(({ points }) => points.map(({ release }) => release)),
          [['6.3.1', '6.3.1'], ['5.9.0'], ['5.10.0']],
        );
      },
    ));

  it('never joins what was measured under different conditions', () =>
    withFolder(
      {
        'a.ndjson': { day: 1 },
        'b.ndjson': {
          day: 2,
          change: ({ environment }) => Object.assign(environment, { cpuModel: 'another' }),
        },
        'c.ndjson': { day: 3, change: ({ environment }) => Object.assign(environment, { node: '99.0.0' }) },
        'd.ndjson': { day: 4, change: ({ tool }) => Object.assign(tool, { version: '99.0.0' }) },
        'e.ndjson': { day: 5, change: ({ servers: [server] }) => Object.assign(server, { version: '99' }) },
        'f.ndjson': { day: 6 },
      },
      async (folder) => {
        const set = await readSeries(folder, { metrics });
        assert.deepEqual(
          set.series.map(({ points }) => points.map(({ file }) => file)),
          [['a.ndjson', 'f.ndjson'], ['b.ndjson'], ['c.ndjson'], ['d.ndjson'], ['e.ndjson']],
        );
        assert.equal(set.conditions[1].machine?.processor, 'another');
      },
    ));

  it('says what it leaves out, and why', async () => {
    const copy = await savedText({ day: 1 });
    await withFolder(
      {
        'a.ndjson': copy,
        'copy.ndjson': copy,
        'smoke.ndjson': { day: 2, change: ({ settings }) => Object.assign(settings, { smoke: true }) },
        'zero.ndjson': { day: 3, cpu: () => 0 },
        'broken.ndjson': `${copy}{}\n`,
        'empty.ndjson': '',
        'package.json': '{}',
        'notes.txt': 'are no result',
        'evil\u001b[2J.ndjson': 'nothing',
      },
      async (folder) => {
        symlinkSync('/dev/zero', join(folder, 'zeros.ndjson'));
        symlinkSync('nowhere', join(folder, 'gone.ndjson'));
        const { leftOut, series } = await readSeries(folder, { metrics });
        assert.deepEqual(
          leftOut.map(({ file, reason }) => [file, reason]),
          [
            ...['broken', 'empty', 'evil\u001b[2J', 'gone'].map((name) => [`${name}.ndjson`, 'unreadable']),
            ['zeros.ndjson', 'unreadable'],
            ['copy.ndjson', 'copy'],
            ['smoke.ndjson', 'smoke'],
            ['zero.ndjson', 'no-figures'],
          ],
        );
        assert.match(String(leftOut[0].why), /goes on after its end/);
        assert.match(String(leftOut[4].why), /not a regular file/);
        assert.deepEqual(
          series.flatMap(({ points }) => points.map(({ file }) => file)),
          ['a.ndjson'],
        );
      },
    );
  });

  it('fails for a folder without results alone', async () => {
    await withFolder({ 'notes.txt': '' }, (folder) =>
      assert.rejects(readSeries(folder), /has no \.ndjson file/),
    );
    await assert.rejects(readSeries('/nowhere'), /'\/nowhere' cannot be read/);
  });

  describe('on the command line', () => {
    /** A step of ioredis in the sixth of twelve results, and a file with a hostile name. */
    const files = {
      ...changedFiles(),
      'x\u001b[2J<b>|.ndjson': 'nothing',
    };
    const command = ['--metric', 'cpuUsPerOp'];

    it('prints what changed in every format, with nothing of a hostile name as it is', () =>
      withFolder(files, async (folder) => {
        /** @type {Record<string, string>} */
        const printed = {};
        for (const format of ['table', 'json', 'markdown', 'html']) {
          const { code, stdout, stderr } = await runMain(['trend', folder, ...command, '--format', format]);
          assert.deepEqual([code, stderr], [0, ''], format);
          assert.ok(!stdout.includes('\u001b'), format);
          printed[format] = stdout;
        }
        assert.match(printed.table, /2026-01-06 5\.ndjson +client CPU\/op .* 3\.0x worse/);
        assert.match(printed.table, /1 file left out: cannot be read: x\\x1b\[2J<b>\|\.ndjson/);
        assert.match(printed.markdown, /\| 2026-01-06 5\.ndjson \| client CPU\/op \|/);
        assert.ok(!printed.html.includes('<b>'));
        assert.match(printed.html, /3\.0x worse/);
        const { changes, series } = JSON.parse(printed.json);
        assert.deepEqual(
          changes.map((/** @type {any} */ { since, cell }) => [since.file, cell]),
          [['5.ndjson', changes[0].cell]],
        );
        assert.equal(series[0].points.length, 12);
      }));

    it('refuses metrics that cannot be followed, and to write over what it reads', () =>
      withFolder({ '0.ndjson': { day: 1 } }, async (folder) => {
        for (const [args, message] of /** @type {const} */ ([
          [['--metric', 'nonsense'], /--metric: expected one of/],
          [['--metric', 'averageMs'], /averageMs grows with the length of a run/],
          [['--by', 'size'], /--by/],
          [['--output', join(folder, '0.ndjson')], /is also read/],
        ])) {
          const { code, stderr } = await runMain(['trend', folder, ...args]);
          assert.equal(code, 2);
          assert.match(stderr, message);
        }
      }));
  });
});
