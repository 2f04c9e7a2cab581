import assert from 'node:assert/strict';
import { nameCells } from '../../src/axes/cell-names.js';
import markdown from '../../src/formats/markdown.js';
import { createFixture, goodRun, mixedReport, REASONS } from '../helpers/report-fixture.js';

/** @import { Report } from '../../src/core/store/types.js' */

describe('formats/markdown', () => {
  /** @type {Report} */
  let report;
  beforeEach(async () => {
    report = await mixedReport();
  });

  /** @param {string} text @returns {string[][]} the cells of its table */
  const rowsOf = (text) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.slice(2, -2).split(' | '));

  it('has a table with a row for each cell, the fastest first and marked', () => {
    const [head, rule, ...rows] = rowsOf(markdown.render(report));
    assert.equal(rows.length, report.cells.length);
    for (const row of [rule, ...rows]) assert.equal(row.length, head.length, row.join('|'));
    assert.equal(rows[0][0], '**redis:tuned, shared connection**');
    const names = [...nameCells(report.cells).values()];
    assert.deepEqual(rows.map(([name]) => name.replaceAll('*', '')).sort(), names.sort());
  });

  it('has the conclusion and the reasons, failures, skips and warnings, each once', () => {
    const text = markdown.render(report);
    assert.ok(text.includes(report.comparisons[0].conclusion));
    for (const reason of Object.values(REASONS)) assert.equal(text.split(reason).length, 2, reason);
    assert.match(text, /ended early/);
  });

  it('begins with the answer, how sure that is and the conditions; tests and all causes come after the table', async () => {
    const text = markdown.render(report);
    const order = [
      'Share one connection',
      'Confidence: chance alone',
      'Conditions: ',
      '\n### GET, ',
      '\n| ',
      'READONLY',
      '\n### Details\n',
      report.comparisons[0].conclusion,
      'Tested: p ',
      'Not measured: ',
    ];
    const places = order.map((part) => text.indexOf(part));
    assert.ok(!places.includes(-1), `${order[places.indexOf(-1)]} is missing`);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });

  it('shows what came of assertions', async () => {
    const facts = {
      clients: 'redis',
      scenarios: 'pool',
      runs: 1,
      assert: ['pool.opsPerSecond > 1', 'pool.opsPerSecond < 1'],
    };
    const text = markdown.render(
      await createFixture({
        given: facts,
        measured: ({ tasks }) => ({
          iterations: 80,
          runs: [goodRun(1, { tasks, iterations: 80, averageMs: 80 })],
        }),
      }),
    );
    assert.match(text, /^- ✅ holds: pool\.opsPerSecond &gt; 1$/m);
    assert.match(text, /^- ❌ failed: pool\.opsPerSecond &lt; 1 \(pool\.opsPerSecond is 8,000\)$/m);
  });

  it('lets no text from outside become markup, a mention or another row', () => {
    report.cells[0].runs[0].failed =
      'a|b\n| c <img src=x onerror=alert(1)> [x](http://evil) @everyone #1 `d` **e**';
    const text = markdown.render(report);
    assert.ok(!/<(?!sub>|\/sub>|!-- -->)/.test(text));
    assert.ok(!text.includes('@everyone'));
    assert.ok(!/#1\b/.test(text));
    assert.ok(!text.includes('[x]('));
    assert.equal(rowsOf(text).length, report.cells.length + 2);
  });
});
