import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  createWriteStream,
  fsyncSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf, tryOr } from '../errors.js';

/** What this process has open, which may be a file. */
const STREAMS = /^\/(?:dev\/(?:fd\/|std(?:in|out|err)$)|proc\/)/;
const MOST_LINKS = 40;

/** @param {string} file @returns {string} where it is: what a link leads to, even if that is not there yet */
export function destinationOf(file, links = MOST_LINKS) {
  const path = resolve(file);
  if (STREAMS.test(path)) return path;
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || links === 0) throw error;
    const link = tryOr(() => readlinkSync(path), null);
    if (link !== null) return destinationOf(resolve(dirname(path), link), links - 1);
    return join(realpathSync.native(dirname(path)), basename(path));
  }
}

/**
 * Opens what is written while a command runs: it begins anew, but what this process has open keeps what it holds.
 * @param {string} file @param {{mode?: number, isNew?: boolean}} [options] `isNew`: it must not be there yet @returns {number}
 */
export function openToAppend(file, { mode, isNew = false } = {}) {
  const begin = isNew ? constants.O_EXCL : STREAMS.test(resolve(file)) ? 0 : constants.O_TRUNC;
  return openSync(
    file,
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOCTTY | begin,
    mode,
  );
}

/**
 * Writes a file at once: a reader finds all of it or what was there before, whatever fails. Of two that write,
 * the last one stays. @param {string} file a pipe or a device, too @param {Iterable<string>} parts can be iterated again
 */
export async function writeWhole(file, parts) {
  const place = destinationOf(file);
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats?.isFile() !== false && !STREAMS.test(place)) return writeWholeSync(place, parts);
  // Opening a pipe that has no reader would wait for one.
  const sink = stats?.isFIFO()
    ? new Socket({ fd: openSync(place, constants.O_WRONLY | constants.O_NONBLOCK), readable: false })
    : createWriteStream('', { fd: openToAppend(place) });
  await pipeline(Readable.from(parts), sink);
}

/** Where a folder takes no new file, or the file is mounted by itself: what is there can still be written. */
const IN_PLACE_ONLY = ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'];

/** @param {string} file @param {Iterable<string>} parts @param {{mode?: number}} [options] */
export function writeWholeSync(file, parts, { mode } = {}) {
  const place = destinationOf(file);
  const before = statSync(place, { throwIfNoEntry: false });
  const apart = join(dirname(place), `${hiddenName(place)}.${process.pid}`);
  try {
    writeAll(openSync(apart, 'wx', mode), parts);
    if (before !== undefined) {
      chmodSync(apart, before.mode);
      tryOr(() => chownSync(apart, before.uid, before.gid), undefined);
    }
    renameSync(apart, place);
  } catch (error) {
    tryOr(() => rmSync(apart, { force: true }), undefined);
    if (before === undefined || !IN_PLACE_ONLY.includes(`${codeOf(error)}`)) throw error;
    writeAll(openToAppend(place), parts);
  }
}

/** @param {number} fd is closed @param {Iterable<string>} parts */
function writeAll(fd, parts) {
  try {
    for (const part of parts) {
      const bytes = Buffer.from(part);
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** So short that more can follow. @param {string} file @returns {string} */
export const hiddenName = (file) => `.${[...basename(file)].slice(0, 40).join('')}`;
