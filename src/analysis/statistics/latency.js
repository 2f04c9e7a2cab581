import { decodeFromCompressedBase64, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { meanOf, sumHistograms } from './histogram.js';

/** @import { Latency } from '../../results/types.js' */

/** @typedef {{nines: number, us: number}} CurvePoint `nines`: 1 for 90 %, 2 for 99 %, 3 for 99.9 % of the operations */

/** Curves begin at the tenth percentile: below it, a few lucky operations would take half of the room. */
export const FIRST_NINES = -Math.log10(0.9);

const RESOLUTION_US = 0.1;

/** Latencies go up to seven minutes in nanoseconds: more than 32 bits. */
const BITS = 64;

/** Percentiles cannot be averaged, histograms can be added. @param {(string | null)[]} histograms @returns {Latency | null} */
export function latencyOf(histograms) {
  const encoded = histograms.filter((each) => each !== null);
  if (encoded.length === 0) return null;
  const histogram = sumHistograms(encoded);
  if (histogram.totalCount === 0) return null;
  /** @param {number} percentile */
  const at = (percentile) => microseconds(histogram.getValueAtPercentile(percentile));
  return {
    count: histogram.totalCount,
    minUs: microseconds(histogram.minNonZeroValue),
    meanUs: microseconds(meanOf(histogram)),
    p50Us: at(50),
    p90Us: at(90),
    p99Us: at(99),
    p999Us: at(99.9),
    maxUs: microseconds(histogram.highestEquivalentValue(histogram.maxValue)),
    hdr: encoded.length === 1 ? encoded[0] : encodeIntoCompressedBase64(histogram),
  };
}

/** Points of a curve for each nine. */
const STEPS = 16;

/** By percentile, up to the slowest operation. @param {string} encoded a histogram of nanoseconds @returns {CurvePoint[]} */
export function latencyCurve(encoded) {
  const histogram = decodeFromCompressedBase64(encoded, BITS, false);
  if (histogram.totalCount === 0) return [];
  const last = Math.log10(histogram.totalCount);
  const points = Array.from({ length: Math.max(0, Math.ceil((last - FIRST_NINES) * STEPS)) }, (_, index) => {
    const nines = FIRST_NINES + index / STEPS;
    return { nines, ns: histogram.getValueAtPercentile(100 * (1 - 10 ** -nines)) };
  });
  // What the recorder rounds to 0 needs a place on a logarithmic axis too.
  return [...points, { nines: last, ns: histogram.maxValue }].map(({ nines, ns }) => ({
    nines,
    us: Math.max(RESOLUTION_US, microseconds(ns)),
  }));
}

/** @param {number} nanoseconds @returns {number} with one decimal, which is what the recorder counts in */
const microseconds = (nanoseconds) => Math.round(nanoseconds / 100) / 10;

/** What a distance may be off by: this part of it, or this long, whichever is more. */
const OFF = { part: 0.05, us: 50 };

/** Whether it is another distance. @param {number} lateUs median round trip, less the requested one @param {number} rttMs */
export const isOff = (lateUs, rttMs) => Math.abs(lateUs) > Math.max(OFF.us, rttMs * 1000 * OFF.part);

/** A rate is sustained while this share of its operations is done in time, for this long. */
export const IN_TIME = { share: 0.95, windowMs: 1000 };
