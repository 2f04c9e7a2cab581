import { inflateSync } from 'node:zlib';
import { decodeFromCompressedBase64, encodeIntoCompressedBase64, Float64Histogram } from 'hdr-histogram-js';

/** @import { Latency } from '../store/types.js' */

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

/** @param {string} encoded a histogram of nanoseconds @returns {CurvePoint[]} up to the slowest operation */
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

/**
 * Adds encoded histograms without decoding each into an object: a hundred times as fast as the library, which allocates
 * the whole range of counts. A report of 100,000 runs adds 100,000. The format is HdrHistogram's V2, compressed:
 * https://github.com/HdrHistogram/HdrHistogram (EncodableHistogram, ZigZagEncoding).
 */
const COMPRESSED_HEAD_BYTES = 8;
const HEAD_BYTES = 40;
const COOKIE = 0x1c849303;
/** The precision with which the recorder writes, and with it the width of each bucket. */
const DIGITS = 3;
const SUB_BUCKETS = 2048;
const HALF = SUB_BUCKETS / 2;
/** Seven minutes in nanoseconds, the longest that the recorder counts, are 39 bits. */
const LONGEST_NS = 2 ** 39;
const COUNTS = (39 - 11 + 2) * HALF;
/** The counts of one run take a few kilobytes; more than this is a decompression bomb. */
const LARGEST_BYTES = 1024 * 1024;

/** @param {string[]} encoded @returns {Float64Histogram} their sum @throws {Error} if the recorder did not write it */
export function sumHistograms(encoded) {
  const counts = new Float64Array(COUNTS);
  for (const each of encoded) addTo(counts, each);
  const sum = new Float64Histogram(1, LONGEST_NS, DIGITS);
  for (let index = 0; index < COUNTS; index++) {
    if (counts[index] > 0) sum.recordValueWithCount(lowestOf(index), counts[index]);
  }
  return sum;
}

/** The library's own visits every possible count: 1.8 ms, ten times as long. @param {Float64Histogram} histogram not empty */
export function meanOf(histogram) {
  const last = histogram.countsArrayIndex(histogram.maxValue);
  let total = 0;
  for (let index = 0; index <= last; index++) {
    const count = histogram.getCountAtIndex(index);
    if (count > 0) total += count * histogram.medianEquivalentValue(histogram.valueFromIndex(index));
  }
  return total / histogram.totalCount;
}

/** @param {Float64Array} counts @param {string} encoded */
function addTo(counts, encoded) {
  const bytes = inflateSync(Buffer.from(encoded, 'base64').subarray(COMPRESSED_HEAD_BYTES), {
    // Small enough for Node's pool of buffers; the default of 16 kB would be allocated for each of them.
    chunkSize: 4000,
    maxOutputLength: LARGEST_BYTES,
  });
  if ((bytes.readInt32BE(0) & ~0xf0) !== COOKIE || bytes.readInt32BE(12) !== DIGITS) throw foreign();
  const end = Math.min(bytes.length, HEAD_BYTES + bytes.readInt32BE(4));
  let index = 0;
  for (let at = HEAD_BYTES; at < end; ) {
    // A number of seven bits a byte, the lowest first; its own lowest bit is the sign.
    let byte = bytes[at++];
    let value = byte & 0x7f;
    for (let factor = 0x80; byte > 0x7f && at < end; factor *= 0x80) {
      byte = bytes[at++];
      value += (byte & 0x7f) * factor;
    }
    // A negative number stands for that many empty counts.
    if (value % 2 === 1) index += (value + 1) / 2;
    else if (index < COUNTS) counts[index++] += value / 2;
    else throw foreign();
  }
}

/** @returns {Error} */
const foreign = () =>
  Object.assign(new Error(`expected an HdrHistogram of ${DIGITS} digits and at most seven minutes`), {
    code: 'ERR_HISTOGRAM',
  });

/** @param {number} index of a count @returns {number} the lowest value that is counted there */
function lowestOf(index) {
  if (index < SUB_BUCKETS) return index;
  const bucket = Math.floor(index / HALF) - 1;
  return ((index % HALF) + HALF) * 2 ** bucket;
}
