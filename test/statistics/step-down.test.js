import assert from 'node:assert/strict';
import { pairsOf } from '../../src/collections.js';
import { stepDown } from '../../src/statistics/step-down.js';
import { studentTwoSided } from '../../src/statistics/student.js';

const rounded = (/** @type {number[]} */ values) => values.map((value) => Number(value.toFixed(6)));

/** @param {number[]} ps of which no more is known */
const holm = (ps) =>
  stepDown(
    ps.map((p) => ({ p })),
    0.05,
  ).corrected;

describe('statistics/step-down', () => {
  it("has the values of R's p.adjust(p, 'holm') where nothing is known of what comparisons share", () => {
    assert.deepEqual(rounded(holm([0.01, 0.02, 0.03, 0.04])), [0.04, 0.06, 0.06, 0.06]);
    assert.deepEqual(rounded(holm([0.04, 0.01, 0.03])), [0.06, 0.03, 0.06]);
    assert.deepEqual(rounded(holm([0.5, 0.9, 0.7])), [1, 1, 1]);
  });

  it('leaves a single p as it is, and nothing nothing', () => {
    assert.deepEqual(holm([0.03]), [0.03]);
    assert.deepEqual(holm([]), []);
  });

  it('is sure of what cannot be chance', () => {
    const { corrected, left } = stepDown([{ p: 0 }, { p: 1 }], 0.05);
    assert.deepEqual(
      [corrected, left],
      [
        [0, 1],
        [2, 1],
      ],
    );
  });

  // From tables of the studentized range: 5 % of as many equal means, with 12 degrees of freedom, differ by so many standard errors.
  for (const [count, range] of [
    [4, 4.2],
    [10, 5.39],
  ])
    it(`claims of ${count} cells what Tukey's test claims, and no more`, () => {
      const estimate = {};
      const cells = Array.from({ length: count }, () => ({ cell: {}, variance: 1, estimate, degrees: 12 }));
      const correctedAt = (/** @type {number} */ t) => {
        const [first, ...others] = pairsOf(cells);
        const least = { p: studentTwoSided(t, 12), errors: first };
        return stepDown([least, ...others.map((errors) => ({ p: 0.5, errors }))], 0.05).corrected[0];
      };
      assert.ok(correctedAt((1.06 * range) / Math.SQRT2) < 0.05);
      assert.ok(correctedAt(range / Math.SQRT2 / 1.06) > 0.05);
    });

  it('tells by how many independent comparisons it decided: an interval at that level shows the same', () => {
    const estimate = {};
    const cells = Array.from({ length: 6 }, () => ({ cell: {}, variance: 1, estimate, degrees: 8 }));
    const comparisons = pairsOf(cells).map((errors, place) => ({ p: 1e-5 * 3 ** place, errors }));
    const { corrected, left } = stepDown(
      comparisons.map(({ p, errors }) => ({ p: Math.min(1, p), errors })),
      0.05,
    );
    for (const [place, { p }] of comparisons.entries())
      assert.equal(p <= 0.05 / left[place], corrected[place] <= 0.05, `${p}`);
  });
});
