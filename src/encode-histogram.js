import { deflateSync } from 'node:zlib';

/** As the libraries write a histogram of three digits, from 1 on: their V2 format, compressed. */
const COOKIE = 0x1c849313;
const COMPRESSED_COOKIE = 0x1c849314;
const HEAD_BYTES = 40;
const DIGITS = 3;
/** So many counts for each power of two. */
const HALF = 1024;

/** @param {number} value @returns {number} which count is its own; what is rounded to one value has one count */
export function placeOf(value) {
  const bucket = Math.max(0, Math.floor(Math.log2(value)) - 10);
  return bucket * HALF + Math.floor(value / 2 ** bucket);
}

/**
 * Writes an HdrHistogram. The library that reads it takes longer to load than all of a worker's own files, and every
 * start of a cell would wait for it.
 * @param {Uint32Array} counts @param {number} highest value that there may be
 * @param {(index: number) => number} [positionAt] where the counts have positions of their own, in the same order
 * @returns {string} base64
 */
export function encodeHistogram(counts, highest, positionAt = (index) => index) {
  /** @type {number[]} */
  const payload = [];
  let next = 0;
  counts.forEach((count, index) => {
    if (count === 0) return;
    const position = positionAt(index);
    const empty = position - next;
    if (empty > 0) writeNumber(payload, empty === 1 ? 0 : 2 * empty - 1);
    writeNumber(payload, 2 * count);
    next = position + 1;
  });
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeInt32BE(COOKIE, 0);
  head.writeInt32BE(payload.length, 4);
  head.writeInt32BE(1, 8);
  head.writeInt32BE(DIGITS, 12);
  head.writeBigInt64BE(1n, 16);
  head.writeBigInt64BE(BigInt(highest), 24);
  head.writeBigInt64BE(1n, 32);
  const body = deflateSync(Buffer.concat([head, Buffer.from(payload)]));
  const cover = Buffer.alloc(8);
  cover.writeInt32BE(COMPRESSED_COOKIE, 0);
  cover.writeInt32BE(body.length, 4);
  return Buffer.concat([cover, body]).toString('base64');
}

/** Seven bits a byte, the lowest first; its own lowest bit is the sign. @param {number[]} bytes @param {number} number */
function writeNumber(bytes, number) {
  let rest = number;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}
