import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeIntoCompressedBase64, Int32Histogram } from 'hdr-histogram-js';
import { encodeHistogram, placeOf } from '../../src/statistics/encode-histogram.js';

const HIGHEST = 2 ** 39;

describe('encode-histogram', () => {
  it('writes what the library of HdrHistogram writes', () => {
    const value = fc.oneof(fc.nat({ max: 5000 }), fc.nat({ max: HIGHEST }));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), fc.integer({ min: 1, max: 1e6 }), (all, times) => {
        const histogram = new Int32Histogram(1, HIGHEST, 3);
        const counts = new Uint32Array(placeOf(HIGHEST) + 1);
        for (const each of all) {
          histogram.recordValueWithCount(each, times);
          counts[placeOf(each)] += times;
        }
        assert.equal(encodeHistogram(counts, HIGHEST), encodeIntoCompressedBase64(histogram));
      }),
    );
  });
});
