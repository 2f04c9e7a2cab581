import { appendFileSync, closeSync, existsSync, fdatasyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../errors.js';

/** @import { ResultLine } from './types.js' */

/**
 * Writes a result line by line: each is on disk before the next run starts, which took 0.2 to 9 ms
 * between runs of 300 ms. It is synchronous, so that no write overlaps a run.
 *
 * After a failed write nothing more is written, so that a torn line stays the last one.
 * @param {string} file created with the first line, its folder too @param {object} options
 * @param {boolean} options.replace whether a file that is there is overwritten
 * @param {(message: string) => void} options.onFailure called once, when nothing more can be written
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

/** @param {string} file @param {boolean} replace */
function open(file, replace) {
  makeFolder(dirname(file));
  return openSync(file, replace ? 'w' : 'wx');
}

/**
 * Node 20's own recursive mkdir loops for ever in a folder that answers ENOENT, as /proc does.
 * @param {string} folder
 */
export function makeFolder(folder) {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    // Only the owner needs to see below the state folder: https://specifications.freedesktop.org/basedir-spec
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it first.
    if (/** @type {any} */ (error).code !== 'EEXIST') throw error;
  }
}

/** @param {number} descriptor */
function flush(descriptor) {
  try {
    fdatasyncSync(descriptor);
  } catch (error) {
    // Pipes and devices cannot be flushed and need not be.
    if (!['EINVAL', 'ENOTSUP', 'EROFS'].includes(/** @type {any} */ (error).code)) throw error;
  }
}
