import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { renderReport } from '../../../src/index.js';
import { createFixture, goodRun, mixedReport, REASONS } from '../../helpers/report-fixture.js';

/** @import { Report } from '../../../src/results/types.js' */

const WIDTHS = [160, 100, 76, 72, 60, 40];

/** @param {string} text @param {number} width */
function assertFits(text, width) {
  const long = text.split('\n').filter((line) => [...line].length > width);
  assert.deepEqual(long, [], `lines of more than ${width} characters`);
}

/** @param {string} text all of it in one line, as one reads it */
const words = (text) => text.replace(/\s+/g, ' ');

describe('formats/table', () => {
  /** @type {Report} */
  let mixed;
  before(async () => {
    mixed = await mixedReport();
  });

  it('gives runs a table of their own where one a line would fit beside the rest', async () => {
    const lines = (await renderReport(mixed, 'table', { color: false, width: 80 })).split('\n');
    const runs = lines.findIndex((line) => line.includes('average (spread) of each run, ms'));
    assert.doesNotMatch(lines[runs], /ops\/s/);
    assert.ok(lines.slice(runs).some((line) => /100 \(4\) +101 \(4\) +102 \(4\)/.test(line)));
  });

  for (const width of WIDTHS) {
    describe(`at ${width} columns`, () => {
      /** @type {string} */
      let text;
      before(async () => {
        text = await renderReport(mixed, 'table', { color: false, width });
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
      it('every figure is there', () => {
        for (const figure of ['100 (4)', '210 (4)', '420 (4)', '505 (4)'])
          assert.ok(text.includes(figure), figure);
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
      assertFits(await renderReport(report, 'table', { color: false, width }), width);
    });
  }

  describe('what it says', () => {
    /** @type {string} */
    let text;
    before(async () => {
      text = await renderReport(mixed, 'table', { color: false, width: 100 });
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
    it('shows iterations and operations a second', () => {
      assert.match(rowOf('redis:tuned, shared connection'), /\b100 +7,767\b/);
      assert.match(rowOf('redis, open and close'), /\b7 +110\b/);
    });
    it('begins with what to do', () => {
      assert.match(text, /^Share one connection; with redis, turn the per-command timeout off/);
      assert.match(words(text), /How sure: p .* Not measured: .*ended early\./);
    });
    it('shows how far intervals reach, and what they cover', () => {
      // 3 runs: 7,767 operations a second, between 7,692 and 7,843.
      assert.match(rowOf('redis:tuned, shared connection'), /7,767 +1 %/);
      assert.match(words(text), /± the median's \d+ % interval, slowest to fastest run: 95 % needs --runs 6/);
    });
    it('says which test was used', () => assert.match(words(text), /test: Welch's t-test/));
    it('shows as many runs as fit on a screen, and how many more there are', async () => {
      const report = await createFixture({
        given: { clients: 'redis', scenarios: 'pool', runs: 1060 },
        measured: ({ tasks }) => ({
          iterations: 10,
          runs: Array.from({ length: 1060 }, (_, index) =>
            goodRun(index + 1, { tasks, iterations: 10, averageMs: 123 }),
          ),
        }),
      });
      const text = await renderReport(report, 'table', { width: 100 });
      assert.equal(text.match(/123 \(0\)/g)?.length, 60);
      assert.match(text, /\+ 1,000$/m);
    });
    it('ends with a sentence for the group', () => {
      assert.match(words(text), /"redis:tuned, shared connection" is fastest with 7,767 operations a second/);
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
      const overlapping = await renderReport(report, 'table', { color: false, width: 100 });
      assert.match(words(overlapping), /no difference between them can be claimed/);
      assert.match(overlapping, /~ 1\.05x/);
      assert.doesNotMatch(words(overlapping), /is fastest/);
    });
    it('draws no conclusion from a smoke run', async () => {
      const smoke = await renderReport(await mixedReport({ smoke: true }), 'table', {
        color: false,
        width: 100,
      });
      assert.match(words(smoke), /too short to conclude/);
      assert.doesNotMatch(words(smoke), /is fastest with/);
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
