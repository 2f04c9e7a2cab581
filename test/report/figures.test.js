import assert from 'node:assert/strict';
import {
  duration,
  percent,
  perSecond,
  rateText,
  ratioShort,
  ratioText,
  spanOf,
  spanText,
  tenths,
  times,
} from '../../src/report/figures.js';

describe('report/figures', () => {
  it('tenths of a large number do not show', () => {
    assert.deepEqual([3.94, 999.9, 100_000, 0, null].map(tenths), ['3.9', '999.9', '100,000', '0.0', '?']);
  });

  it('a difference that is claimed never reads as none', () => {
    const slower = (/** @type {[number, number, number]} */ ...[ratio, low, high]) =>
      ratioText({ ratio, low, high, verdict: 'slower' });
    assert.equal(slower(1.6, 1.03, 3.1), '1.6x (1.03–3.1)');
    assert.equal(slower(1.02, 1.004, 1.05), '1.02x (1.004–1.05)');
    assert.equal(slower(1.02, 1.0002, 1.05), '1.02x (1.0002–1.05)');
    assert.equal(slower(60, 1.8, 1234), '60x (1.8–1,234)');
    assert.equal(slower(17.2, 9.7, 30.4), '17x (9.7–30)');
    assert.equal(slower(2.01, 1.98, 2.04), '2.01x (1.98–2.04)');
    assert.equal(slower(1.2, 1.199, 1.203), '1.200x (1.199–1.203)');
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

  it('each verdict has one notation, and a short one', () => {
    const both = (/** @type {any} */ compared) => [ratioText(compared), ratioShort(compared)];
    const interval = { low: 0.9, high: 2.1 };
    assert.deepEqual(
      [
        { ratio: 1, verdict: null },
        { ratio: 1.4, low: 1.3, high: 1.5, verdict: 'slower' },
        { ratio: 0.8, low: 0.7, high: 0.85, verdict: 'faster' },
        { ratio: 1.02, low: 0.97, high: 1.06, verdict: 'tied' },
        { ratio: 1.4, ...interval, verdict: 'not decided' },
        { ratio: 1.4, low: 0.4, high: 2.1, verdict: 'not decided' },
        { ratio: 1.4, verdict: 'not measured', starts: 1 },
        { ratio: 1.4, verdict: 'not measured', starts: 2 },
      ].map(both),
      [
        ['best', 'best'],
        ['1.4x (1.3–1.5)', '1.4x'],
        ['0.80x (0.70–0.85)', '0.80x'],
        ['≈ 1.02x (0.97–1.06)', '≈'],
        ['1.4x? (0.90–2.1)', '1.4x?'],
        ['not decided', '?'],
        ['1.4x? one start', ''],
        ['not compared', ''],
      ],
    );
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
