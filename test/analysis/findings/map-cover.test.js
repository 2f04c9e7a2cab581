import assert from 'node:assert/strict';
import { coverOf } from '../../../src/analysis/findings/map-regions.js';

/** @import { PlacedPoint } from '../../../src/analysis/findings/map-regions.js' */

const GRID = { rows: { ordered: true, examples: 'r' }, columns: { ordered: true, examples: 'abc' } };

/**
 * @param {number} column
 * @param {string[]} winners
 * @param {'open' | 'behind'} other
 * @returns {PlacedPoint} of choices a and b
 */
const point = (column, winners, other) => ({
  row: 0,
  column,
  state: other === 'open' ? 'open' : 'decided',
  winners,
  standing: ['a', 'b'].map((cell) => ({
    cell,
    standing: winners.includes(cell) ? 'good' : other,
    opsPerSecond: 1,
  })),
});

/** @param {PlacedPoint[]} points */
const cover = (points) =>
  coverOf(['a', 'b'], points, GRID, (id) => id).map(({ choice, points: count }) => [choice, count]);

describe('findings/map-cover', () => {
  it('sends nobody elsewhere where the first choice may be as good', () => {
    const first = [point(0, ['a'], 'behind'), point(1, ['a'], 'behind')];
    assert.deepEqual(cover([...first, point(2, ['b'], 'open')]), [[0, 2]]);
    assert.deepEqual(cover([...first, point(2, ['b'], 'behind')]), [
      [0, 2],
      [1, 1],
    ]);
  });
});
