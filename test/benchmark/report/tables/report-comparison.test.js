import assert from 'node:assert/strict';
import { COMPARISON_FORMATS } from '../../../../src/benchmark/report/tables/report-comparison.js';

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
  cells: [{ cell: FORMULA, name: EVIL, group: EVIL, base: 1, new: 2, ratio: 2, contrast: null }],
};

describe('report/tables/report-comparison', () => {
  it('lets no text from outside become markup, a link, a mention or another line of markdown', () => {
    const text = COMPARISON_FORMATS.markdown(COMPARISON);
    assert.doesNotMatch(text, /<script|[^\\]\]\(|[^\\][`[]|https:\/\/|^# |@someone/m);
    const [first, , title, , head, , row] = text.split('\n');
    assert.equal(first, 'No cell can be compared: one of the results has too few runs or starts of it.');
    assert.match(title, /^\*\*&lt;script&gt;.*\*\*$/);
    assert.equal(row.split(/(?<!\\)\|/).length, head.split('|').length);
    assert.match(text, /^- warning: measured on &lt;script&gt;.*someone$/m);
  });

  it('begins with what has changed, the most first, and for the worse before the better', () => {
    const cellOf = (/** @type {number} */ ratio, differs = true) => ({
      ...{ cell: `${ratio}`, name: `c${ratio}`, group: 'g', base: 100, new: 100 * ratio, ratio },
      contrast: { ratio, low: ratio * 0.9, high: ratio * 1.1, p: 0.001, pAdjusted: 0.001, differs },
    });
    const firstLine = (/** @type {object} */ given) =>
      COMPARISON_FORMATS.table({ ...COMPARISON, ...given }, { width: 200 }).split('\n')[0];
    const cells = [cellOf(0.8), cellOf(0.5), cellOf(2), cellOf(1.01, false)];
    assert.equal(
      firstLine({ cells }),
      'Worse: "c0.5" 0.50x (0.45x to 0.55x), "c0.8" 0.80x (0.72x to 0.88x). Better: "c2" 2.0x (1.8x to 2.2x).',
    );
    assert.match(firstLine({ cells: [{ ...cellOf(0.8), ratio: 1.1 }] }), /^Worse: "c0\.8" 0\.80x/);
    assert.match(firstLine({ cells, moreIsBetter: false }), /^Worse: "c2" .*\. Better: "c0\.5" .*, "c0\.8" /);
    assert.match(firstLine({ cells, moreIsBetter: null }), /^Changed: "c0\.5" .*, "c2" .*, "c0\.8" [^:]*\.$/);
  });

  it('starts no formula in a spreadsheet', () => {
    const [head, row, rest] = COMPARISON_FORMATS.csv(COMPARISON).split('\r\n');
    assert.match(head, /^cell,metric,base/);
    assert.match(row, /^"'=HYPERLINK\(""https:.*",opsPerSecond,1,2,2,,,,,$/);
    assert.equal(rest, '');
  });
});
