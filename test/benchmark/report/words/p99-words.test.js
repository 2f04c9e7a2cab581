import assert from 'node:assert/strict';
import { openLoopRun } from '../../../helpers/open-loop-fixture.js';
import { createFixture } from '../../../helpers/report-fixture.js';

/** @import { Cell } from '../../../../src/core/plan/types.js' */

/**
 * @param {(cell: Cell, run: number) => number} p99Ms
 * @param {number} runs
 * @param {Record<string, unknown>} [given]
 */
const reportOf = (p99Ms, runs, given) =>
  createFixture({
    given: {
      clients: 'redis,ioredis',
      scenarios: 'shared-connection,pool',
      poolSize: '10',
      appWork: '0,200us',
      rate: 1000,
      durationMs: 1000,
      runs,
      ...given,
    },
    measured: (cell) => ({
      iterations: null,
      runs: Array.from({ length: runs }, (_, index) =>
        openLoopRun(index + 1, { latenciesUs: [10], p99Us: 1000 * p99Ms(cell, index) }),
      ),
    }),
  });

/** @param {Cell} cell */
const isHeldUp = ({ scenario, appWorkUs }) => appWorkUs > 0 && scenario === 'shared-connection';

/** Runs of one cell lie up to three times apart. @param {Cell} cell @param {number} run */
const p99Ms = (cell, run) => (isHeldUp(cell) ? 150 : 1) * [1, 3, 1.5, 2.5, 2, 1.2, 2.8][run];

describe('words/p99-words', () => {
  it('says under which conditions p99 differs, and for whom', async () => {
    const { advice } = await reportOf(p99Ms, 6);
    assert.equal(
      advice[1],
      'With 200 µs of app work p99 is significantly lower with "pool of 10" (1.8 ms) than with "shared connection" (260 ms). With no app work no significant difference in p99 (1.8 ms).',
    );
  });

  it('of too few runs it says what they showed, and how many would do', async () => {
    const spread = (/** @type {Cell} */ cell, /** @type {number} */ run) =>
      isHeldUp(cell) ? 150 + run : [1, 12, 4][run];
    const { advice } = await reportOf(spread, 3);
    assert.match(
      advice[1],
      /^With 200 µs of app work p99 was lower in every run with "pool of 10" \(4 ms\) than with "shared connection" \(150 ms\); 3 runs are too few to rule out chance, about \d+ are needed\. With no app work/,
    );
  });

  it('nothing is said to differ where nothing does', async () => {
    const { advice } = await reportOf((_, run) => 1 + run / 10, 5);
    assert.equal(advice[1], 'No significant difference in p99 under any of these conditions (1.2 ms).');
    const single = await reportOf(() => 1, 1, { appWork: '0' });
    assert.equal(single.advice[1], 'Too few runs to compare p99 (1 ms).');
  });
});
