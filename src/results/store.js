import { appendFileSync, closeSync, existsSync, fdatasyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../errors.js';

/** @import { ResultLine } from './types.js' */

/**
 * Writes a result as it comes to be: each line is on the disk before the next run starts. (Here that
 * took 0.2 to 9 ms, between runs of 300 ms.) Synchronous, so that nothing of it falls into a run.
 *
 * After the first line that could not be written there are no others: a torn line stays the last one.
 *
 * @param {string} file created with the first line, its folder too
 * @param {object} options
 * @param {boolean} options.replace whether a file that is there is overwritten
 * @param {(message: string) => void} options.onFailure told once, when nothing more can be written
 * @returns {{append: (line: ResultLine) => void}}
 */
export function createStore(file, { replace, onFailure }) {
  /** @type {number | null} the open file */
  let descriptor = null;
  let ended = false;
  return {
    append(line) {
      if (ended) return;
      try {
        descriptor ??= open(file, replace);
        appendFileSync(descriptor, `${JSON.stringify(line)}\n`);
        flush(descriptor);
      } catch (error) {
        ended = true;
        onFailure(messageOf(error));
      }
      if (line.type === 'end') ended = true;
      if (ended && descriptor !== null) closeSync(descriptor);
    },
  };
}

/**
 * @param {string} file
 * @param {boolean} replace
 */
function open(file, replace) {
  makeFolder(dirname(file));
  return openSync(file, replace ? 'w' : 'wx');
}

/**
 * Not Node's own recursive mkdir: where a parent is there but takes no folders with ENOENT, as /proc
 * does, that tries for ever (Node 20).
 *
 * @param {string} folder
 */
export function makeFolder(folder) {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    // Only the owner needs to see below the state folder: https://specifications.freedesktop.org/basedir-spec
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another invocation was quicker.
    if (/** @type {any} */ (error).code !== 'EEXIST') throw error;
  }
}

/** @param {number} descriptor */
function flush(descriptor) {
  try {
    fdatasyncSync(descriptor);
  } catch (error) {
    // A pipe or a device cannot be flushed, and need not be.
    if (!['EINVAL', 'ENOTSUP', 'EROFS'].includes(/** @type {any} */ (error).code)) throw error;
  }
}
