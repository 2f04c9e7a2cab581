import assert from 'node:assert/strict';
import { untilWarm } from '../../src/runner/until-warm.js';
import { createRandom } from '../helpers/random.js';

/** @import { CellRunner } from '../../src/runner/run-cell.js' */

const TASKS = 8;
const FLOOR_US = 6;

/** @param {number} operations so far @returns {number} µs of CPU, as of redis:tuned with 8 tasks */
const costAfter = (operations) => FLOOR_US + 30 * Math.exp(-operations / 8000);

/**
 * @param {number} seed
 * @param {number} share of its time in which other programs leave it the processor
 * @param {number} [fewest] operations that an earlier start took
 */
async function warmUp(seed, share, fewest) {
  const { normal, uniform } = createRandom(seed);
  const runner = {
    cell: { tasks: TASKS },
    operations: 0,
    cold: false,
    learn: (/** @type {{warm?: boolean}} */ { warm }) => {
      runner.cold = warm === false;
    },
    remark() {},
    warmUp: windowOf,
  };
  /** @param {{durationMs: number}} window */
  async function windowOf({ durationMs }) {
    const cpuUs = costAfter(runner.operations) * Math.exp(0.1 * normal());
    const each = Math.ceil((durationMs * 1000 * share * (0.5 + uniform())) / cpuUs / TASKS);
    const count = TASKS * each;
    runner.operations += count;
    return {
      taskIterations: Array.from({ length: TASKS }, () => each),
      elapsedMs: durationMs,
      client: { cpuUs: cpuUs * count, appWorkUs: 0 },
    };
  }
  const context = { settings: { smoke: false, warmupRuns: 1 }, signal: new AbortController().signal };
  const windowing = { windowMs: 75, isEnough: () => false, fewest };
  const found = await untilWarm(
    /** @type {CellRunner} */ (/** @type {unknown} */ (runner)),
    /** @type {any} */ (context),
    windowing,
  );
  return { ...runner, iterations: Number(found?.iterations), isWarm: found?.isWarm };
}

describe('runner/until-warm', () => {
  for (const share of [1, 0.3, 0.1]) {
    it(`runs a cell until its CPU no longer falls, where others leave it ${share * 100} % of its time`, async () => {
      const all = await Promise.all(Array.from({ length: 100 }, (_, seed) => warmUp(seed + 1, share)));
      const early = all.filter(({ operations, cold }) => !cold && costAfter(operations) > 1.25 * FLOOR_US);
      assert.ok(early.length <= 5, `${early.length} of 100 are not warm`);
    });
  }

  it('gives later starts all of the operations that made an earlier one warm', async () => {
    const first = await warmUp(1, 1);
    assert.equal(first.iterations * TASKS, first.operations);
    const later = await warmUp(2, 1, 3 * first.operations);
    assert.ok(later.isWarm && later.operations >= 3 * first.operations);
  });
});
