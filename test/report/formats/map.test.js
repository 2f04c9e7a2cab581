import assert from 'node:assert/strict';
import { renderReport } from '../../../src/index.js';
import { mapReport } from '../../helpers/map-fixture.js';

/** @import { Report } from '../../../src/results/types.js' */

describe('report/formats: a map', () => {
  /** @type {Report} */
  let report;
  /** @type {Report} of a noisy machine */
  let undecided;
  before(async () => {
    [report, undecided] = await Promise.all([mapReport(), mapReport({ luck: 0.2, startMs: 800 })]);
  });

  it('table: the answer, a grid of letters, what they mean; 100 columns, readable without colours', async () => {
    const text = await renderReport(report, 'table', { width: 100 });
    assert.match(text, /^Use "redis:tuned, shared connection" \(A\): best or tied at all 20 points\./);
    assert.match(text, /Up to 4 tasks and from 0\.5 ms round trip on, the choice hardly matters/);
    assert.match(text, /The fastest choice by round trip\n +no added distance +0\.5 ms +2 ms +10 ms\n/);
    assert.match(text, /^ 256 tasks +A [\d.]+x +A [\d.]+x +AB [\d.]+x +ABCDEF \d+x$/m);
    assert.match(text, /^ A +redis:tuned, shared connection +20 of 20, \d alone +everywhere$/m);
    for (const line of text.split('\n')) assert.ok(line.length <= 100, line);
    assert.ok(text.split('\n').length < 60, 'a screen');
    const coloured = await renderReport(report, 'table', { width: 100, color: true });
    assert.notEqual(coloured, text);
  });

  for (const width of [40, 60, 80]) {
    it(`table: in ${width} columns letters are counted`, async () => {
      const text = await renderReport(report, 'table', { width });
      assert.match(text, /A\+\d+/);
    });
  }

  it('table: a point that is not decided has a question mark', async () => {
    const text = await renderReport(undecided, 'table', { width: 100 });
    assert.match(text, /^ +\d+ tasks? .*[A-O?]\?/m);
    assert.match(text, /points where\s+a\s+best\s+one\s+is\s+known, of 20\.|Too early to recommend anything/);
    assert.doesNotMatch(text, /hardly matters/);
  });

  it('table: the title names the condition of the columns', async () => {
    const given = { clients: 'ioredis,redis', tasks: '1,8,64', rtt: '0', appWork: '0,50us' };
    assert.match(
      await renderReport(await mapReport({ given }), 'table', { width: 100 }),
      /^The fastest choice by app work$/m,
    );
  });

  it('table: details have all runs', async () => {
    const text = await renderReport(report, 'table', { width: 100, details: true });
    assert.match(text, /Where each scenario is best or tied: shared connection everywhere;/);
    assert.match(text, /^Operations per second at 1 task$/m);
    assert.match(text, /GET, .* 64 tasks, 2 ms round trip/);
  });

  it('markdown: the grid and the choices as tables', async () => {
    const text = await renderReport(report, 'markdown');
    assert.match(text, /^\| {2}\| no added distance \| 0\.5 ms \| 2 ms \| 10 ms \|$/m);
    assert.match(text, /^\| 1 task \| A [\d.]+x \| ABCDEFGHIJKL \|/m);
    assert.match(
      text,
      /^Skipped, because they were over 2\.5x slower at every surrounding point: M, N, O at 16 points; G, .*, L at 2 points\.$/m,
    );
    assert.match(
      text,
      /^\| A \| redis:tuned, shared connection \| 20 of 20, \d alone \| {2}\| everywhere \|$/m,
    );
  });

  it('lines: how often a configuration was run is counted', async () => {
    const text = await renderReport(undecided, 'lines');
    const counts = undecided.cells.flatMap(({ runs }) => runs.length || []);
    const [, least, most] = /^Running each configuration (\d+) to (\d+) times/m.exec(text) ?? [];
    assert.deepEqual([Number(least), Number(most)], [Math.min(...counts), Math.max(...counts)]);
  });

  it('csv: a row for each choice at each point', async () => {
    const [head, ...rows] = (await renderReport(report, 'csv')).trim().split('\r\n');
    assert.equal(rows.length, 20 * 15);
    const columns = head.split(',');
    const first = Object.fromEntries(rows[0].split(',').map((text, place) => [columns[place], text]));
    const { tasks, point, standing, timesSlower, client } = first;
    assert.deepEqual(
      { tasks, point, standing, timesSlower, client },
      { tasks: '1', point: 'decided', standing: 'good', timesSlower: '1', client: 'redis' },
    );
  });

  it('html: a field for each point, in the colour of its winner', async () => {
    const page = await renderReport(report, 'html');
    const [map] = /aria-label="The fastest choice by round trip"><table>.*?<\/table>/s.exec(page) ?? [''];
    assert.equal(map.match(/<td class="(won-\d|tied)">/g)?.length, 20);
    assert.match(page, /Grey: a tie\. Without a colour: undecided \(\?\)/);
    assert.match(await renderReport(undecided, 'html'), /<td>[^<]*\?<\/td>/);
    assert.match(page, /<th scope="row">A redis:tuned, shared connection<\/th>/);
  });

  it('json: what is known of each point, and it can be read again', async () => {
    const { findings, settings } = JSON.parse(await renderReport(report, 'json'));
    assert.equal(settings.budgetMs, 300_000);
    const [map] = findings;
    assert.equal(map.kind, 'map');
    assert.equal(map.points.length, 20);
  });
});
