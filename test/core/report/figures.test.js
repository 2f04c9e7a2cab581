import assert from 'node:assert/strict';
import {
  duration,
  percent,
  perSecond,
  rateText,
  ratioText,
  spanOf,
  spanText,
  tenths,
  times,
} from '../../../src/core/report/figures.js';

describe('words/figures', () => {
  it('tenths of a large number do not show', () => {
    assert.deepEqual([3.94, 999.9, 100_000, 0, null].map(tenths), ['3.9', '999.9', '100,000', '0.0', '?']);
  });

  it('a difference that is claimed never reads as none', () => {
    assert.equal(ratioText({ ratio: 1.6, low: 1.03, high: 3.1 }), '1.6x (1.03x to 3.1x)');
    assert.equal(ratioText({ ratio: 1.02, low: 1.004, high: 1.05 }), '1.02x (1.004x to 1.05x)');
    assert.equal(ratioText({ ratio: 17.2, low: 9.7, high: 30.4 }), '17x (9.7x to 30x)');
    assert.equal(ratioText({ ratio: 2.01, low: 1.98, high: 2.04 }), '2.01x (1.98x to 2.04x)');
    assert.equal(ratioText({ ratio: 1.2, low: 1.199, high: 1.203 }), '1.200x (1.199x to 1.203x)');
    assert.deepEqual([1.03, 1.3, 0.98, 0.17, 9.94, 17.2, 1].map(times), [
      '1.03x',
      '1.3x',
      '0.98x',
      '0.17x',
      '9.9x',
      '17x',
      '1.00x',
    ]);
  });

  it('a rate of a few has a digit more, so that different ones do not read the same', () => {
    assert.deepEqual([0, 1.96, 2.4, 9.94, 9.96, 12.4, 1250].map(perSecond), [
      ...['0', '2.0', '2.4', '9.9', '10', '12', '1,250'],
    ]);
    assert.equal(perSecond(null), '');
  });

  it('a range has its unit once, if both ends have it', () => {
    assert.deepEqual([spanOf(times, [49, 17.2, 20]), spanOf(times, [2.04, 1.97])], ['17x to 49x', '2.0x']);
    assert.deepEqual(
      [spanOf(percent, [0.05, 0.08]), spanOf(rateText, [900, 950])],
      ['5 to 8 %', '900 to 950/s'],
    );
    assert.deepEqual(
      [
        [1200, 1800],
        [540, 2400],
      ].map((us) => spanOf(duration, us)),
      ['1.2 to 1.8 ms', '540 µs to 2.4 ms'],
    );
    assert.equal(spanText('310 ms', '420 ms', '–'), '310–420 ms');
    assert.equal(spanText('2 % less', '6 % more'), '2 % less to 6 % more');
  });

  it('rates in sentences have three digits at most', () => {
    assert.deepEqual([950, 9949, 12_027, 113_400, 999_600, 1_250_000].map(rateText), [
      '950/s',
      '9,949/s',
      '12k/s',
      '113k/s',
      '1M/s',
      '1.25M/s',
    ]);
  });

  it('a small share is not 0 %', () => {
    assert.deepEqual([0.004, 0.0004, 0, 0.0096, 0.97].map(percent), [
      '0.4 %',
      'under 0.1 %',
      '0 %',
      '1 %',
      '97 %',
    ]);
  });
});
