import assert from 'node:assert/strict';
import { ninesText, ninesTicks } from '../../../src/report/charts/nines.js';

describe('charts/nines', () => {
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
