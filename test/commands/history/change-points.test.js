import assert from 'node:assert/strict';
import { changePoints, inflationOf } from '../../../src/commands/history/change-points.js';
import { createRandom } from '../../helpers/random.js';

const { normal } = createRandom(3);
const LENGTH = 100;
const NOISE = 0.01;

/** @type {Record<string, () => number>} */
const SHAPES = {
  normal,
  skewed: () => Math.exp(normal()),
  'heavy-tailed (t with 3 degrees)': () => normal() / Math.hypot(normal(), normal(), normal()),
  'heavier than any (Cauchy)': () => Math.max(-300, Math.min(300, normal() / normal())),
};

/** @param {number} length @param {() => number} draw @param {(at: number) => number} [levelOf] */
const noisy = (length, draw, levelOf = () => 1) =>
  Array.from({ length }, (_, at) => levelOf(at) * Math.exp(NOISE * draw()));

/** @param {number} correlation of each value with the one before */
function autoregressive(correlation) {
  let now = normal();
  return noisy(LENGTH, () => {
    now = correlation * now + Math.sqrt(1 - correlation ** 2) * normal();
    return now;
  });
}

/** @param {number[][]} all measured together */
const found = (all) =>
  changePoints(
    all.map((values) => ({
      values,
      units: values.map((_, at) => `${at}`),
      pool: 'one',
      inflation: inflationOf(all),
    })),
  );

/** @param {number} times @param {() => number[][]} make @returns {number} how many of them claim a change */
const claims = (times, make) =>
  Array.from({ length: times }, make).filter((all) => found(all).some((changes) => changes.length > 0))
    .length;

describe('commands/history/change-points', () => {
  // Of 200 at 5 % more than 20 come by chance once in 500 times; the seed is fixed.
  for (const [shape, draw] of Object.entries(SHAPES)) {
    it(`at most 5 % of series of 100 without a change claim one: ${shape}`, () => {
      assert.ok(claims(200, () => [noisy(LENGTH, draw)]) <= 20);
    });
  }

  for (const correlation of [0.3, 0.6]) {
    it(`nor do those whose results resemble the one before: ${correlation}`, () => {
      assert.ok(claims(200, () => [autoregressive(correlation)]) <= 20);
    });
  }

  it('at most 5 % of families of 12 alike cells claim any', () => {
    const family = () => {
      const common = noisy(40, normal);
      return Array.from({ length: 12 }, () =>
        common.map((value) => value * Math.exp((NOISE / 2) * normal())),
      );
    };
    assert.ok(claims(60, family) <= 8);
  });

  it('finds a lasting step of 3 % within 5 results, where the noise is 1 %', () => {
    const step = () => [noisy(LENGTH, normal, (at) => (at >= LENGTH - 5 ? 1.03 : 1))];
    assert.ok(claims(40, step) >= 36);
  });

  it('says where: of several steps each, and what it may as well have begun with', () => {
    const levels = noisy(60, normal, (at) => (at >= 40 ? 2.2 : at >= 20 ? 1.1 : 1));
    const [changes] = found([levels]);
    assert.deepEqual(
      changes.map(({ at }) => at),
      [20, 40],
    );
    for (const { at, candidates, pAdjusted } of changes) {
      assert.ok(candidates.includes(at));
      assert.ok(pAdjusted <= 0.05);
    }
    assert.deepEqual(found([levels]), [changes], 'the same each time');
  });

  it('finds the step of a few releases, but only where one may be', () => {
    const values = noisy(12, normal, (at) => (at >= 6 ? 5.2 : 1));
    const units = values.map((_, at) => `${at}`);
    assert.deepEqual(
      changePoints([{ values, units, pool: 'one' }])[0].map(({ at }) => at),
      [6],
    );
    const mayBegin = values.map((_, at) => at % 4 === 0);
    const [coarse] = changePoints([{ values, units, pool: 'one', mayBegin }]);
    assert.ok(coarse.every(({ at }) => at % 4 === 0));
  });

  it('claims nothing of one outlier, of few values, nor of what never varies', () => {
    const outlier = noisy(50, normal, (at) => (at === 49 ? 10 : 1));
    const few = noisy(7, normal, (at) => (at >= 4 ? 5 : 1));
    assert.deepEqual(found([outlier, few, Array(50).fill(1.1), [], [1]]), [[], [], [], [], []]);
  });

  it('does not begin a change with the value before a last one that differs', () => {
    // Instructions of redis 5.5 to 6.0; the last of 5 is the largest of them.
    const values = [18_614, 18_896, 18_905, 18_876, 18_901, 19_063, 19_036, 19_101, 19_456];
    assert.deepEqual(found([[...values, 133_696]]), [[]]);
    const [changes] = found([[...values, 133_696, 133_512]]);
    assert.equal(changes.at(-1)?.at, values.length);
  });

  it('a series that never varies does not hide the step of another', () => {
    const step = noisy(50, normal, (at) => (at >= 25 ? 1.1 : 1));
    assert.equal(found([Array(50).fill(1234.5), step])[1].length, 1);
  });
});
