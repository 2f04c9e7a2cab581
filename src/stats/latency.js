import { encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { sumHistograms } from './histogram.js';

/**
 * The figures of one run's latencies, or of several runs' together: the histograms are added, for
 * percentiles cannot be averaged.
 *
 * @param {string[]} encoded HdrHistograms of nanoseconds
 * @returns {import('../types.js').Latency | null} null where there is none
 */
export function latencyOf(encoded) {
  if (encoded.length === 0) return null;
  const histogram = sumHistograms(encoded);
  if (histogram.totalCount === 0) return null;
  /** @param {number} percentile */
  const at = (percentile) => microseconds(histogram.getValueAtPercentile(percentile));
  return {
    count: histogram.totalCount,
    minUs: microseconds(histogram.minNonZeroValue),
    meanUs: microseconds(histogram.mean),
    p50Us: at(50),
    p90Us: at(90),
    p99Us: at(99),
    p999Us: at(99.9),
    maxUs: microseconds(histogram.highestEquivalentValue(histogram.maxValue)),
    hdr: encoded.length === 1 ? encoded[0] : encodeIntoCompressedBase64(histogram),
  };
}

/** @param {number} nanoseconds @returns {number} with one decimal, which is what the recorder counts in */
const microseconds = (nanoseconds) => Math.round(nanoseconds / 100) / 10;
