import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nextRate } from '../../../../src/commands/benchmark/policy/rate-search.js';
import { mostSearchRuns } from '../../../../src/run/plan/plan.js';

/** @import { RateRange } from '../../../../src/options/types.js' */

/**
 * @param {RateRange} range
 * @param {(rate: number) => boolean} isHeld
 * @returns {number[]} the rates that were tried
 */
function tried(range, isHeld) {
  /** @type {{rate: number, held: boolean}[]} */
  const all = [];
  for (let rate = nextRate(range, all); rate !== null; rate = nextRate(range, all))
    all.push({ rate, held: isHeld(rate) });
  return all.map(({ rate }) => rate);
}

describe('commands/benchmark/policy/rate-search', () => {
  it('goes up by doubling, then halves what is left by ratio', () => {
    assert.deepEqual(
      tried([10_000, 400_000], (rate) => rate <= 100_000),
      [10_000, 20_000, 40_000, 80_000, 160_000, 113_000, 95_100, 104_000, 99_500],
    );
  });

  it('ends at once where not even the lowest is held', () => {
    assert.deepEqual(
      tried([500, 1000], () => false),
      [500],
    );
  });

  it('ends at the highest where all are held, and tries that one even if it is no double', () => {
    assert.deepEqual(
      tried([300, 1000], () => true),
      [300, 600, 1000],
    );
  });

  it('finds any limit to within a twentieth, in no more runs than it foresees', () => {
    const limits = fc.tuple(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 2, max: 1000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(limits, ([low, factor, where]) => {
        const high = low * factor;
        const limit = low * factor ** where;
        const rates = tried([low, high], (rate) => rate <= limit);
        const held = Math.max(...rates.filter((rate) => rate <= limit));
        const broken = Math.min(...rates.filter((rate) => rate > limit));
        assert.ok(held >= low && Math.max(...rates) <= high);
        assert.ok(held === high || broken / held <= 1.05 || broken - held === 1);
        assert.equal(new Set(rates).size, rates.length);
        assert.ok(rates.length * 3 <= mostSearchRuns([low, high]));
      }),
      { numRuns: 10_000 },
    );
  });
});
