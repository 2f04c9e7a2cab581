import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, UsageError } from '../core/errors.js';
import { readRecords } from '../core/store/read.js';

/** @import { Recorded } from '../core/store/read.js' */

const RESULTS = /\.ndjson$/;
/** A result of 12 cells takes about 1 MB, all in memory. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * Keeps one result in memory at a time, besides what `take` returns.
 * @template Taken @param {string} folder @param {(file: string, read: Recorded) => Taken} take
 * @returns {Promise<{taken: Taken[], unreadable: {file: string, why: string}[]}>} sorted by file name
 * @throws {UsageError} if the folder cannot be read or has no results
 */
export async function readFolder(folder, take) {
  const names = await readdir(folder).catch((error) => {
    throw new UsageError(
      `expected a folder with saved results, but '${folder}' cannot be read: ${messageOf(error)}`,
    );
  });
  const files = names.filter((name) => RESULTS.test(name)).sort();
  if (files.length === 0) {
    throw new UsageError(
      `expected a folder with saved results, but '${folder}' has no .ndjson file; a benchmark saves one with --save FILE`,
    );
  }
  /** @type {Taken[]} */
  const taken = [];
  /** @type {{file: string, why: string}[]} */
  const unreadable = [];
  for (const name of files) {
    const file = join(folder, name);
    const read = await readOne(file).catch(
      (error) => void unreadable.push({ file: name, why: messageOf(error) }),
    );
    if (read) taken.push(take(name, read));
  }
  return { taken, unreadable };
}

/** @param {string} file @returns {Promise<Recorded>} @throws {UsageError} */
async function readOne(file) {
  // Reading a pipe could block forever.
  const stats = await stat(file);
  if (!stats.isFile()) throw new UsageError('it is not a regular file');
  return readRecords(file, { largestBytes: LARGEST_BYTES });
}
