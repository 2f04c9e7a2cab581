import assert from 'node:assert/strict';
import { decidePoint } from '../../../src/analysis/findings/decide-point.js';
import { errorOfLook, NO_MATTER } from '../../../src/analysis/statistics/sequential.js';
import { createRandom } from '../../helpers/random.js';
import { goodRun } from '../../helpers/report-fixture.js';

const TRIALS = 100;
/** More than a map of five minutes has. */
const MOST_STARTS = 12;

/**
 * A point, started until it is decided.
 *
 * @param {ReturnType<typeof createRandom>} random
 * @param {number[]} speeds of its cells
 * @param {number | number[]} luck how much starts differ; of each cell, where they are not alike
 * @returns {{verdict: ReturnType<typeof decidePoint>, everBehind: Set<number>}}
 */
function sequence({ normal }, speeds, luck) {
  const cells = speeds.map((_, place) => ({ id: String(place), runs: /** @type {any[]} */ ([]) }));
  /** @type {Set<number>} */
  const everBehind = new Set();
  const luckOf = (/** @type {number} */ place) => (typeof luck === 'number' ? luck : luck[place]);
  let verdict = decidePoint(cells);
  for (let start = 1; start <= MOST_STARTS && (start === 1 || verdict.left.length > 0); start++) {
    const left = start === 1 ? cells.map(({ id }) => id) : verdict.left;
    for (const cell of cells.filter(({ id }) => left.includes(id))) {
      const perSecond = 1e5 * speeds[Number(cell.id)] * Math.exp(luckOf(Number(cell.id)) * normal());
      const run = goodRun(start, { tasks: 1, iterations: 1000, averageMs: 10 });
      cell.runs.push({ ...run, start, opsPerSecond: perSecond, slices: slicesAround(perSecond, normal) });
    }
    verdict = decidePoint(cells);
    for (const { cell, standing } of verdict.standing)
      if (standing === 'behind') everBehind.add(Number(cell));
  }
  return { verdict, everBehind };
}

/** @param {number} perSecond @param {() => number} normal */
const slicesAround = (perSecond, normal) =>
  [1, 2].map(() => ({ elapsedMs: 60, operations: perSecond * 0.06 * Math.exp(0.05 * normal()) }));

describe('a point of a map is decided by looking again after each start', function () {
  this.timeout(120_000);

  it('the error of all looks together is 3 %, however many there are', () => {
    const sum = Array.from({ length: 100_000 }, (_, index) => errorOfLook(index + 1)).reduce((a, b) => a + b);
    assert.ok(sum < 0.03 && sum > 0.0299, `${sum}`);
  });

  for (const [cells, luck] of [
    [2, 0.03],
    [6, 0.03],
    [3, 0.08],
  ]) {
    it(`of ${cells} equal cells, starts that differ by ${luck * 100} %, one is ever called behind in at most 5 % of the points`, function () {
      const random = createRandom(cells * 100 + luck * 1000);
      let wrong = 0;
      let ties = 0;
      for (let trial = 0; trial < TRIALS; trial++) {
        const { everBehind, verdict } = sequence(random, new Array(cells).fill(1), luck);
        if (everBehind.size > 0) wrong++;
        else if (verdict.state === 'decided') ties++;
      }
      /** @type {Mocha.Runnable} */ (this.test).title +=
        `: ${(wrong / TRIALS) * 100} %; ${((ties / TRIALS) * 100).toFixed(0)} % end as a tie of all`;
      assert.ok(wrong / TRIALS <= 0.05, `${wrong}`);
      if (luck <= 0.03) assert.ok(ties / TRIALS > 0.6, `${ties}`);
    });
  }

  it('so it is where they do not vary alike', () => {
    const random = createRandom(11);
    let wrong = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      if (sequence(random, [1, 1, 1, 1], [0.01, 0.02, 0.04, 0.08]).everBehind.size > 0) wrong++;
    }
    assert.ok(wrong / TRIALS <= 0.05, `${wrong}`);
  });

  it('cells that are just not as good are called so in at most 5 % of the points', () => {
    const random = createRandom(5);
    const speeds = [1, 1 / NO_MATTER ** 1.01, 1 / NO_MATTER ** 1.01];
    let wrong = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const { verdict } = sequence(random, speeds, 0.03);
      if (verdict.standing.some(({ cell, standing }) => cell !== '0' && standing === 'good')) wrong++;
    }
    assert.ok(wrong / TRIALS <= 0.05, `${wrong}`);
  });

  for (const [ahead, cells] of [
    [1.2, 3],
    [1.3, 6],
    [3, 12],
  ]) {
    it(`a cell that is ${ahead} times as fast as ${cells - 1} others wins alone`, () => {
      const random = createRandom(cells);
      let found = 0;
      for (let trial = 0; trial < TRIALS; trial++) {
        const { verdict } = sequence(random, [...new Array(cells - 1).fill(1), ahead], 0.03);
        if (verdict.state === 'decided' && verdict.winners.join() === String(cells - 1)) found++;
      }
      assert.ok(found / TRIALS > 0.9, `${found}`);
    });
  }

  it('what is far behind is not started a second time, and the rest is', () => {
    const { verdict } = sequence(createRandom(3), [1, 1.02, 0.3], 0.01);
    const { state, winners, standing } = verdict;
    assert.equal(state, 'decided');
    assert.deepEqual(winners.toSorted(), ['0', '1']);
    assert.equal(standing.at(-1)?.cell, '2');
    assert.ok(verdict.starts >= 2);
  });
});
