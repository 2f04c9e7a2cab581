import assert from 'node:assert/strict';
import { loadCatalogue } from '../../src/commands/catalogue.js';
import { loadOptions } from '../../src/options/all-options.js';
import { resolveOptions } from '../../src/options/resolve-options.js';
import { visitPoints } from '../../src/plan/visits.js';
import { MAP_SUITE } from '../helpers/map-fixture.js';
import { planOf } from '../helpers/plan.js';

/** @import { Cell } from '../../src/plan/types.js' */

const CLIENTS = ['ioredis', 'redis'];

/** @param {Record<string, unknown>} conditions */
async function planned(conditions) {
  const own = { clients: CLIENTS, scenarios: 'shared-connection', rtt: '0', seed: 42 };
  const settings = resolveOptions({ ...own, ...conditions }, MAP_SUITE, await loadOptions());
  return planOf(settings, await loadCatalogue(), ['tcp']).groups;
}

/**
 * Visits points whose cells need so many starts, 1 s each, or what they are given of it.
 *
 * @param {Cell[][]} groups
 * @param {number[][]} needs of each cell of each point
 * @param {number} budgetS
 * @param {(cell: Cell) => boolean} [isLeftOut]
 * @param {(point: number) => boolean} [isTied]
 */
function visit(groups, needs, budgetS, isLeftOut = () => false, isTied = () => false) {
  const starts = needs.map((cells) => cells.map(() => 0));
  const placeOf = (/** @type {string} */ id) => {
    const point = groups.findIndex((cells) => cells.some((cell) => cell.id === id));
    return [point, groups[point].findIndex((cell) => cell.id === id)];
  };
  let elapsedMs = 0;
  /** @type {{index: number, life: string | null, again: boolean}[]} */
  const visits = [];
  const all = visitPoints(groups, {
    // What is kept for the end comes on top.
    budgetMs: budgetS * 1000 + 600,
    elapsedMs: () => elapsedMs,
    verdictOf: (cells) => ({
      left: cells.flatMap((cell) => {
        const [point, place] = placeOf(cell.id);
        return !isLeftOut(cell) && starts[point][place] < needs[point][place] ? cell.id : [];
      }),
      isTied: isTied(placeOf(cells[0].id)[0]),
    }),
    leftOutOf: (cells) => cells.filter(isLeftOut).map(({ id }) => id),
  });
  for (const { index, life, again, ...each } of all) {
    visits.push({ index, life, again });
    for (const { cells = [], leftMs } of each.starts) {
      const partMs = Math.max(100, Math.min(1000, Number(leftMs?.()) / cells.length));
      for (const id of cells) {
        const [point, place] = placeOf(id);
        starts[point][place]++;
        elapsedMs += partMs;
      }
    }
  }
  return { starts, visits, elapsedS: elapsedMs / 1000 };
}

/** @param {number} count */
const tasks = (count) => planned({ tasks: Array.from({ length: count }, (_, index) => index + 1) });

describe('plan/visits', () => {
  it('each point gets what its decision takes, cell by cell', async () => {
    const needs = [
      [1, 1],
      [3, 1],
      [2, 2],
    ];
    const { starts, elapsedS } = visit(await tasks(3), needs, 1000);
    assert.deepEqual(starts, needs);
    assert.equal(elapsedS, 10);
  });

  it('undecided points get the time that the others save', async () => {
    const needs = [
      [9, 9],
      [1, 1],
      [1, 1],
    ];
    const { starts, visits } = visit(await tasks(3), needs, 30);
    assert.deepEqual(starts, needs);
    assert.deepEqual(
      visits.flatMap(({ index, again }) => (again ? index : [])),
      new Array(8).fill(0),
    );
  });

  it('where time is short, points without a winner and a tie come before those that lack only who shares one', async () => {
    const needs = [
      [9, 9],
      [9, 9],
      [9, 9],
    ];
    const { starts } = visit(await tasks(3), needs, 8, undefined, (point) => point < 2);
    assert.deepEqual(starts, [
      [1, 1],
      [1, 1],
      [2, 2],
    ]);
  });

  it('a budget is kept, and all points have as many starts, give or take one', async () => {
    const { starts, elapsedS } = visit(await tasks(5), new Array(5).fill([100, 100]), 36);
    assert.ok(elapsedS <= 36, `${elapsedS}`);
    assert.deepEqual(starts.map(([first]) => first).toSorted(), [3, 3, 4, 4, 4]);
  });

  it('where time is short, every point is measured once before any is measured again', async () => {
    const { starts, elapsedS } = visit(await tasks(5), new Array(5).fill([9, 9]), 7);
    assert.ok(elapsedS <= 7, `${elapsedS}`);
    assert.deepEqual(starts, new Array(5).fill([1, 1]));
  });

  it('a budget is kept where even the shortest starts take longer', async () => {
    const { starts, elapsedS } = visit(await tasks(20), new Array(20).fill([1, 1]), 2);
    assert.ok(elapsedS <= 2.2, `${elapsedS}`);
    assert.ok(starts.filter(([first]) => first === 0).length > 0);
  });

  it('in a pass, workers go through all numbers of tasks and all distances, and not from a relay to none', async () => {
    const groups = await planned({ tasks: [64, 1, 8], rtt: '0,2ms,1ms' });
    const { visits } = visit(groups, new Array(9).fill([2, 2]), 1000);
    const lives = [...new Set(visits.map(({ life }) => life))];
    assert.deepEqual(
      lives.map((life) => visits.filter((each) => each.life === life).length),
      [3, 6, 3, 6],
    );
    const runs = visits.filter(({ life }, place) => life !== visits[place - 1]?.life);
    assert.equal(runs.length, lives.length, 'no life is interrupted by another');
    const tasksOf = (/** @type {{index: number}} */ { index }) => groups[index][0].tasks;
    // The corners first, then in order.
    assert.deepEqual(visits.slice(0, 3).map(tasksOf), [1, 64, 8]);
    assert.deepEqual(visits.slice(9, 12).map(tasksOf), [1, 8, 64]);
  });

  it('what is left out is never started', async () => {
    const isLeftOut = (/** @type {Cell} */ { client }) => client === 'redis';
    const { starts } = visit(await tasks(3), new Array(3).fill([2, 2]), 1000, isLeftOut);
    assert.deepEqual(starts, new Array(3).fill([2, 0]));
  });
});
