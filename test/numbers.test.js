import assert from 'node:assert/strict';
import { middleOf } from '../src/numbers.js';

describe('numbers', () => {
  it('has the one or two in the middle', () => {
    const middle = (/** @type {number[]} */ ...values) => middleOf(values, (value) => value);
    assert.deepEqual(middle(), []);
    assert.deepEqual(middle(4), [4]);
    assert.deepEqual(middle(9, 1), [1, 9]);
    assert.deepEqual(middle(5, 1, 9), [5]);
    assert.deepEqual(middle(9, 3, 1, 5), [3, 5]);
  });
});
