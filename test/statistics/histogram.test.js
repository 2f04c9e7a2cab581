import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { meanOf, sumHistograms } from '../../src/statistics/latency.js';
import { createRecorder } from '../../src/worker/recorder.js';
import { fuzz } from '../helpers/nightly.js';

/** As the recorder makes them. @param {[valueNs: number, count: number][]} values */
function encode(values, digits = /** @type {3} */ (3)) {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: (2 ** 32 - 1) * 100,
    numberOfSignificantValueDigits: digits,
  });
  for (const [value, count] of values) histogram.recordValueWithCount(value, count);
  return encodeIntoCompressedBase64(histogram);
}

/** What the library itself makes of them. @param {string[]} encoded */
function byLibrary(encoded) {
  const [sum, ...others] = encoded.map((each) => decodeFromCompressedBase64(each, 64, false));
  for (const other of others) sum.add(other);
  return sum;
}

const values = fc.array(
  fc.tuple(
    fc.oneof(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 2 ** 31 }),
      fc.constant((2 ** 32 - 1) * 100),
    ),
    fc.integer({ min: 1, max: 1e6 }),
  ),
  { minLength: 1, maxLength: 50 },
);

describe('statistics/histogram', () => {
  it('adds up what the library adds up', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), (all) => {
        const encoded = all.map((each) => encode(each));
        const [sum, expected] = [sumHistograms(encoded), byLibrary(encoded)];
        assert.equal(sum.totalCount, expected.totalCount);
        for (const percentile of [0, 1, 50, 90, 99, 99.9, 100]) {
          assert.equal(sum.getValueAtPercentile(percentile), expected.getValueAtPercentile(percentile));
        }
        assert.equal(sum.minNonZeroValue, expected.minNonZeroValue);
        assert.ok(Math.abs(meanOf(sum) - expected.mean) <= expected.mean / 1e9);
      }),
      fuzz(20, 1000),
    );
  });

  it("reads the recorder's own, empty ones too", () => {
    let now = 0;
    const recorder = createRecorder(() => now);
    const empty = recorder.encode();
    for (const step of [3, 70, 4000]) {
      const startedAt = recorder.start();
      now += step;
      recorder.done(startedAt);
    }
    const sum = sumHistograms([String(empty), String(recorder.encode())]);
    assert.equal(sum.totalCount, 3);
    assert.ok(Math.abs(sum.getValueAtPercentile(100) / 400_000 - 1) < 0.005);
  });

  describe('refuses', () => {
    for (const [what, encoded] of /** @type {[string, string][]} */ ([
      ['another precision', encode([[5, 1]], /** @type {any} */ (2))],
      ['what is none', Buffer.from('HISTOGRAM? no').toString('base64')],
      ['nothing', ''],
      [
        'another format in the same wrapping',
        Buffer.concat([Buffer.alloc(8), deflateSync(Buffer.alloc(60))]).toString('base64'),
      ],
      ['a bomb', Buffer.concat([Buffer.alloc(8), deflateSync(Buffer.alloc(1e8))]).toString('base64')],
    ])) {
      it(what, () => assert.throws(() => sumHistograms([encoded]), { code: /^(ERR|Z)_/ }));
    }
  });
});
