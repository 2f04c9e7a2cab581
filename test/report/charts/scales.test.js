import assert from 'node:assert/strict';
import {
  logDomain,
  logPosition,
  logTicks,
  ninesText,
  ninesTicks,
} from '../../../src/report/charts/scales.js';

describe('charts/scales: logarithms', () => {
  it('the domain holds every value, with room at both ends', () => {
    const [low, high] = logDomain([2000, 70_000, 300]);
    assert.ok(low < 300 && high > 70_000);
    assert.ok(low > 250 && high < 80_000);
  });
  it('values that are nearly the same do not fill it', () => {
    for (const values of [[1000], [1000, 1001], [1000, 1400]]) {
      const [low, high] = logDomain(values);
      assert.ok(high / low >= 1.5, `${low} to ${high}`);
      assert.ok(low < 1000 && high > 1400 / 1.2);
    }
  });
  it('there is one without values', () => {
    const [low, high] = logDomain([]);
    assert.ok(low > 0 && high > low);
  });
  for (const [domain, most, expected] of /** @type {[[number, number], number, number[]][]} */ ([
    [[1500, 80_000], 6, [2000, 5000, 10_000, 20_000, 50_000]],
    [[1500, 80_000], 4, [3000, 10_000, 30_000]],
    [[1, 1e6], 7, [1, 10, 100, 1000, 10_000, 100_000, 1e6]],
    [[1, 1e6], 4, [1, 100, 10_000, 1e6]],
    [[41_000, 44_500], 4, [41_000, 42_000, 43_000, 44_000]],
    [[0.2, 3], 4, [0.2, 0.5, 1, 2]],
  ])) {
    it(`at most ${most} ticks from ${domain.join(' to ')}: ${expected.join(', ')}`, () => {
      assert.deepEqual(logTicks(domain, most), expected);
    });
  }
  it('equal ratios are equal distances', () => {
    assert.equal(logPosition(10, [10, 1000]), 0);
    assert.ok(Math.abs(logPosition(100, [10, 1000]) - 0.5) < 1e-12);
    assert.equal(logPosition(1000, [10, 1000]), 1);
  });
});

describe('charts/scales: nines', () => {
  for (const [last, most, expected] of /** @type {[number, number, string[]][]} */ ([
    [3, 5, ['50', '90', '99', '99.9']],
    [5.2, 8, ['50', '90', '99', '99.9', '99.99', '99.999']],
    [5.2, 3, ['99', '99.99']],
    [0.7, 5, ['50']],
    [7, 2, ['99.99']],
  ])) {
    it(`up to ${last} nines with room for ${most}: ${expected.join(', ')}`, () => {
      assert.deepEqual(ninesTicks(last, most).map(ninesText), expected);
    });
  }
});
