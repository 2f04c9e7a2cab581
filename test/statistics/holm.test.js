import assert from 'node:assert/strict';
import { holm } from '../../src/statistics/contrasts.js';

const rounded = (/** @type {number[]} */ values) => values.map((value) => Number(value.toFixed(6)));

describe('statistics/holm', () => {
  it("has the values of R's p.adjust(p, 'holm')", () => {
    assert.deepEqual(rounded(holm([0.01, 0.02, 0.03, 0.04])), [0.04, 0.06, 0.06, 0.06]);
    assert.deepEqual(rounded(holm([0.04, 0.01, 0.03])), [0.06, 0.03, 0.06]);
    assert.deepEqual(rounded(holm([0.5, 0.9, 0.7])), [1, 1, 1]);
  });
  it('leaves a single p as it is, and nothing nothing', () => {
    assert.deepEqual(holm([0.03]), [0.03]);
    assert.deepEqual(holm([]), []);
  });
});
