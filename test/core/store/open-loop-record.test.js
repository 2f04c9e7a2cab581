import assert from 'node:assert/strict';
import { partOfRecording } from '../../../src/core/store/run-record.js';

describe('a run that keeps the times of a recording', () => {
  it('says so where its part of it had another rate', () => {
    const warned = (/** @type {number} */ intendedPerSecond, /** @type {'recorded' | 'even'} */ arrivals) =>
      partOfRecording({ intendedPerSecond }, { arrivals, ratePerSecond: 1000 }).length;
    assert.deepEqual([warned(530, 'recorded'), warned(1300, 'recorded')], [1, 1]);
    assert.deepEqual([warned(900, 'recorded'), warned(530, 'even')], [0, 0]);
    assert.deepEqual(partOfRecording(null, null), []);
  });
});
