import { createWriteStream, statSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { messageOf } from '../core/errors.js';

/** Characters that are written at once, or what there is at the next tick. */
const BATCH = 64 * 1024;
const EVERY_MS = 500;
/** Waiting for the disk; lines beyond it are dropped, because commands never wait. */
const MOST_WAITING = 8 * 1024 * 1024;
/** Higher levels gain little, measured on 300,000 GETs and SETs. */
const LEVEL = 3;

/**
 * Nothing is written after a failed write, so that a torn line stays the last one.
 * @param {string} file gzipped if its name ends in `.gz` @param {(message: string) => void} onFailure called once
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
    // The file stays readable even if this process is killed.
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
    /** Whether the disk is too slow for another line. */
    isFull: () => sink.writableLength + disk.writableLength > MOST_WAITING,

    /** @param {string} line with its line feed */
    write(line) {
      if (failed) return;
      lines += line;
      if (lines.length > BATCH) pass();
    },

    /** @returns {Promise<void>} */
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
