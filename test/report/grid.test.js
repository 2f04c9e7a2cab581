import assert from 'node:assert/strict';
import { firstTable, gridLines, gridMarkdown, withFewer } from '../../src/report/grid.js';

/** @import { Column, Grid } from '../../src/report/types.js' */

/** @param {(Column & {text: string})[]} columns @returns {Grid<string>} of one row */
const gridWith = (columns) => ({
  columns,
  rows: [{ name: 'ioredis', texts: columns.map(({ text }) => text) }],
});

const FAILED = { title: 'failed', text: '4,099' };
const LEFT = { title: 'left waiting', text: '7' };
const SIGNS = { title: 'over time', text: '████××', align: /** @type {const} */ ('left'), rank: 1 };
const LEGEND = { ...SIGNS, legend: '█ done, × failed' };

describe('a bar', () => {
  /** @param {number} low @param {number} value @param {number} high @returns {string} */
  const drawn = (low, value, high) => {
    const bar = { value, low, high, most: 100 };
    const grid = { columns: [{ title: '' }], rows: [{ name: 'a', texts: [bar] }] };
    // The name and blanks take 5, the bar 10.
    return gridLines(grid, { width: 15 })[2].replace('a', '').trim();
  };

  it('ends with the range of what it is made of, where that is longer than two columns', () => {
    assert.deepEqual(
      [
        drawn(50, 75, 99),
        drawn(50, 55, 99),
        drawn(50, 99, 99),
        drawn(0, 15, 30),
        drawn(49, 50, 51),
        drawn(0, 0.1, 0.2),
      ],
      ['█████├─┼─┤', '█████┼───┤', '█████├───┼', '├┼─┤', '█████', '▏'],
    );
  });
});

describe('a table that is longer than its room', () => {
  it('keeps the rows of least rank in their order, and gives the heading of one that goes to the next', () => {
    const ranks = [3, 0, 2, 1];
    const rows = ranks.map((rank, index) => ({
      name: 'abcd'[index],
      rank,
      texts: [],
      heading: index === 0 ? 'of all' : '',
    }));
    const shown = (/** @type {number} */ wanted) =>
      withFewer({ columns: [], rows, most: 2 }, wanted).rows.map(({ name, heading }) => `${name}${heading}`);
    assert.deepEqual(
      [shown(1), shown(3), shown(9)],
      [
        ['bof all', 'd'],
        ['bof all', 'c', 'd'],
        ['aof all', 'b', 'c', 'd'],
      ],
    );
  });
});

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
