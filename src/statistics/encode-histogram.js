import { deflateSync } from 'node:zlib';

/** HdrHistogram's compressed V2 format, for values from 1 with three significant digits. */
const COOKIE = 0x1c849313;
const COMPRESSED_COOKIE = 0x1c849314;
const HEAD_BYTES = 40;
const DIGITS = 3;
/** Counts per power of two. */
const HALF = 1024;

/** @param {number} value @returns {number} the index of its count */
export function placeOf(value) {
  const bucket = Math.max(0, Math.floor(Math.log2(value)) - 10);
  return bucket * HALF + Math.floor(value / 2 ** bucket);
}

/**
 * Workers do not load the HdrHistogram library: it takes longer than all of their own files, at every start of a cell.
 * @param {Uint32Array} counts @param {number} highest trackable value
 * @param {(index: number) => number} [positionAt] must be increasing @returns {string} base64
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

/** ZigZag LEB128; bit 0 of `number` is its sign. @param {number[]} bytes @param {number} number */
function writeNumber(bytes, number) {
  let rest = number;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}
