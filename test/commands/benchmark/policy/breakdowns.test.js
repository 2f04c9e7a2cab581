import assert from 'node:assert/strict';
import {
  bestFirst,
  beyondRunsMs,
  hasTimeForPass,
  keptForPassesMs,
} from '../../../../src/commands/benchmark/policy/breakdowns.js';
import { MEASURING } from '../../../../src/method.js';

/** @import { Settings } from '../../../../src/options/types.js' */

const { breakdownMs, bestBreakdowns } = MEASURING;
const CELLS = 12;

/** @type {(breakdown: Settings['breakdown'], settings?: Partial<Settings>) => Settings} */
const asked = (breakdown, settings) =>
  /** @type {Settings} */ ({ breakdown, races: true, budgetMs: undefined, ...settings });

describe('how many cells are broken down', () => {
  it('none where nobody asks', () => {
    const none = asked('none');
    assert.deepEqual([beyondRunsMs(none, CELLS), keptForPassesMs(none, CELLS, 30_000)], [0, 0]);
    assert.equal(hasTimeForPass(none, CELLS, 0, 30_000), false);
  });

  it('all that were asked for, after the runs; at most half of the time that the user gives is for them', () => {
    const all = asked('all');
    assert.equal(beyondRunsMs(all, CELLS), CELLS * breakdownMs);
    assert.equal(keptForPassesMs(all, CELLS, 30_000), 0);
    assert.equal(hasTimeForPass(all, CELLS, CELLS - 1, -1), true);
    const inTime = asked('all', { budgetMs: 20_000 });
    assert.equal(keptForPassesMs(inTime, CELLS, 20_000), 10_000);
    assert.equal(keptForPassesMs(inTime, 2, 20_000), 2 * breakdownMs);
    assert.equal(hasTimeForPass(inTime, CELLS, 0, breakdownMs), true);
    assert.equal(hasTimeForPass(inTime, CELLS, 0, breakdownMs - 1), false);
  });

  it('a few of the best, out of the time of a race, a fifth at most', () => {
    const best = asked('best');
    assert.equal(beyondRunsMs(best, CELLS), 0);
    assert.equal(keptForPassesMs(best, CELLS, 10_000), 2000);
    assert.equal(keptForPassesMs(best, CELLS, 100_000), bestBreakdowns * breakdownMs);
    assert.equal(hasTimeForPass(best, CELLS, bestBreakdowns - 1, breakdownMs), true);
    assert.equal(hasTimeForPass(best, CELLS, bestBreakdowns, 30_000), false);
    assert.equal(hasTimeForPass(best, CELLS, 0, breakdownMs - 1), false);
  });

  it('a few of the best after runs of a fixed number or rate', () => {
    const fixed = asked('best', { races: false });
    assert.equal(beyondRunsMs(fixed, CELLS), bestBreakdowns * breakdownMs);
    assert.equal(keptForPassesMs(fixed, CELLS, 30_000), 0);
    assert.equal(hasTimeForPass(fixed, CELLS, 0, -1), true);
    assert.equal(hasTimeForPass(fixed, 1, 1, 30_000), false);
  });

  it('the best of each group first, then the second of each', () => {
    const cells = [
      { group: 'a', opsPerSecond: 1 },
      { group: 'a', opsPerSecond: 3 },
      { group: 'b', opsPerSecond: 20 },
      { group: 'a', opsPerSecond: 2 },
      { group: 'b', opsPerSecond: 10 },
    ];
    assert.deepEqual(
      bestFirst(cells).map(({ opsPerSecond }) => opsPerSecond),
      [3, 20, 2, 10, 1],
    );
  });
});
