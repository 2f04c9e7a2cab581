import assert from 'node:assert/strict';
import { parseHTML } from 'linkedom';
import { renderReport } from '../../src/index.js';
import { drawnReport, HOSTILE, hostileReport } from '../helpers/html-fixture.js';
import { createFixture, mixedReport, REASONS } from '../helpers/report-fixture.js';

/** @param {import('../../src/types.js').Report} report @returns {Promise<any>} the page as a document */
const documentOf = async (report) =>
  /** @type {any} */ (parseHTML(await renderReport(report, 'html'))).document;

/** @param {any} node @returns {string} */
const words = (node) => node.textContent.replace(/\s+/g, ' ');

/** @param {any} document @param {string} label @returns {any} the chart for wide pages */
const chart = (document, label) => document.querySelector(`.wide svg[aria-label^="${label}"]`);

describe('html/page', () => {
  it('has conclusions first, then results, charts, remarks and environment', async () => {
    const report = await mixedReport();
    const page = words((await documentOf(report)).body);
    const [{ conclusion, explanation }] = report.comparisons;
    const order = [
      'Ways to connect',
      conclusion,
      explanation[0],
      'Results',
      'Every run',
      'Skipped',
      'Environment',
    ];
    const places = order.map((text) => page.indexOf(text));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.ok(!places.includes(-1), `${order[places.indexOf(-1)]} is missing`);
  });

  it('has the reasons of what failed, was skipped or is doubtful, and that it ended early', async () => {
    const page = words((await documentOf(await mixedReport())).querySelector('main'));
    for (const reason of [...Object.values(REASONS), 'ended early']) assert.ok(page.includes(reason), reason);
  });

  it('has a point for each run, a median for each cell, a band where there is an interval', async () => {
    const runs = chart(await documentOf(await drawnReport()), 'Operations a second');
    assert.equal(runs.querySelectorAll('circle').length, 8 * 3);
    const [bands, medians] = runs.querySelectorAll('[aria-label=rule]');
    assert.equal(bands.querySelectorAll('line').length, 1);
    assert.equal(medians.querySelectorAll('line').length, 8);
  });

  it('draws no point for a run that failed, and no row for a cell that was not run', async () => {
    const report = await mixedReport();
    const good = report.cells.flatMap(({ runs }) => runs.filter(({ failed }) => failed === null));
    const runs = chart(await documentOf(report), 'Operations a second');
    assert.equal(runs.querySelectorAll('circle').length, good.length);
    assert.ok(words(runs).includes('redis:tuned, connection per task'), 'the one that failed');
    assert.ok(!words(runs).includes('ioredis'), 'the ones that were skipped');
  });

  it('draws the latencies of each cell, and nothing where none were recorded', async () => {
    const drawn = await documentOf(await drawnReport());
    const own = [...drawn.querySelectorAll('.wide .facets svg')].flatMap((svg) => [
      ...svg.querySelectorAll(
        '[aria-label=line] path[stroke^="var(--line"], [aria-label=line][stroke^="var(--line"] path',
      ),
    ]);
    assert.equal(own.length, 8);
    const without = await documentOf(await mixedReport());
    assert.equal(chart(without, 'Latency'), null);
    assert.ok(!words(without.body).includes('p99'));
  });

  it('names the axes, and every chart, table and column', async () => {
    const document = await documentOf(await drawnReport());
    for (const svg of document.querySelectorAll('svg')) {
      assert.ok(svg.getAttribute('aria-label') || svg.getAttribute('aria-hidden') === 'true', svg.outerHTML);
    }
    for (const table of document.querySelectorAll('table')) {
      assert.match(words(table.querySelector('caption')), /\w{3}/);
      for (const head of table.querySelectorAll('th')) assert.ok(head.getAttribute('scope'), head.outerHTML);
    }
    const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ localName }) =>
      Number(localName[1]),
    );
    assert.equal(levels[0], 1);
    for (const [index, level] of levels.entries())
      assert.ok(index === 0 || level <= levels[index - 1] + 1, 'no level of headings is left out');
    assert.match(words(chart(document, 'Time and CPU')), /µs/);
  });

  it('says at each line of a grid what it stands for', async () => {
    const document = await documentOf(await drawnReport());
    for (const svg of document.querySelectorAll('svg.plot')) {
      for (const axis of ['x', 'y']) {
        const lines = svg.querySelectorAll(`[aria-label="${axis}-grid"] line`);
        const texts = [...svg.querySelectorAll(`[aria-label="${axis}-axis tick label"] text`)];
        assert.equal(texts.length, lines.length);
        for (const text of texts) assert.match(text.textContent, /\d/);
      }
      assert.ok(svg.querySelectorAll('[aria-label="x-grid"] line').length >= 2);
    }
  });

  it('draws no conclusion from a smoke run', async () => {
    const page = words(await documentOf(await mixedReport({ smoke: true })).then(({ body }) => body));
    assert.match(page, /too short to conclude/);
    assert.doesNotMatch(page, /is fastest with/);
  });

  it('is short where nothing was measured', async () => {
    const document = await documentOf(
      await createFixture({ given: {}, measured: () => null, failure: 'gone' }),
    );
    assert.equal(document.querySelector('figure'), null);
    assert.match(words(document.body), /ended early: gone/);
  });

  it('asks for nothing and runs nothing', async () => {
    const document = await documentOf(await drawnReport());
    assert.match(
      document.querySelector('meta[http-equiv="Content-Security-Policy"]').getAttribute('content'),
      /^default-src 'none'; style-src 'unsafe-inline';/,
    );
    assert.equal(
      document.querySelector('script, link, img, iframe, object, [src], [href]:not([href^="#"])'),
      null,
    );
    assert.doesNotMatch(document.querySelector('style').textContent, /@import|url\(/);
  });

  for (const text of HOSTILE) {
    it(`shows ${JSON.stringify(text.slice(0, 40))} as text, wherever it comes from`, async () => {
      const markup = await renderReport(await hostileReport(text), 'html');
      const document = /** @type {any} */ (parseHTML(markup)).document;
      assert.equal(document.querySelector('script, img, iframe, [src]'), null);
      for (const element of document.querySelectorAll('*')) {
        for (const { name } of element.attributes) assert.doesNotMatch(name, /^on/, element.outerHTML);
      }
      assert.ok(!['\u0000', '\u001b'].some((control) => markup.includes(control)));
      const shown = text
        .replaceAll('\u0000', '\ufffd')
        .replaceAll('\u001b', '\ufffd')
        .replaceAll('\u202e', '\ufffd');
      assert.equal(document.querySelector('h1').textContent, shown);
      assert.ok([...document.querySelectorAll('td, th')].some((cell) => cell.textContent.includes(shown)));
    });
  }
});
