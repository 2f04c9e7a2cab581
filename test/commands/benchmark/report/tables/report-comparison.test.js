import assert from 'node:assert/strict';
import { printed } from '../../../../../src/cli/render.js';
import {
  comparisonCsv,
  comparisonReport,
} from '../../../../../src/commands/benchmark/report/tables/report-comparison.js';

const EVIL = '<script>alert(1)</script> [x](https://evil.example) `a` | b\n\n# heading @someone';
const FORMULA = '=HYPERLINK("https://evil.example")';

/** @type {any} a comparison of two results of which somebody else has written every text */
const COMPARISON = {
  metric: 'opsPerSecond',
  unit: 'ops/s',
  moreIsBetter: true,
  test: EVIL,
  geometricMean: 1,
  onlyBase: [EVIL],
  onlyNew: [],
  warnings: [`measured on ${EVIL}`],
  findings: [],
  cells: [
    {
      ...{ cell: FORMULA, name: EVIL, group: EVIL, change: 'not compared', isAdjusted: false },
      ...{ base: 1, new: 2, ratio: 2, contrast: null },
    },
  ],
};

describe('report/tables/report-comparison', () => {
  it('lets no text from outside become markup, a link, a mention or another line of markdown', async () => {
    const text = await printed(comparisonReport(COMPARISON), 'markdown', {});
    assert.doesNotMatch(text, /<script|[^\\]\]\(|[^\\][`[]|https:\/\/|^# |@someone/m);
    const [first, , head, , title, row] = text.split('\n');
    assert.equal(first, '### Not compared: one of the results has too few runs');
    assert.match(title, /^\| \*&lt;script&gt;/);
    assert.equal(row.split(/(?<!\\)\|/).length, head.split('|').length);
    assert.match(text, /^- warning: measured on &lt;script&gt;.*someone$/m);
  });

  it('begins with what changed, and has what changed most first', async () => {
    const cellOf = (/** @type {number} */ ratio, differs = true) => ({
      ...{ cell: `${ratio}`, name: `c${ratio}`, group: 'g', isAdjusted: false },
      ...{ base: 100, new: 100 * ratio, ratio },
      contrast: { ratio, low: ratio * 0.9, high: ratio * 1.1, p: 0.001, pAdjusted: 0.001, differs },
    });
    const cells = [cellOf(0.8), cellOf(0.5), cellOf(3), cellOf(1.01, false)];
    for (const [moreIsBetter, first, changes] of /** @type {const} */ ([
      [
        true,
        '2 cells worse: c0.5 0.50x (0.45–0.55); c0.8 0.80x (0.72–0.88) · 1 cell better: c3 3.0x (2.7–3.3)',
        ['c3 better', 'c0.5 worse', 'c0.8 worse', 'c1.01 tied'],
      ],
      [
        false,
        '1 cell worse: c3 3.0x (2.7–3.3) · 2 cells better: c0.5 0.50x (0.45–0.55); c0.8 0.80x (0.72–0.88)',
        ['c3 worse', 'c0.5 better', 'c0.8 better', 'c1.01 tied'],
      ],
      [
        null,
        '3 cells changed: c3 3.0x (2.7–3.3); c0.5 0.50x (0.45–0.55); …',
        ['c3 changed', 'c0.5 changed', 'c0.8 changed', 'c1.01 tied'],
      ],
    ])) {
      const changeOf = (/** @type {string} */ name) =>
        String(changes.find((each) => each.startsWith(`${name} `))).slice(name.length + 1);
      const changed = cells.map((cell) => ({ ...cell, change: changeOf(cell.name) }));
      const report = comparisonReport({ ...COMPARISON, cells: changed, moreIsBetter });
      const lines = (await printed(report, 'table', { width: 200 })).split('\n');
      assert.equal(lines[0], first);
      const rows = lines.flatMap(
        (line) => /^ +(c[\d.]+) +(?:100 +)?(\S+)/.exec(line)?.slice(1).join(' ') ?? [],
      );
      assert.deepEqual(rows, [...changes]);
    }
  });

  it('begins with what is ruled out where nothing changed, and with why nothing is judged', () => {
    const cellOf = (/** @type {number} */ low, /** @type {number} */ high) => ({
      ...{ ...COMPARISON.cells[0], change: 'not decided' },
      contrast: { ratio: 1, low, high, p: 0.5, pAdjusted: 0.5, differs: false },
    });
    const titleOf = (/** @type {object} */ more) => comparisonReport({ ...COMPARISON, ...more }).title;
    const cells = [cellOf(0.95, 1.02), cellOf(0.97, 1.08)];
    assert.equal(titleOf({ cells }), 'No change proven in 2 cells; more than 8 % is ruled out');
    const wide = [cellOf(0.4, 3.2)];
    assert.equal(titleOf({ cells: wide }), 'No change proven in 1 cell; more than 3.2x is ruled out');
    assert.equal(
      titleOf({ cells: [cellOf(1e-9, 1e9), COMPARISON.cells[0]] }),
      'No change proven in 1 cell; nothing is ruled out · 1 not judged',
    );
    const single = { kind: 'started-once', cells: [FORMULA] };
    assert.match(titleOf({ findings: [single] }), /^Not compared: a single start/);
    const waited = { kind: 'disturbed', cells: [FORMULA], baseWaitedShare: 0.62, newWaitedShare: 0.45 };
    assert.equal(titleOf({ findings: [waited] }), 'Not judged: waited for CPU 45 to 62 % of the time');
  });

  it('starts no formula in a spreadsheet', () => {
    const [head, row, rest] = comparisonCsv(COMPARISON).split('\r\n');
    assert.match(head, /^cell,metric,change,base/);
    assert.match(row, /^"'=HYPERLINK\(""https:.*",opsPerSecond,not compared,1,2,2,,,,,,$/);
    assert.equal(rest, '');
  });
});
