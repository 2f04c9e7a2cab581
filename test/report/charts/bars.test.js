import assert from 'node:assert/strict';
import { barOf } from '../../../src/report/charts/bars.js';
import { toAscii } from '../../../src/report/words/escaped.js';

/** @param {[low: number, value: number, high: number]} figures */
const bar = ([low, value, high]) => barOf({ value, interval: { low, high, level: 0.95 } }, 100, 10);

describe('charts/bars', () => {
  it('is as long as the value, with the interval lighter on both sides', () => {
    assert.equal(bar([40, 60, 90]), '████▒▒░░░');
    assert.equal(toAscii(bar([40, 60, 90])), '####==---');
  });
  it('shows only what can be drawn of a narrow interval', () => {
    assert.equal(bar([54, 54, 66]), '█████▍░');
    assert.equal(bar([53, 54, 54]), '█████▍');
  });
  it('has something to see of the smallest figure, and is as long as the column at most', () => {
    assert.equal(bar([0.01, 0.02, 0.03]), '▏');
    assert.equal(bar([100, 100, 100]), '██████████');
  });
  it('needs no interval', () => {
    assert.equal(barOf({ value: 25, interval: null }, 100, 10), '██▌');
  });
});
