import assert from 'node:assert/strict';
import { FIRST_NINES, latencyCurve } from '../../src/statistics/latency.js';
import { latencyText } from '../../src/store/metrics.js';
import { latencyFixture } from '../helpers/latency-fixture.js';

describe('statistics/latency', () => {
  const thousand = latencyFixture(Array.from({ length: 1000 }, (_, index) => index + 1));

  it('has the percentiles of what was counted', () => {
    const { count, minUs, meanUs, p50Us, p90Us, p99Us, p999Us, maxUs } = thousand;
    assert.equal(count, 1000);
    for (const [found, expected] of [
      [minUs, 1],
      [meanUs, 500.5],
      [p50Us, 500],
      [p90Us, 900],
      [p99Us, 990],
      [p999Us, 999],
      [maxUs, 1000],
    ])
      assert.ok(Math.abs(found / expected - 1) <= 0.002, `${found} instead of ${expected}`);
  });
  it('the curve goes through the percentiles', () => {
    const curve = latencyCurve(thousand.hdr);
    for (const nines of [0.301, 1, 2]) {
      const percentile = 1000 * (1 - 10 ** -nines);
      const point = curve.find((each) => each.nines >= nines);
      // Points lie a sixteenth of a nine apart, and counts up to 0.2 % beside.
      const next = 1000 * (1 - 10 ** -(nines + 1 / 16));
      assert.ok(
        point && point.us >= percentile * 0.99 && point.us <= next * 1.01 + 1,
        `${point?.us} at ${nines}`,
      );
    }
  });
  it('it begins at the tenth percentile and ends at the slowest operation', () => {
    const curve = latencyCurve(thousand.hdr);
    assert.equal(curve[0].nines, FIRST_NINES);
    assert.ok(Math.abs(curve[0].us - 100) <= 1);
    assert.deepEqual(curve.at(-1), { nines: 3, us: thousand.maxUs });
  });
  it('it never falls', () => {
    const curve = latencyCurve(latencyFixture([5, 5, 5, 900, 1, 7, 3000, 12]).hdr);
    for (const [index, { nines, us }] of curve.entries()) {
      if (index === 0) continue;
      assert.ok(us >= curve[index - 1].us && nines > curve[index - 1].nines);
    }
  });
  it('one operation is one point', () => {
    const { hdr, maxUs } = latencyFixture([42]);
    assert.deepEqual(latencyCurve(hdr), [{ nines: 0, us: maxUs }]);
  });
});

describe('a percentile in print', () => {
  it('is blank where fewer operations than it takes show it; what is stored stays', () => {
    const texts = [1, 99, 100, 999, 1000].map((count) => {
      const latency = latencyFixture(Array.from({ length: count }, () => 20));
      assert.ok(latency.p99Us > 0 && latency.p999Us > 0);
      return /** @type {const} */ (['p50Us', 'p99Us', 'p999Us', 'maxUs']).map((id) =>
        latencyText(id, latency) === '' ? ' ' : 'x',
      );
    });
    assert.deepEqual(
      texts.map((each) => each.join('')),
      ['x  x', 'x  x', 'xx x', 'xx x', 'xxxx'],
    );
  });
});
