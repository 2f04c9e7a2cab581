import assert from 'node:assert/strict';
import { wrap } from '../../../src/core/report/wrap.js';

describe('words/wrap', () => {
  it('leaves a number in the line of its unit, and a sign in that of the fact before it', () => {
    for (const kept of ['8 tasks', '± 28 %', '(120 µs', '2x AMD', '1,000 characters', '= 0.012', 'redis ·'])
      assert.ok(
        wrap(`before ${kept} after`, 1).some((line) => line.includes(kept)),
        kept,
      );
  });

  it('breaks lists of numbers, and gives no line of an empty text', () => {
    assert.deepEqual(wrap('1 2 3', 1), ['1', '2', '3']);
    assert.deepEqual(wrap('', 80), []);
  });
});
