import assert from 'node:assert/strict';
import { firstTable, gridLines, gridMarkdown } from '../../../src/core/report/grid.js';

/** @import { Column, Grid } from '../../../src/core/report/types.js' */

/** @param {(Column & {text: string})[]} columns @returns {Grid<string>} of one row */
const gridWith = (columns) => ({
  columns,
  rows: [{ name: 'ioredis', texts: columns.map(({ text }) => text) }],
});

const FAILED = { title: 'failed', text: '4,099' };
const LEFT = { title: 'left waiting', text: '7' };
const SIGNS = { title: 'over time', text: '████××', align: /** @type {const} */ ('left'), rank: 1 };
const LEGEND = { ...SIGNS, legend: '█ done, × failed' };

describe('a table that is wider than its room', () => {
  it('stands titles in two lines rather than a column alone in a table of its own', () => {
    const grid = gridWith([FAILED, LEFT]);
    assert.equal(gridLines(grid, { width: 40 })[0].trim(), 'failed  left waiting');
    const narrow = gridLines(grid, { width: 28 });
    assert.deepEqual(
      narrow.slice(0, 2).map((line) => line.trim().split(/ +/)),
      [['failed', 'left'], ['waiting']],
    );
    assert.ok(!narrow.includes(''), 'one table');
    for (const line of narrow) assert.ok(line.length <= 28, line);
  });

  it('never breaks a word of a title', () => {
    const lines = gridLines(gridWith([FAILED, { title: 'recovered', text: '1 s' }]), { width: 22 });
    assert.match(lines.join('\n'), /recovered/);
  });

  it('has the legend of a column where that column is, and only there', () => {
    assert.match(gridLines(gridWith([FAILED, LEGEND]), { width: 60 }).join('\n'), /× failed$/);
    const spare = gridWith([FAILED, { ...LEGEND, spare: true }]);
    assert.doesNotMatch(gridLines(spare, { width: 20 }).join('\n'), /over time|× failed/);
    const first = firstTable(gridWith([FAILED, LEGEND]), { width: 20 });
    assert.deepEqual(first.moved, ['over time']);
    assert.doesNotMatch(first.lines.join('\n'), /× failed/);
    assert.match(gridMarkdown(spare), /over time/, 'no room is missing there');
  });
});
