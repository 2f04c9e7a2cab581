import assert from 'node:assert/strict';
import { parseCpuList } from '../../src/machine/processors.js';

describe('machine/processors', () => {
  describe('parseCpuList', () => {
    for (const [list, cpus] of /** @type {[string, number[]][]} */ ([
      ['0', [0]],
      ['0-3', [0, 1, 2, 3]],
      ['0-2,5', [0, 1, 2, 5]],
      ['1,3,9-11', [1, 3, 9, 10, 11]],
      ['0-1,4-5', [0, 1, 4, 5]],
    ])) {
      it(`reads ${list}`, () => assert.deepEqual(parseCpuList(list), cpus));
    }
  });
});
