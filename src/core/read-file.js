import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from './errors.js';

/** @import { Stats } from 'node:fs' */

/** Far beyond any configuration or certificate. */
const LARGEST_TEXT_BYTES = 1024 * 1024;

/**
 * Refuses devices, because /dev/zero would fill the memory, but takes pipes, as in `--config <(command)`.
 * @param {string} file @param {number} [largestBytes] @returns {Promise<Buffer>}
 */
export async function readBounded(file, largestBytes = LARGEST_TEXT_BYTES) {
  const handle = await open(file);
  try {
    const stats = await handle.stat();
    if (!stats.isFIFO()) check(stats, largestBytes);
    /** @type {Buffer[]} */
    const chunks = [];
    let bytes = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > largestBytes) throw tooLarge(largestBytes);
    }
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}

/** For regular files only: nothing could interrupt the wait for a pipe. @param {string} file @returns {Buffer} */
export function readBoundedSync(file) {
  check(statSync(file), LARGEST_TEXT_BYTES);
  return readFileSync(file);
}

/** @param {Stats} stats @param {number} largestBytes */
function check(stats, largestBytes) {
  if (!stats.isFile()) throw new Error(`it is ${kindOf(stats)}, not a regular file`);
  if (stats.size > largestBytes) throw tooLarge(largestBytes);
}

/** @param {Stats} stats */
function kindOf(stats) {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** @param {number} bytes */
const tooLarge = (bytes) => new Error(`it is larger than ${bytes / 1024 / 1024} MB`);

/** What a kernel tells of itself, for instance. @param {...string} path @returns {string} empty where it cannot be read */
export const textOf = (...path) => attempt(() => readFileSync(join(...path), 'utf8'), '');

/** @param {string} one @param {string} other @returns {boolean} also by another path or link */
export function isSameFile(one, other) {
  const [a, b] = [one, other].map((path) => attempt(() => statSync(path, { bigint: true }), undefined));
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
    const { message } = /** @type {Error} */ (error);
    return message.includes('end of JSON input') || message.includes(`JSON at position ${text.length}`);
  }
}

/** @param {string} text @returns {any} undefined if it is not JSON */
export const jsonIn = (text) => attempt(() => JSON.parse(text), undefined);

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
