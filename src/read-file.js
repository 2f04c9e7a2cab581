import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** @import { Stats } from 'node:fs' */

/** Configurations, suites and certificates are written by hand: a megabyte is far beyond any of them. */
const LARGEST_TEXT_BYTES = 1024 * 1024;

/**
 * Reads a file that the user named. A device such as /dev/zero would be read until memory is gone.
 * A pipe is fine, as in `--config <(command)`.
 *
 * @param {string} file
 * @param {number} [largestBytes]
 * @returns {Promise<Buffer>}
 * @throws {Error} that says what is wrong with the file
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

/**
 * The same without waiting, so for regular files only: nothing could interrupt the wait for a pipe.
 *
 * @param {string} file
 * @returns {Buffer}
 * @throws {Error} that says what is wrong with the file
 */
export function readBoundedSync(file) {
  check(statSync(file), LARGEST_TEXT_BYTES);
  return readFileSync(file);
}

/**
 * @param {Stats} stats
 * @param {number} largestBytes
 */
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

/** @param {string} one @param {string} other @returns {boolean} whether both are the same file, by any path or link */
export function isSameFile(one, other) {
  const [a, b] = [one, other].map((path) => {
    try {
      return statSync(path, { bigint: true });
    } catch {
      return undefined;
    }
  });
  return a?.isFile() === true && a.dev === b?.dev && a.ino === b.ino;
}
