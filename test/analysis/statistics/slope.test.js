import assert from 'node:assert/strict';
import { trendOf } from '../../../src/analysis/statistics/slope.js';
import { createRandom } from '../../helpers/random.js';

const SERIES = 400;
/** Of two hours, and of five minutes without their warm-up. */
const LENGTHS = [180, 45];

/** @param {number[]} values */
const ofValues = (values) => trendOf(values.map((y, x) => ({ x, y })));

/** @param {(random: ReturnType<typeof createRandom>, length: number) => number[]} make @param {number} length */
function shareWithTrend(make, length) {
  const random = createRandom(length);
  const found = Array.from({ length: SERIES }, () => ofValues(make(random, length)).low > 0);
  return found.filter(Boolean).length / SERIES;
}

/** @type {Record<string, Parameters<typeof shareWithTrend>[0]>} */
const WITHOUT_TREND = {
  'flat series with noise': ({ normal }, length) => Array.from({ length }, normal),
  'a saw-tooth of several teeth': ({ normal, uniform }, length) => {
    const [shift, tooth] = [uniform() * length, length / 6];
    return Array.from({ length }, (_, x) => ((x + shift) % tooth) + normal());
  },
  'values that are like the ones before them, AR(1) with 0.8': ({ normal }, length) => {
    let value = normal() / Math.sqrt(1 - 0.8 ** 2);
    return Array.from({ length }, () => {
      value = 0.8 * value + normal();
      return value;
    });
  },
};

describe('statistics/slope', () => {
  for (const [what, make] of Object.entries(WITHOUT_TREND)) {
    it(`finds growth in at most 5 % of ${what}`, () => {
      for (const length of LENGTHS) {
        const share = shareWithTrend(make, length);
        assert.ok(share <= 0.05, `${share} of ${length} values each`);
      }
    });
  }

  it('finds a slope, with an interval that holds it', () => {
    const { normal } = createRandom(1);
    const values = Array.from({ length: 45 }, (_, x) => 1000 + 0.5 * x + 2 * normal());
    const { from, slope, low, high, late } = ofValues(values);
    assert.ok(low > 0 && low <= 0.5 && high >= 0.5, `${low} to ${high}`);
    assert.ok(Math.abs(slope - 0.5) < 0.1 && Math.abs(late - 0.5) < 0.3, `${slope}, ${late}`);
    assert.ok(Math.abs(from - 1000) < 5);
  });

  it('is not moved by single outliers', () => {
    const values = Array.from({ length: 45 }, (_, x) => (x % 11 === 0 ? 1e6 : x));
    assert.equal(ofValues(values).slope, 1);
  });
});
