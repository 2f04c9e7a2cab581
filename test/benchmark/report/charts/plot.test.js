import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/cli/render.js';
import { drawnReport } from '../../../helpers/html-fixture.js';
import { latencyFixture } from '../../../helpers/latency-fixture.js';
import { createFixture, goodRun, mixedReport } from '../../../helpers/report-fixture.js';

/** @import { Report } from '../../../../src/core/store/types.js' */

/** What --plot adds to the table. */
async function plotOf(/** @type {Report} */ report, view = {}) {
  const text = await renderReport(report, 'table', { width: 100, plot: true, ...view });
  const words = 'operations per second of every';
  return text.includes(words)
    ? text.slice(text.indexOf(words), text.search(/\n\n(?:Node|The benchmark|~|\n±|test:)/))
    : '';
}

/** @param {number[]} averages ms of the runs of one cell */
const oneCell = (averages, latenciesUs = [100, 200, 300]) =>
  createFixture({
    given: { clients: 'redis', scenarios: 'pool', runs: averages.length },
    measured: ({ tasks }) => ({
      iterations: 100,
      runs: averages.map((averageMs, index) => ({
        ...goodRun(index + 1, { tasks, iterations: 100, averageMs }),
        latency: latencyFixture(latenciesUs),
      })),
    }),
  });

/** @param {string} plot @param {string} name @returns {string} the marks of a cell's strip */
const stripOf = (plot, name) =>
  (plot.split('\n').find((line) => line.includes(name)) ?? '').replace(/^.*?, pool of 3/, '');

describe('charts/plot', () => {
  for (const width of [160, 100, 80, 60, 40]) {
    it(`fits into ${width} columns, with every cell and both axes`, async () => {
      for (const report of [await drawnReport(), await mixedReport()]) {
        const plain = await renderReport(report, 'table', { width });
        const text = await renderReport(report, 'table', { width, plot: true });
        for (const line of text.split('\n')) assert.ok([...line].length <= width, line);
        assert.doesNotMatch(text, /[ \t]$/m);
        assert.ok(text.split('\n').length > plain.split('\n').length + 5);
      }
      const plot = await plotOf(await drawnReport(), { width });
      for (const letter of 'ABCDEFGH')
        assert.match(plot.replaceAll('\n', ' '), new RegExp(` ${letter} i?o?redis, `));
      assert.match(plot, / 99( |$)/m);
    });
  }

  it('marks each run and the median', async () => {
    const strip = stripOf(await plotOf(await oneCell([100, 120, 200])), 'redis, pool');
    assert.match(strip, /^ +●─+◆─+● +\S+$/, 'the slowest run is at the left');
  });
  it('draws the interval where there is one', async () => {
    const several = await plotOf(await oneCell([100, 120, 150, 200, 210, 220, 230]));
    assert.match(several, /├─┤ its interval/);
    assert.match(stripOf(several, 'redis, pool'), /^ +●─.*─● +4,000$/);
    const once = await plotOf(await oneCell([100]));
    assert.doesNotMatch(stripOf(once, 'redis, pool'), /├/);
  });
  it('draws a line that rises from the fastest operations to the slowest', async () => {
    const latencies = Array.from({ length: 1000 }, (_, index) => 100 * 1.01 ** index);
    const rows = (await plotOf(await oneCell([100], latencies)))
      .split('\n')
      .filter((line) => /[┤│]/.test(line));
    const starts = rows.map((line) => line.indexOf('A')).filter((column) => column >= 0);
    assert.ok(starts.length > 8);
    assert.deepEqual(
      starts,
      starts.toSorted((a, b) => b - a),
      'higher lines begin further right',
    );
  });
  it('has no curves where no latency was recorded, and nothing where nothing was run', async () => {
    assert.doesNotMatch(await plotOf(await mixedReport()), /latency of/);
    assert.equal(await plotOf(await createFixture({ given: {}, measured: () => null })), '');
  });
  it('is plain ASCII where the terminal shows no more', async () => {
    for (const width of [160, 100, 80, 40]) {
      for (const report of [await drawnReport(), await mixedReport()]) {
        const text = await renderReport(report, 'table', { width, plot: true, unicode: false });
        assert.match(text, /^[\n\x20-\x7e]+$/);
        assert.match(text, / o/);
        assert.match(text, /\+-/);
        assert.doesNotMatch(text, /\?{2}/);
        for (const line of text.split('\n')) assert.ok(line.length <= width, line);
      }
    }
  });
});
