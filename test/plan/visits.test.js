import assert from 'node:assert/strict';
import { visitPoints } from '../../src/plan/visits.js';

/** @import { Cell } from '../../src/plan/types.js' */

/**
 * Visits points whose cells need so many starts, 1 s each.
 *
 * @param {number[][]} points for each cell the starts that it needs
 * @param {number} budgetS
 * @returns {{starts: number[][], again: number, elapsedS: number}} how often each cell was started
 */
function visit(points, budgetS) {
  const groups = points.map((cells, point) =>
    cells.map((_, cell) => /** @type {Cell} */ (/** @type {unknown} */ ({ id: `${point} ${cell}` }))),
  );
  const starts = points.map((cells) => cells.map(() => 0));
  const placeOf = (/** @type {string} */ id) => id.split(' ').map(Number);
  let elapsedMs = 0;
  let again = 0;
  const visits = visitPoints(groups, {
    budgetMs: budgetS * 1000,
    elapsedMs: () => elapsedMs,
    leftOf: (cells) =>
      cells.flatMap(({ id }) => {
        const [point, cell] = placeOf(id);
        return starts[point][cell] < points[point][cell] ? id : [];
      }),
  });
  for (const each of visits) {
    if (each.again) again++;
    for (const { cells = [] } of each.starts) {
      for (const id of cells) {
        const [point, cell] = placeOf(id);
        starts[point][cell]++;
        elapsedMs += 1000;
      }
    }
  }
  return { starts, again, elapsedS: elapsedMs / 1000 };
}

describe('plan/visits', () => {
  it('each point gets what its decision takes, cell by cell', () => {
    const points = [
      [1, 1],
      [3, 1],
      [2, 2],
    ];
    assert.deepEqual(visit(points, 1000), { starts: points, again: 0, elapsedS: 10 });
  });

  it('undecided points get the time that the others save', () => {
    const points = [
      [9, 9],
      [1, 1],
      [1, 1],
    ];
    const { starts, again } = visit(points, 30);
    assert.deepEqual(starts, points);
    assert.ok(again > 0);
  });

  it('a budget is kept, and all points have their first start before one has all the time', () => {
    const { starts, elapsedS } = visit(new Array(5).fill([100, 100]), 30);
    assert.ok(elapsedS <= 30, `${elapsedS}`);
    assert.ok(
      starts.every(([first]) => first >= 2),
      starts.join(' '),
    );
  });

  it('a point that time no longer allows is left out', () => {
    const { starts, elapsedS } = visit(new Array(5).fill([1, 1]), 7);
    assert.ok(elapsedS <= 7);
    assert.deepEqual(starts.slice(3), [
      [0, 0],
      [0, 0],
    ]);
  });
});
