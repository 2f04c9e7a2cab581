import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { renderReport } from '../../src/cli/render.js';
import { createFixture, goodRun, mixedReport, REASONS } from '../helpers/report-fixture.js';

/** @import { Report } from '../../src/store/types.js' */

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
        const [, behind] = text.split('All runs');
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
        assert.match(words(text), /Node 8\.15\.0 · redis 6\.3\.1 · 8x Intel/);
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
    let details;
    before(async () => {
      details = await renderReport(mixed, 'table', { color: false, width: 100, details: true });
    });
    it('begins with the first screen where it has details, without the line that says how to get them', async () => {
      const asked = { color: false, width: 100, detailsCommand: 'redis-pipe-bench report last --details' };
      const lines = (await renderReport(mixed, 'table', asked)).trimEnd().split('\n');
      const more = lines.findIndex((line) => line.startsWith('More: '));
      assert.match(
        lines.splice(more).join(' '),
        /^More: redis-pipe-bench report last --details \(.*all runs, tests, causes, .*\d warnings?\)$/,
      );
      for (const line of lines.filter((each) => !each.startsWith(' … ')))
        assert.ok(details.includes(line), line);
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

  it('breaks long headings of groups', async () => {
    const many = { workload: 'mix:get=80,set=15,get@10kb=5', appWork: '0,50us', rtt: '0,2ms', tasks: '8,64' };
    const report = await createFixture({
      given: { clients: 'redis', scenarios: 'pool,shared-connection', ...many },
      measured: ({ tasks }) => ({
        iterations: 100,
        runs: [1, 2].map((round) => goodRun(round, { tasks, iterations: 100, averageMs: 10 + round })),
      }),
    });
    assertFits(await renderReport(report, 'table', { width: 60 }), 60);
  });

  it('names the package of a client, also where it has a scope, and of no other', async () => {
    const packages = { redis: '2.8.0', '@valkey/valkey-glide': '2.5.2', iovalkey: '0.4.0' };
    const report = await createFixture({
      given: { clients: 'redis,valkey-glide', scenarios: 'pool' },
      packages,
      measured: () => null,
    });
    const text = await renderReport(report, 'table');
    assert.match(words(text), /redis 2\.8\.0 · @valkey\/valkey-glide 2\.5\.2 · 8x/);
    assert.doesNotMatch(text, /iovalkey/);
  });
});
