import assert from 'node:assert/strict';
import { nameCells } from '../../src/axes/cell-names.js';
import { reportOf } from '../../src/commands/benchmark/report/report.js';
import markdown from '../../src/formats/markdown.js';
import { createFixture, goodRun, mixedReport, REASONS } from '../helpers/report-fixture.js';

/** @import { Report } from '../../src/store/types.js' */

describe('formats/markdown', () => {
  /** @type {Report} */
  let report;
  beforeEach(async () => {
    report = await mixedReport();
  });

  /** @param {Report} data @param {boolean} [details] */
  const render = (data, details = false) => {
    const view = { color: false, width: 100, details, detailsCommand: null };
    return markdown.print(reportOf(data), view);
  };

  /** @param {string} text @returns {string[][]} the cells of its first table */
  const rowsOf = (text) =>
    text
      .split('\n\n')
      .filter((part) => part.startsWith('|'))[0]
      .split('\n')
      .map((line) => line.slice(2, -2).split(' | '));

  it('has a table with a row for each cell, the fastest first', () => {
    const [head, rule, ...rows] = rowsOf(render(report));
    assert.equal(rows.length, report.cells.length);
    for (const row of [rule, ...rows]) assert.equal(row.length, head.length, row.join('|'));
    assert.equal(rows[0][0], '**redis:tuned, shared connection**');
    assert.ok(rows[0].includes('best'), rows[0].join());
    const names = [...nameCells(report.cells).values()];
    assert.deepEqual(rows.map(([name]) => name.replaceAll('*', '')).sort(), names.sort());
  });

  it('has the choices and the reasons of failures and skips, each once; warnings and tests with --details', () => {
    const text = render(report);
    assert.ok(text.includes(`| ${report.choices[0].choose} | ${report.choices[0].texts.best} |`));
    assert.match(text, /ended early/);
    const detailed = render(report, true);
    for (const reason of Object.values(REASONS)) assert.equal(detailed.split(reason).length, 2, reason);
    assert.doesNotMatch(text, /#### Tests/);
    assert.match(detailed, /#### Tests\n\n\|/);
  });

  it('shows what came of assertions', async () => {
    const facts = {
      clients: 'redis',
      scenarios: 'pool',
      runs: 6,
      assert: ['pool.opsPerSecond > 1', 'pool.opsPerSecond < 1'],
    };
    const text = render(
      await createFixture({
        given: facts,
        measured: ({ tasks }) => ({
          iterations: 80,
          runs: [1, 2, 3, 4, 5, 6].map((round) => goodRun(round, { tasks, iterations: 80, averageMs: 80 })),
        }),
      }),
    );
    assert.match(text, /^- ✅ holds: pool\.opsPerSecond &gt; 1$/m);
    assert.match(text, /^- ❌ failed: pool\.opsPerSecond &lt; 1 \(pool\.opsPerSecond is 8,000\)$/m);
  });

  it('lets no text from outside become markup, a mention or another row', () => {
    report.cells[0].runs[0].failed =
      'a|b\n| c <img src=x onerror=alert(1)> [x](http://evil) @everyone #1 `d` **e**';
    const text = render(report);
    assert.ok(!/<(?!sub>|\/sub>|!-- -->)/.test(text));
    assert.ok(!text.includes('@everyone'));
    assert.ok(!/#1\b/.test(text));
    assert.ok(!text.includes('[x]('));
    assert.equal(rowsOf(text).length, report.cells.length + 2);
  });
});
