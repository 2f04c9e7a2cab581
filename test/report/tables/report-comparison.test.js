import assert from 'node:assert/strict';
import { COMPARISON_FORMATS } from '../../../src/report/tables/report-comparison.js';

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
    const [title, , head, , row] = text.split('\n');
    assert.match(title, /^\*\*&lt;script&gt;.*\*\*$/);
    assert.equal(row.split(/(?<!\\)\|/).length, head.split('|').length);
    assert.match(text, /^- warning: measured on &lt;script&gt;.*someone$/m);
  });

  it('starts no formula in a spreadsheet', () => {
    const [head, row, rest] = COMPARISON_FORMATS.csv(COMPARISON).split('\r\n');
    assert.match(head, /^cell,metric,base/);
    assert.match(row, /^"'=HYPERLINK\(""https:.*",opsPerSecond,1,2,2,,,,,$/);
    assert.equal(rest, '');
  });
});
