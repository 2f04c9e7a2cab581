import { createWriteStream, statSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { messageOf } from '../errors.js';

/** Lines are handed on when there are so many characters of them, or at the next tick of the clock. */
const BATCH = 64 * 1024;
const EVERY_MS = 500;
/** What may wait for the disk; lines beyond it are left out, because commands never wait. */
const MOST_WAITING = 8 * 1024 * 1024;
/** Lines are alike, so that more effort brings little. Measured on a recording of 300,000 GETs and SETs. */
const LEVEL = 3;

/**
 * Writes the lines of a profile to a file, gzipped if its name ends in `.gz`.
 *
 * After a failed write nothing more is written, so that a torn line stays the last one.
 *
 * @param {string} file @param {(message: string) => void} onFailure called once, when nothing more can be written
 */
export function createProfileWriter(file, onFailure) {
  const disk = createWriteStream(file, { mode: 0o600 });
  const gzip = file.endsWith('.gz') ? createGzip({ level: LEVEL }) : null;
  const sink = gzip ?? disk;
  gzip?.pipe(disk);
  let lines = '';
  let failed = false;
  const ended = finished(disk).catch(fail);
  sink.on('error', fail);
  const timer = setInterval(() => {
    if (lines === '') return;
    pass();
    // What is on disk can be read, even if this process is killed.
    gzip?.flush(constants.Z_SYNC_FLUSH);
  }, EVERY_MS);

  /** @param {unknown} error */
  function fail(error) {
    if (failed) return;
    failed = true;
    lines = '';
    clearInterval(timer);
    onFailure(messageOf(error));
  }

  function pass() {
    sink.write(lines, 'latin1');
    lines = '';
  }

  return {
    /** Whether a line has no place, because the disk is too slow. */
    isFull: () => sink.writableLength + disk.writableLength > MOST_WAITING,

    /** @param {string} line with its line feed */
    write(line) {
      if (failed) return;
      lines += line;
      if (lines.length > BATCH) pass();
    },

    /** @returns {Promise<void>} when all is on disk, or nothing more can be */
    async end() {
      clearInterval(timer);
      if (!failed) {
        pass();
        sink.end();
      }
      await ended;
    },
  };
}

/** @param {string} file @returns {number} bytes */
export const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
