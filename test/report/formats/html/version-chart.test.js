import assert from 'node:assert/strict';
import { parseHTML } from 'linkedom';
import { renderReport } from '../../../../src/index.js';
import { drawnReport, HOSTILE } from '../../../helpers/html-fixture.js';
import { versionReport } from '../../../helpers/version-fixture.js';

/** @import { Report } from '../../../../src/results/types.js' */

const CPU = 'Client CPU per operation by version';

/** @param {Report} report @returns {Promise<any>} the page as a document */
const documentOf = async (report) =>
  /** @type {any} */ (parseHTML(await renderReport(report, 'html'))).document;

/** @param {any} document @param {string} label @returns {any[]} the charts for wide pages */
const charts = (document, label) => [...document.querySelectorAll(`.wide svg[aria-label^="${label}"]`)];

/** @param {any} svg @param {string} axis @returns {string[]} */
const ticksOf = (svg, axis) =>
  [...svg.querySelectorAll(`[aria-label="${axis}-axis tick label"] text`)].map(
    ({ textContent }) => textContent,
  );

/** @param {any} svg @param {string} mark @param {string} shape @returns {any[]} */
const shapes = (svg, mark, shape) => [...svg.querySelectorAll(`[aria-label=${mark}] ${shape}`)];

describe('html/version-chart', () => {
  it('has the releases in order, a point for each run, and a median with its interval for each release', async () => {
    const document = await documentOf(await versionReport('redis@6.3.1,redis@4.7.1,redis@5.12.1'));
    for (const [label, unit] of [
      [CPU, / µs$/],
      ['Operations per second by version', /^[\d,]+$/],
    ]) {
      const [svg, ...more] = charts(document, String(label));
      assert.deepEqual(more, []);
      assert.deepEqual(ticksOf(svg, 'x'), ['redis@4.7.1', 'redis@5.12.1', 'redis@6.3.1']);
      assert.ok(ticksOf(svg, 'y').length >= 2);
      for (const tick of ticksOf(svg, 'y')) assert.match(tick, /** @type {RegExp} */ (unit));
      assert.equal(shapes(svg, 'dot', 'circle').length, 3 * 6 + 3);
      assert.equal(shapes(svg, 'rule', 'line').length, 3);
      assert.match(
        svg.getAttribute('aria-label'),
        /redis, shared connection: redis@4\.7\.1 to redis@6\.3\.1$/,
      );
    }
  });

  it('shows the median that the report has, higher where it is more', async () => {
    const [svg] = charts(await documentOf(await versionReport('redis@4.7.1,redis@5.12.1,redis@6.3.1')), CPU);
    const medians = shapes(svg, 'dot', 'circle').filter((circle) => circle.getAttribute('r') === '3.5');
    assert.deepEqual(
      medians.map(({ textContent }) => textContent),
      ['4.7.1: 2 µs', '5.12.1: 2 µs', '6.3.1: 12 µs'].map(
        (text) => `redis, shared connection, redis@${text}`,
      ),
    );
    const [old, , newest] = medians.map((circle) => Number(circle.getAttribute('cy')));
    assert.ok(newest < old, 'SVG counts from above');
  });

  it('leaves out a run that failed, and the interval that one run cannot have', async () => {
    const report = await versionReport('redis@4.7.1,redis@5.12.1');
    report.cells[0].runs[0].failed = 'lost';
    /** @type {any} */ (report.cells[1].summary).intervals.cpuUsPerOp = null;
    const [svg] = charts(await documentOf(report), CPU);
    assert.equal(shapes(svg, 'dot', 'circle').length, 2 * 6 - 1 + 2);
    assert.equal(shapes(svg, 'rule', 'line').length, 1);
  });

  it('has a named line for each variant, at the releases that it was measured with', async () => {
    const clients = 'redis@4.7.1,redis@5.12.1,redis@6.3.1,redis@5.12.1:tuned,redis@6.3.1:tuned';
    const [svg, ...more] = charts(await documentOf(await versionReport(clients)), CPU);
    assert.deepEqual(more, []);
    assert.equal(shapes(svg, 'line', 'path').length, 2);
    assert.equal(shapes(svg, 'dot', 'circle').length, 5 * 7);
    const words = svg.textContent.replace(/\s+/g, ' ');
    for (const name of ['redis, shared', 'redis:tuned,']) assert.ok(words.includes(name), name);
  });

  it('has a chart for each client', async () => {
    const document = await documentOf(
      await versionReport('redis@5.12.1,redis@6.3.1,ioredis@5.0.0,ioredis@6.0.0'),
    );
    assert.deepEqual(
      charts(document, CPU)
        .map((svg) => ticksOf(svg, 'x'))
        .toSorted(),
      [
        ['ioredis@5.0.0', 'ioredis@6.0.0'],
        ['redis@5.12.1', 'redis@6.3.1'],
      ],
    );
  });

  it('shows releases of Node', async () => {
    const report = await versionReport('redis', { runtimes: ['24.1.0', '20.19.0'] });
    const [svg] = charts(await documentOf(report), CPU);
    assert.deepEqual(ticksOf(svg, 'x'), ['Node 20.19.0', 'Node 24.1.0']);
    assert.match(svg.getAttribute('aria-label'), /version, redis, shared connection: Node/);
  });

  it('is absent where there is one release only', async () => {
    for (const report of [await drawnReport(), await versionReport('redis@6.3.1,ioredis')]) {
      const document = await documentOf(report);
      assert.ok(charts(document, 'Operations per second of every run').length > 0);
      assert.deepEqual(charts(document, CPU), []);
      assert.ok(![...document.querySelectorAll('h3')].some(({ textContent }) => textContent === 'Versions'));
    }
  });

  it('shows of a long path its end', async () => {
    const report = await versionReport('redis@5.12.1,redis@6.3.1');
    report.cells[1].version = 'path:../my work/forks/node-redis-fork';
    const [svg] = charts(await documentOf(report), CPU);
    assert.deepEqual(ticksOf(svg, 'x'), ['redis@5.12.1', '…s/node-redis-fork']);
  });

  for (const text of HOSTILE) {
    it(`shows ${JSON.stringify(text.slice(0, 40))} as text`, async () => {
      const report = await versionReport('redis@5.12.1,redis@6.3.1,redis@5.12.1:tuned,redis@6.3.1:tuned');
      for (const cell of report.cells) {
        cell.client = text;
        cell.version += text;
        cell.scenario = text;
      }
      const document = await documentOf(report);
      assert.equal(document.querySelector('script, img, iframe, [src]'), null);
      for (const element of document.querySelectorAll('*')) {
        for (const { name } of element.attributes) assert.doesNotMatch(name, /^on/, element.outerHTML);
      }
      const [svg] = charts(document, CPU);
      assert.equal(shapes(svg, 'dot', 'circle').length, 4 * 7);
      assert.equal(ticksOf(svg, 'x').length, 2);
    });
  }
});
