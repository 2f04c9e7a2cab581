import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Refusal, tryOr } from '../errors.js';

/** @import { Stats } from 'node:fs' */

/** Far beyond any configuration or certificate. */
const LARGEST_TEXT_BYTES = 1024 * 1024;
/** Whole programs are bundled into one file. */
export const LARGEST_CODE_BYTES = 64 * 1024 * 1024;

/** Results are long. */
const CHUNK_BYTES = 1024 * 1024;
/** Dozens of small files are read at each start, and larger buffers would take most of the time. */
const SMALL_CHUNK_BYTES = 32 * 1024;
/** What a pipe gives may first have to come over a network. */
const SILENT_MS = 30_000;

/**
 * @typedef {object} Bounds
 * @property {number} [largestBytes]
 * @property {boolean} [pipes] whether it may be a pipe, as in `--config <(command)`
 * @property {number} [silentMs] after this time without a byte, a pipe is given up
 */

/**
 * Reads a file or pipe to its end. With `readBoundedSync` and `textOf`, the only way to the content of a file: nothing waits
 * for a pipe that nobody writes to, or reads a device, which never ends.
 * @param {string} file @param {Bounds} [bounds] @returns {AsyncGenerator<Buffer>} @throws {Refusal} for what it does not read
 */
export async function* chunksOf(file, { silentMs = SILENT_MS, ...bounds } = {}) {
  const { largestBytes = LARGEST_TEXT_BYTES } = bounds;
  const { fd, isPipe } = opened(file, bounds);
  const chunks = isPipe
    ? new Socket({ fd, readable: true, writable: false })
    : createReadStream('', { fd, highWaterMark: CHUNK_BYTES });
  if (chunks instanceof Socket) {
    const silent = new Refusal(`is a pipe that gave nothing for ${silentMs / 1000} s`);
    chunks.setTimeout(silentMs, () => chunks.destroy(silent));
  }
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > largestBytes) throw tooLarge(`more than ${megabytes(largestBytes)}`, largestBytes);
    yield chunk;
  }
}

/** @param {string} file @param {Bounds} [bounds] @returns {Promise<Buffer>} */
export async function readBounded(file, bounds) {
  /** @type {Buffer[]} */
  const chunks = [];
  for await (const chunk of chunksOf(file, bounds)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @param {string} file @param {Omit<Bounds, 'pipes'>} [bounds] @returns {Buffer} */
export function readBoundedSync(file, { largestBytes = LARGEST_TEXT_BYTES } = {}) {
  const { fd } = opened(file, { largestBytes });
  try {
    const chunks = [];
    // Files of the kernel are longer than they say.
    for (let left = largestBytes + 1; ; ) {
      const chunk = Buffer.allocUnsafe(Math.min(left, SMALL_CHUNK_BYTES));
      const bytes = readSync(fd, chunk);
      if (bytes === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, bytes));
      left -= bytes;
      if (left === 0) throw tooLarge(`more than ${megabytes(largestBytes)}`, largestBytes);
    }
  } finally {
    closeSync(fd);
  }
}

/** Opening a pipe would wait for its writer. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** @param {string} file @param {Bounds} bounds @returns {{fd: number, isPipe: boolean}} */
function opened(file, bounds) {
  // First, because a device may do something when it is opened; and again, because another file may have taken its place.
  check(statSync(file), bounds);
  const fd = openSync(file, AT_ONCE);
  try {
    const stats = fstatSync(fd);
    check(stats, bounds);
    return { fd, isPipe: stats.isFIFO() };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** @param {Stats} stats @param {Bounds} bounds */
function check(stats, { largestBytes = LARGEST_TEXT_BYTES, pipes = false }) {
  if (pipes && stats.isFIFO()) return;
  if (!stats.isFile()) throw new Refusal(`is ${kindOf(stats)}, not a regular file`);
  if (stats.size > largestBytes) throw tooLarge(megabytes(stats.size), largestBytes);
}

/** @param {Stats} stats @returns {string} */
export function kindOf(stats) {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** @param {number} bytes */
const megabytes = (bytes) => `${Number((bytes / 1024 / 1024).toFixed(1))} MB`;

/** @param {string} found @param {number} largestBytes */
const tooLarge = (found, largestBytes) =>
  new Refusal(`is too large (${found}; at most ${megabytes(largestBytes)})`);

/** What a kernel tells of itself, for instance. @param {...string} path @returns {string} empty where it cannot be read */
export const textOf = (...path) => tryOr(() => readFileSync(join(...path), 'utf8'), '');

/** @param {string} one @param {string} other @returns {boolean} also by another path or link */
export function isSameFile(one, other) {
  const [a, b] = [one, other].map((path) => tryOr(() => statSync(path, { bigint: true }), undefined));
  return a?.isFile() === true && a.dev === b?.dev && a.ino === b.ino;
}

/** A result nests about ten levels. Far deeper nesting would overflow the stack. */
const MOST_LEVELS = 100;

/** @param {unknown} value @param {number} [levels] @returns {boolean} */
export const isTooDeep = (value, levels = MOST_LEVELS) =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1)));

/**
 * Parses JSON that may hold secrets: unlike JSON.parse, its errors do not quote the text.
 * @param {string} text @param {(name: string, value: unknown) => unknown} [reviver] @returns {any}
 */
export function parseJson(text, reviver) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    const before = text.slice(0, errorAt(text));
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    throw new Error(`expected JSON, but there is an error in line ${line}, column ${column}`);
  }
  if (isTooDeep(value)) throw new Error(`it is nested more than ${MOST_LEVELS} levels deep`);
  return reviver === undefined ? value : JSON.parse(text, reviver);
}

/**
 * Node's error does not always have the position, so this searches for the shortest prefix that is wrong and not
 * merely cut off. @param {string} text invalid JSON @returns {number} the index of its first wrong character
 */
function errorAt(text) {
  let right = 0;
  let wrong = text.length + 1;
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (endsTooEarly(text.slice(0, middle))) right = middle;
    else wrong = middle;
  }
  return wrong - 1;
}

/** @param {string} text @returns {boolean} whether it is JSON or a prefix of it */
function endsTooEarly(text) {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = String(error);
    return message.includes('end of JSON input') || message.includes(`JSON at position ${text.length}`);
  }
}

/** @param {string} text @returns {any} undefined if it is not JSON */
export const jsonIn = (text) => tryOr(() => JSON.parse(text), undefined);

const LINE_FEED = 10;

/**
 * @param {AsyncIterable<Buffer>} chunks @param {number} longestBytes @param {() => Error} tooLong what a longer line throws
 * @returns {AsyncGenerator<{text: string, whole: boolean}[]>} the lines of each chunk; `whole`: with a line feed
 */
export async function* linesOf(chunks, longestBytes, tooLong) {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    const lines = [];
    let start = 0;
    for (
      let feed = bytes.indexOf(LINE_FEED, rest.length);
      feed !== -1;
      feed = bytes.indexOf(LINE_FEED, start)
    ) {
      if (feed - start > longestBytes) throw tooLong();
      lines.push({ text: bytes.toString('utf8', start, feed), whole: true });
      start = feed + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > longestBytes) throw tooLong();
    yield lines;
  }
  if (rest.length > 0) yield [{ text: rest.toString(), whole: false }];
}

/** Editors on Windows add a byte order mark, which is not valid JSON. */
const BYTE_ORDER_MARK = '\uFEFF';

/** @param {string} text */
export const withoutMark = (text) => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
