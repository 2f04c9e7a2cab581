import assert from 'node:assert/strict';
import { isKnownToBeSlow, untilWarm } from '../../src/runner/until-warm.js';
import { createRandom } from '../helpers/random.js';

/** @import { CellRunner } from '../../src/runner/run-cell.js' */

const TASKS = 8;
const FLOOR_US = 6;

/** Iterations of a task. */
const WARM_PER_MS = 1000 / FLOOR_US / TASKS;

/** @param {number} operations so far @returns {number} µs of CPU, as of redis:tuned with 8 tasks */
const costAfter = (operations) => FLOOR_US + 30 * Math.exp(-operations / 8000);

/**
 * @param {number} seed
 * @param {number} share of its time in which other programs leave it the processor
 * @param {{isEnough?: (windows: unknown[]) => boolean, isOver?: () => boolean}} [ends] for another reason
 */
async function warmUp(seed, share, ends) {
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
  const windowing = { windowMs: 75, isEnough: () => false, ...ends };
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

  it('tells later starts how many operations made the first one warm', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, (_, seed) => warmUp(seed + 1, 1)));
    const cold = all.filter(({ iterations }) => costAfter(iterations * TASKS) > 1.25 * FLOOR_US);
    assert.ok(cold.length <= 5, `${cold.length} of 100 later starts are not warm`);
    assert.ok(all.every(({ iterations, operations }) => iterations * TASKS < 0.6 * operations));
  });

  it('gives later starts all of the operations where the first one was not warm', async () => {
    const cut = await warmUp(1, 1, { isEnough: (windows) => windows.length > 2 });
    assert.equal(cut.isWarm, false);
    assert.equal(cut.iterations * TASKS, cut.operations);
  });

  it('warms a cell that is three times slower than another to the end, though it looks far slower while it is cold', async () => {
    const rivals = [3 * WARM_PER_MS];
    const isEnough = (/** @type {any} */ windows) => isKnownToBeSlow(windows, rivals);
    const all = await Promise.all(Array.from({ length: 20 }, (_, seed) => warmUp(seed + 1, 1, { isEnough })));
    assert.ok(all.every(({ isWarm }) => isWarm));
  });

  it('ends early where another is so much faster that warmth changes no conclusion', async () => {
    const rivals = [100 * WARM_PER_MS];
    const slow = await warmUp(1, 1, {
      isEnough: (/** @type {any} */ windows) => isKnownToBeSlow(windows, rivals),
    });
    const whole = await warmUp(1, 1);
    assert.ok(slow.operations < whole.operations / 2, `${slow.operations} of ${whole.operations}`);
  });

  it('says which cells were cold when their time was over', async () => {
    let looks = 0;
    const cut = await warmUp(1, 0.3, { isOver: () => ++looks > 12 });
    assert.ok(cut.cold);
  });
});
