import assert from 'node:assert/strict';
import { percent, rangeText, ratioText, times } from '../../../src/report/words/figures.js';

describe('words/figures', () => {
  it('a difference that is claimed never reads as none', () => {
    assert.equal(ratioText({ ratio: 1.6, low: 1.03, high: 3.1 }), '1.6 times (1.03 to 3.1)');
    assert.equal(ratioText({ ratio: 1.02, low: 1.004, high: 1.05 }), '1.02 times (1.004 to 1.05)');
    assert.equal(ratioText({ ratio: 17.2, low: 9.7, high: 30.4 }), '17 times (9.7 to 30)');
    assert.equal(ratioText({ ratio: 2.01, low: 1.98, high: 2.04 }), '2.01 times (1.98 to 2.04)');
    assert.equal(ratioText({ ratio: 1.2, low: 1.199, high: 1.203 }), '1.200 times (1.199 to 1.203)');
    assert.deepEqual([rangeText(17.2, 49), rangeText(1.97, 2.04)], ['17 to 49 times', '2.0 times']);
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
