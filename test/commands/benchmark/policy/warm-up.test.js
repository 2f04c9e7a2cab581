import assert from 'node:assert/strict';
import {
  FULL_WARM_UP,
  nextWindowMs,
  perMsIn,
  warmUpTime,
} from '../../../../src/commands/benchmark/policy/warm-up.js';
import { MEASURING } from '../../../../src/method.js';
import { createRandom } from '../../../helpers/random.js';

const TASKS = 8;
const FLOOR_US = 6;

/** @param {number} operations so far @returns {number} µs of CPU, as of redis:tuned with 8 tasks */
const costAfter = (operations) => FLOOR_US + 30 * Math.exp(-operations / 8000);

/**
 * @param {number} seed @param {number} share of its time in which other programs leave it the processor
 * @param {{warmupRuns?: number, smoke?: boolean}} [settings] @param {typeof FULL_WARM_UP} [time]
 */
function warm(seed, share, settings, time = FULL_WARM_UP) {
  const { normal, uniform } = createRandom(seed);
  let operations = 0;
  /** @type {any[]} */
  const windows = [];
  let elapsedMs = 0;
  const plan = { ...time, settings: { warmupRuns: 1, smoke: false, runTimeMs: 200, ...settings } };
  for (;;) {
    const durationMs = nextWindowMs(windows, plan, elapsedMs);
    if (durationMs === null) break;
    elapsedMs += durationMs;
    const cpuUs = costAfter(operations) * Math.exp(0.05 * normal());
    const runsMs = share < 1 ? durationMs * Math.min(1, share * (0.8 + 0.4 * uniform())) : durationMs;
    const each = Math.ceil((runsMs * 1000) / cpuUs / TASKS);
    operations += TASKS * each;
    windows.push({
      measured: {
        taskIterations: Array.from({ length: TASKS }, () => each),
        elapsedMs: durationMs,
        client: { cpuUs: runsMs * 1000, appWorkUs: 0, pageFaults: 0 },
      },
      seen: null,
      relay: null,
      runQueue: {
        workerQueuedMs: durationMs - runsMs,
        workerRanMs: runsMs,
        serverQueuedMs: 0,
        stolenMs: 0,
      },
    });
  }
  return { operations, windows: windows.length, elapsedMs, perMs: perMsIn(windows) };
}

const many = (/** @type {number} */ share) => Array.from({ length: 100 }, (_, seed) => warm(seed + 1, share));

describe('commands/benchmark/policy/warm-up', () => {
  for (const share of [1, 0.4])
    it(`lasts until its CPU is level, where others leave it ${share * 100} % of its time`, () => {
      const cold = many(share).filter(({ operations }) => costAfter(operations) > 1.1 * FLOOR_US);
      assert.ok(cold.length <= 5, `${cold.length} of 100 are more than 10 % too slow`);
    });

  it('is short: 0.65 s at most, without the time that it waited for CPU', () => {
    const most = Math.ceil(MEASURING.warmUpMs / MEASURING.windowMs);
    assert.ok(many(1).every(({ windows }) => windows <= most));
    assert.ok(many(0.1).every(({ windows }) => windows <= MEASURING.patience * most));
  });

  it('waits less long beside other programs where time is short', () => {
    const { warmUpMs, windowMs, patience } = MEASURING;
    for (const times of [1.5, patience]) {
      const { elapsedMs } = warm(1, 0.1, {}, { ...FULL_WARM_UP, patience: times });
      assert.ok(elapsedMs >= times * warmUpMs, `${elapsedMs}`);
      assert.ok(elapsedMs <= times * warmUpMs + patience * windowMs, `${elapsedMs}`);
    }
  });

  it('tells how many iterations of a task take a millisecond', () => {
    const { perMs } = warm(1, 1);
    assert.ok(Math.abs(Number(perMs) / (1000 / FLOOR_US / TASKS) - 1) < 0.15, `${perMs}`);
  });

  it('is one window without a warm-up and in a smoke run, and shorter where time is short', () => {
    assert.equal(warm(1, 1, { warmupRuns: 0 }).windows, 1);
    assert.equal(warm(1, 1, { smoke: true }).windows, 1);
    assert.ok(
      warm(1, 1, {}, { ...FULL_WARM_UP, part: 1 / 4 }).windows <=
        Math.ceil(MEASURING.warmUpMs / 4 / MEASURING.windowMs),
    );
  });

  for (const [what, expected, cells, given] of /** @type {const} */ ([
    ['12 cells in the default time', { part: 1, patience: 1.5 }, 12, {}],
    ['8 cells in the default time', { part: 1, patience: 2 }, 8, {}],
    ['2 cells in the default time', FULL_WARM_UP, 2, {}],
    ['4 cells of a later start', { part: 0.55, patience: 3 }, 4, { starts: 2 }],
    ['12 cells at a distance', { part: 0.55, patience: 2.42 }, 12, { isFar: true }],
    ['12 cells of starts that are given', FULL_WARM_UP, 12, { planned: [3, 3] }],
    ['12 cells in 6 s', { part: 0.4, patience: 1.5 }, 12, { budgetMs: 6000, leftMs: 4560 }],
  ]))
    it(`of ${what} takes ${expected.part} of its time, and ${expected.patience} times as long beside other programs`, () => {
      const { planned = 'race', budgetMs, leftMs = 26_000, starts = 1, isFar } = /** @type {any} */ (given);
      const state = { planned, leftMs, starts, isStrict: budgetMs !== undefined };
      const time = warmUpTime(state, cells, { settings: { warmupRuns: 1 }, states: [false], isFar });
      assert.deepEqual(rounded(time), rounded(expected));
    });
});

/** @param {{part: number, patience: number}} time */
const rounded = ({ part, patience }) => [part, patience].map((each) => each.toFixed(2));
