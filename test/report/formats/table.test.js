import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { nameCells } from '../../../src/axes/cell-names.js';
import { renderReport } from '../../../src/commands/render.js';
import { struckRun } from '../../helpers/fault-fixture.js';
import { latencyFixture } from '../../helpers/latency-fixture.js';
import { createFixture, goodRun, mixedReport, REASONS } from '../../helpers/report-fixture.js';
import { versionReport } from '../../helpers/version-fixture.js';

/** @import { Report } from '../../../src/results/types.js' */

const WIDTHS = [160, 100, 76, 72, 60, 40];

/** @param {string} text @param {number} width */
function assertFits(text, width) {
  const long = text.split('\n').filter((line) => [...line].length > width);
  assert.deepEqual(long, [], `lines of more than ${width} characters`);
}

/** @param {number} runs @returns {Promise<Report>} of the default's cells, each slower for a reason of its own */
const defaultReport = (runs) =>
  createFixture({
    given: {
      clients: 'redis,redis:tuned,ioredis',
      scenarios: 'shared-connection,connection-per-task,pool,open-and-close',
      runs,
    },
    measured: (cell) => {
      const averageMs = AVERAGES[`${cell.client}:${cell.variant}`];
      const times = TIMES[cell.scenario];
      const iterations = Math.round(10_000 / times);
      return {
        iterations,
        runs: Array.from({ length: runs }, (_, index) => {
          const run = goodRun(index + 1, {
            tasks: cell.tasks,
            iterations,
            averageMs: averageMs * (1 + ((index * 7 + cell.id.length) % 11) / 100),
            spreadMs: (index * 3 + cell.id.length) % 40,
            warnings: times > 4 ? ['garbage collection took over a tenth of the run'] : [],
          });
          const cpuUsPerOp = (averageMs * times) / 100;
          const opened = cell.scenario === 'open-and-close' ? run.operations : 0;
          const gcPauseMs = averageMs * (cell.client === 'redis' && times > 4 ? 0.3 : 0.01);
          Object.assign(/** @type {object} */ (run.client), { cpuUsPerOp, gcPauseMs });
          Object.assign(/** @type {object} */ (run.server), { connections: opened });
          return { ...run, latency: latencyFixture([20 * times, 40 * times]) };
        }),
      };
    },
  });

/** @type {Record<string, number>} */
const AVERAGES = { 'redis:tuned': 300, 'ioredis:default': 500, 'redis:default': 1200 };
/** @type {Record<string, number>} */
const TIMES = { 'shared-connection': 1, 'connection-per-task': 1.8, pool: 4.5, 'open-and-close': 60 };

/** @param {string} text all of it in one line, as one reads it */
const words = (text) => text.replace(/\s+/g, ' ');

describe('formats/table', () => {
  /** @type {Report} */
  let mixed;
  before(async () => {
    mixed = await mixedReport();
  });

  for (const width of WIDTHS) {
    describe(`at ${width} columns`, () => {
      /** @type {string} */
      let text;
      before(async () => {
        text = await renderReport(mixed, 'table', { color: false, width, details: true });
      });

      it('no line is longer', () => assertFits(text, width));
      it('no line ends with blanks, and there are no codes', () => {
        assert.doesNotMatch(text, /[ \t]+$/m);
        assert.equal(text, stripVTControlCharacters(text));
      });
      it('every cell is there by its name', () => {
        for (const { client, variant, scenario } of mixed.cells) {
          const name = `${client}${variant === 'default' ? '' : `:${variant}`}, ${scenario.replaceAll('-', ' ')}`;
          assert.ok(words(text).includes(name), name);
        }
      });
      it('every run is there', () => {
        const [, behind] = text.split(/seed 42/);
        for (const figure of ['100 (4)', '210 (4)', '420 (4)', '505 (4)'])
          assert.ok(behind.includes(figure), figure);
      });
      it('failed, skipped and not-run cells are shown, with their reasons', () => {
        for (const reason of Object.values(REASONS)) assert.ok(words(text).includes(reason), reason);
        for (const state of ['failed', 'skipped', 'not run'])
          assert.match(text, new RegExp(`\\b${state}\\b`));
      });
      it('it says that the benchmark ended early', () => assert.match(words(text), /ended early/));
      it('it says where the figures come from', () => {
        assert.match(words(text), /Node 8\.15\.0 · redis 6\.3\.1 · managed Redis 5\.0\.5 · 8x Intel/);
        assert.match(words(text), /seed 42/);
        assert.match(words(text), /server on core 0, worker on 1,2,3/);
      });
    });

    it(`at ${width} columns long names and many runs fit too`, async () => {
      const report = await createFixture({
        given: {
          clients: 'ioredis:auto-pipelining,redis',
          scenarios: 'connection-per-task',
          transport: 'tcp,unix',
          tasks: 64,
          size: 100_000_000,
          runs: 30,
        },
        measured: ({ tasks }) => ({
          iterations: 1_000_000,
          runs: Array.from({ length: 30 }, (_, index) =>
            goodRun(index + 1, { tasks, iterations: 1_000_000, averageMs: 123_456 + index, spreadMs: 1234 }),
          ),
        }),
      });
      for (const details of [false, true])
        assertFits(await renderReport(report, 'table', { color: false, width, details }), width);
    });
  }

  describe('what it says', () => {
    /** @type {string} */
    let text;
    /** @type {string} */
    let details;
    before(async () => {
      text = await renderReport(mixed, 'table', { color: false, width: 100 });
      details = await renderReport(mixed, 'table', { color: false, width: 100, details: true });
    });
    const rowOf = (/** @type {string} */ name) =>
      text.split('\n').find((line) => line.trim().startsWith(name)) ?? '';

    it('has the fastest first', () => {
      const order = ['redis:tuned, shared connection', 'redis, shared connection', 'redis, open and close'];
      const places = order.map((name) => text.indexOf(`\n ${name}`));
      assert.deepEqual(
        places,
        [...places].sort((a, b) => a - b),
      );
      assert.match(rowOf('redis:tuned, shared connection'), /\bfastest\b/);
    });
    it('says how many times slower than the fastest the others are', () => {
      // 800 operations in 103 ms (median) against 800 in 212 ms.
      assert.match(rowOf('redis, shared connection'), /\b2\.1x/);
      assert.match(rowOf('redis, open and close'), /\b70x/);
    });
    it('shows operations per second with a bar, and the runs', () => {
      assert.match(rowOf('redis:tuned, shared connection'), /█ *.? +7,767 .*100 \(4\) 101 \(4\) 102 \(4\)/);
      assert.match(rowOf('redis, open and close'), / [▏▎▍▌▋] +110 /);
    });
    it('begins with what to do, how sure that is, and the conditions', () => {
      assert.match(text, /^Share one connection; with redis, turn the per-command timeout off/);
      assert.match(
        words(text),
        /Confidence: chance alone .* in at most 1 in \d+ benchmarks\. Conditions: local server only, TCP, GET, .*ended early\. .* On a local server, .* changes\. More: /,
      );
    });
    it('names no test, and no p, but in the details', () => {
      assert.doesNotMatch(text, /\bp [<=]|Welch|Holm|corrected|interval|Not measured/);
      assert.match(words(details), /Tested: p = .*\(Welch's t-test.* by Holm\).* Not measured: transports/);
      assert.match(
        words(details),
        /± the median's \d+ % interval, slowest to fastest run: 95 % needs --runs 6/,
      );
      assert.match(words(details), /test: Welch's t-test/);
    });
    it('begins with the first screen where it has details, without the line that says how to get them', async () => {
      const asked = { color: false, width: 100, detailsCommand: 'redis-pipe-bench report last --details' };
      const lines = (await renderReport(mixed, 'table', asked)).trimEnd().split('\n');
      assert.equal(
        lines.pop(),
        'More: redis-pipe-bench report last --details (all runs, tests, causes, costs, 1 warning)',
      );
      assert.ok(details.startsWith(`${lines.join('\n')}\n\n`), lines.join('\n'));
    });
    it('shows how far intervals reach', () => {
      // 3 runs: 7,767 operations a second, between 7,692 and 7,843.
      assert.match(rowOf('redis:tuned, shared connection'), /7,767 +1 %/);
    });
    it('has all runs in the details, up to a thousand, and how many more there are', async () => {
      const report = await createFixture({
        given: { clients: 'redis', scenarios: 'pool', runs: 1060 },
        measured: ({ tasks }) => ({
          iterations: 10,
          runs: Array.from({ length: 1060 }, (_, index) =>
            goodRun(index + 1, { tasks, iterations: 10, averageMs: 123 }),
          ),
        }),
      });
      const text = await renderReport(report, 'table', { width: 100, details: true });
      assert.equal(text.match(/123 \(0\)/g)?.length, 1001, 'one of them on the first screen');
      assert.match(text, /\+ 60$/m);
    });
    it('has a sentence for the group in the details', () => {
      assert.match(
        words(details),
        /"redis:tuned, shared connection" is fastest with 7,767 operations per second/,
      );
    });
    it('claims nothing where runs overlap, and says so', async () => {
      const report = await createFixture({
        given: { clients: 'redis,redis:tuned', scenarios: 'shared-connection', runs: 3 },
        measured: ({ tasks, variant }) => ({
          iterations: 100,
          runs: [100, 110, 120].map((averageMs, index) =>
            goodRun(index + 1, {
              tasks,
              iterations: 100,
              averageMs: averageMs + (variant === 'tuned' ? 5 : 0),
            }),
          ),
        }),
      });
      const overlapping = await renderReport(report, 'table', { color: false, width: 100, details: true });
      assert.match(words(overlapping), /no significant difference between them/);
      assert.match(overlapping, /maybe 1\.05x/);
      assert.doesNotMatch(words(overlapping), /is fastest/);
    });
    it('draws no conclusion from a smoke run', async () => {
      const smoke = await renderReport(await mixedReport({ smoke: true }), 'table', {
        color: false,
        width: 100,
        details: true,
      });
      assert.match(words(smoke), /too short to compare/);
      assert.doesNotMatch(words(smoke), /is fastest with/);
    });
  });

  describe('the first screen of the default benchmark', () => {
    for (const runs of [5, 30]) {
      it(`has a line for each of 12 cells of ${runs} runs, and fits 36 lines of 100 columns`, async () => {
        const report = await defaultReport(runs);
        const text = await renderReport(report, 'table', { width: 100 });
        assertFits(text, 100);
        const lines = text.trimEnd().split('\n');
        assert.ok(lines.length <= 36, text);
        for (const name of nameCells(report.cells).values()) {
          const rows = lines.filter((line) => line.startsWith(` ${name}  `));
          assert.equal(rows.length, 1, name);
          assert.match(
            rows[0],
            /[█▏▎▍▌▋▊▉].* [\d,]+ +\d+ % +(fastest|[\d.]+x) +[\d.]+ [µm]s +[\d–]+ \(\d[\d–]*\)$/,
          );
        }
        assert.equal(lines.filter((line) => line.startsWith('- ')).length, 2);
        assert.match(text, /^More: --details \(all runs, tests, causes, costs, 1 warning\)/m);
      });

      it(`has all of ${runs} runs, tests, causes and costs in the details`, async () => {
        const report = await defaultReport(runs);
        const text = await renderReport(report, 'table', { width: 100, details: true });
        assertFits(text, 100);
        const [, behind] = text.split(/seed 42/);
        for (const { runs: each } of report.cells) {
          for (const { averageMs, spreadMs } of each)
            assert.ok(behind.includes(` ${averageMs?.toFixed(0)} (${spreadMs})`), `${averageMs}`);
        }
        const [{ conclusion, explanation }] = report.comparisons;
        for (const sentence of [conclusion, ...explanation, ...report.details])
          assert.ok(words(behind).includes(sentence), sentence);
        assert.match(behind, /client\/op +busy +server\/cmd/);
      });
    }

    it('shows the bars with ASCII where there is nothing else', async () => {
      const text = await renderReport(await defaultReport(5), 'table', { width: 100, unicode: false });
      assert.doesNotMatch(text, /\?|[^\n -~]/);
      assert.match(text, /redis:tuned, shared connection +#+=*-* +\d/);
    });
  });

  describe('colours', () => {
    it('are there when wanted, and change nothing else', async () => {
      for (const width of [100, 72]) {
        const plain = await renderReport(mixed, 'table', { color: false, width });
        const colored = await renderReport(mixed, 'table', { color: true, width });
        assert.notEqual(colored, plain);
        assert.equal(stripVTControlCharacters(colored).replace(/ +$/gm, ''), plain);
      }
    });
    it('end at the end of each line', async () => {
      const colored = await renderReport(mixed, 'table', { color: true, width: 100 });
      for (const line of colored.split('\n')) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what is looked for
        const codes = [...line.matchAll(/\x1b\[(\d+)m/g)].map(([, code]) => Number(code));
        const ends = codes.filter((code) => code === 0 || code === 22 || code === 39).length;
        assert.equal(codes.length, 2 * ends, JSON.stringify(line));
      }
    });
  });

  it('breaks long headings of groups, and marks faults at their time also below one that is longer than its table', async () => {
    const many = { workload: 'mix:get=80,set=15,get@10kb=5', appWork: '0,50us', rtt: '0,2ms', tasks: '8,64' };
    const report = await createFixture({
      given: { clients: 'redis', scenarios: 'pool,shared-connection', ...many },
      measured: ({ tasks }) => ({
        iterations: 100,
        runs: [1, 2].map((round) => goodRun(round, { tasks, iterations: 100, averageMs: 10 + round })),
      }),
    });
    assertFits(await renderReport(report, 'table', { width: 60, unicode: true }), 60);
    const broken = await createFixture({
      given: { clients: 'redis,ioredis', fault: 'failover:500ms,cut', topology: 'cluster', tasks: '8,64' },
      measured: ({ tasks }) => ({
        iterations: null,
        runs: [{ ...goodRun(1, { tasks, iterations: 100, averageMs: 10 }), fault: struckRun({}) }],
      }),
    });
    const lines = (await renderReport(broken, 'table', { width: 160, unicode: true })).split('\n');
    const at = Number(lines.find((line) => line.includes('over time'))?.indexOf('over time'));
    const marked = lines.filter((line) => line.includes('▼') && !line.includes('the fault'));
    assert.deepEqual(
      marked.map((line) => line.indexOf('▼') - at),
      [9, 9, 9, 9],
    );
  });

  it('keeps the ratios of a metric in its table', async () => {
    const report = await versionReport('redis@5.12.1,redis@6.3.1');
    const narrow = await renderReport(report, 'table', { width: 80 });
    assert.match(narrow, / ops\/s +vs newest +vs prior\n[\s\S]* client\/op +vs newest +vs prior\n/);
  });

  it('names each server where there are two', async () => {
    const [server] = mixed.servers;
    const text = await renderReport(
      { ...mixed, servers: [server, { ...server, version: '7.0.15', mode: 'cluster' }] },
      'table',
    );
    assert.match(words(text), /managed Redis 5\.0\.5 \(standalone\) · managed Redis 7\.0\.15 \(cluster\)/);
  });

  it('names the package of a client, also where it has a scope, and of no other', async () => {
    const packages = { redis: '2.8.0', '@valkey/valkey-glide': '2.5.2', iovalkey: '0.4.0' };
    const report = await createFixture({
      given: { clients: 'redis,valkey-glide', scenarios: 'pool' },
      packages,
      measured: () => null,
    });
    const text = await renderReport(report, 'table');
    assert.match(words(text), /redis 2\.8\.0 · @valkey\/valkey-glide 2\.5\.2 · managed/);
    assert.doesNotMatch(text, /iovalkey/);
  });
});
