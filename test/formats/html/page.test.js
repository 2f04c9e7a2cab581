import assert from 'node:assert/strict';
import { parseHTML } from 'linkedom';
import { renderReport } from '../../../src/cli/render.js';
import { printable } from '../../../src/report/escaped.js';
import { ratioText } from '../../../src/report/figures.js';
import { drawnReport, HOSTILE, hostileReport } from '../../helpers/html-fixture.js';
import { mixedReport, REASONS } from '../../helpers/report-fixture.js';

/** @import { Report } from '../../../src/store/types.js' */

/** @param {Report} report @returns {Promise<any>} the page as a document */
const documentOf = async (report) =>
  /** @type {any} */ (parseHTML(await renderReport(report, 'html'))).document;

/** @param {any} node @returns {string} */
const words = (node) => node.textContent.replace(/\s+/g, ' ');

/** @param {any} document @param {string} label @returns {any} the chart for wide pages */
const chart = (document, label) =>
  document.querySelector(`.wide svg[aria-label^="${label}"], .facets svg[aria-label^="${label}"]`);

describe('html/page', () => {
  it('has what failed, results, what to choose, remarks, and then all that is behind them', async () => {
    const report = await mixedReport();
    const page = words((await documentOf(report)).body);
    const order = [
      'GET',
      'Failed',
      'ops/s',
      'behind',
      'choosebest',
      'Skipped',
      'All runs',
      'Tests',
      'Causes',
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

  it('has a point for each run, a median for each cell, and a band where there is an interval', async () => {
    const report = await drawnReport();
    const [cell] = report.cells;
    cell.summary = { .../** @type {any} */ (cell.summary) };
    /** @type {any} */ (cell.summary).intervals = { ...cell.summary?.intervals, opsPerSecond: null };
    const runs = chart(await documentOf(report), 'operations per second');
    assert.equal(runs.querySelectorAll('circle').length, 8 * 3);
    const [bands, medians] = runs.querySelectorAll('[aria-label=rule]');
    assert.equal(bands.querySelectorAll('line').length, 7);
    assert.equal(medians.querySelectorAll('line').length, 8);
  });

  it('says of each cell how far it is behind the fastest, how sure that is, and by which test', async () => {
    const report = await drawnReport();
    const [{ ranking, test }] = report.comparisons;
    const document = await documentOf(report);
    const tables = [...document.querySelectorAll('table')].map((table) =>
      [...table.querySelectorAll('tbody tr')].map(words),
    );
    assert.match(tables[0][0], /5,634.*best/);
    const [, ...others] = /** @type {any[]} */ (tables.find(([first]) => /round trips|client/.test(first)));
    assert.equal(others.length, 7);
    for (const [index, row] of others.entries()) {
      const { verdict, timesSlower, againstFastest } = ranking[index + 1];
      const { low, high } = /** @type {any} */ (againstFastest);
      const behind = ratioText({ verdict, ratio: Number(timesSlower), low: 1 / high, high: 1 / low });
      assert.ok(tables[0][index + 1].includes(behind), `${behind} in ${tables[0][index + 1]}`);
      assert.match(row, /< 0\.001|0\.\d{3}/);
    }
    assert.ok(words(document.querySelector('main')).includes(test));
  });

  it('draws no point for a run that failed, and no row for a cell that was not run', async () => {
    const report = await mixedReport();
    const good = report.cells.flatMap(({ runs }) => runs.filter(({ failed }) => failed === null));
    const runs = chart(await documentOf(report), 'operations per second');
    assert.equal(runs.querySelectorAll('circle').length, good.length);
    assert.ok(words(runs).includes('redis:tuned, connection per task'), 'the one that failed');
    assert.ok(!words(runs).includes('ioredis'), 'the ones that were skipped');
  });

  it('draws the latencies of each cell, and nothing where none were recorded', async () => {
    const drawn = await documentOf(await drawnReport());
    const own = [...drawn.querySelectorAll('.facets svg.plot')].flatMap((svg) => [
      ...svg.querySelectorAll(
        '[aria-label=line] path[stroke^="var(--line"], [aria-label=line][stroke^="var(--line"] path',
      ),
    ]);
    assert.equal(own.length, 8);
    const without = await documentOf(await mixedReport());
    assert.equal(chart(without, 'latency'), null);
    assert.ok(!words(without.body).includes('p99'));
  });

  it('names the axes, and every chart, table and column', async () => {
    const document = await documentOf(await drawnReport());
    for (const svg of document.querySelectorAll('svg')) {
      assert.ok(svg.getAttribute('aria-label') || svg.getAttribute('aria-hidden') === 'true', svg.outerHTML);
    }
    for (const table of document.querySelectorAll('table')) {
      assert.match(table.closest('[aria-label]').getAttribute('aria-label'), /\w{3}/);
      for (const head of table.querySelectorAll('th')) assert.ok(head.getAttribute('scope'), head.outerHTML);
    }
    const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ localName }) =>
      Number(localName[1]),
    );
    assert.equal(levels[0], 1);
    for (const [index, level] of levels.entries())
      assert.ok(index === 0 || level <= levels[index - 1] + 1, 'no level of headings is left out');
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

  it('says which assertions hold, and of the others by what figures they failed', async () => {
    const report = await mixedReport();
    report.assertions = [
      { text: 'a > b', strict: false, outcome: 'holds', figures: ['1 > 0'] },
      { text: 'a < <b>', strict: true, outcome: 'failed', figures: ['1 against 2'] },
    ];
    const page = words((await documentOf(report)).body);
    assert.match(page, /holds: a > b ?failed \(strict\): a < <b> \(1 against 2\)/);
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
      const shown = printable(text);
      assert.ok(document.querySelector('h1').textContent.includes(shown));
      assert.ok([...document.querySelectorAll('td, th')].some((cell) => cell.textContent.includes(shown)));
    });
  }
});
