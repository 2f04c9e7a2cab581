import { appendFileSync, closeSync, existsSync, fdatasyncSync, fstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, posix, win32 } from 'node:path';
import { codeOf, messageOf, tryOr } from '../errors.js';
import { openToAppend } from '../process/write-file.js';

/** @import { ResultLine } from './types.js' */

/**
 * Synchronous, so that no write overlaps a run: each line is on disk before the next run starts, which took 0.2 to 9 ms
 * between runs of 300 ms. Writing stops after a failure, so that only the last line can be torn.
 * @param {string} file created with its folder at the first line
 * @param {{replace: boolean, onFailure: (why: string) => void}} options `onFailure` is called at most once
 * @returns {{append: (line: ResultLine) => void}}
 */
export function createStore(file, { replace, onFailure }) {
  /** @type {number | null} */
  let descriptor = null;
  let ended = false;
  let bytes = 0;
  return {
    append(line) {
      if (ended) return;
      try {
        if (descriptor === null) {
          makeFolder(dirname(file));
          descriptor = openToAppend(file, { isNew: !replace });
        }
        const text = `${JSON.stringify(line)}\n`;
        appendFileSync(descriptor, text);
        flush(descriptor);
        bytes += Buffer.byteLength(text);
        checkOwn(descriptor, bytes);
      } catch (error) {
        ended = true;
        onFailure(messageOf(error));
      }
      if (line.type === 'end') ended = true;
      if (ended && descriptor !== null) closeSync(descriptor);
    },
  };
}

/** Programs that keep no lock may write it or remove it, too. @param {number} descriptor @param {number} bytes written to it */
function checkOwn(descriptor, bytes) {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) return;
  if (stats.nlink === 0) throw new Error('the file was removed or replaced meanwhile');
  if (stats.size !== bytes) throw new Error('another program wrote to the file meanwhile');
}

/** Node 20's recursive mkdir loops forever in a folder that returns ENOENT, such as /proc. @param {string} folder */
export function makeFolder(folder) {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    // Mode by https://specifications.freedesktop.org/basedir-spec
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it first.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** @param {number} descriptor */
function flush(descriptor) {
  try {
    fdatasyncSync(descriptor);
  } catch (error) {
    // Pipes and devices cannot be flushed and need not be.
    if (!['EINVAL', 'ENOTSUP', 'EROFS'].includes(`${codeOf(error)}`)) throw error;
  }
}

const NAME = 'redis-pipe-bench';

/** @param {{platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string}} system `home` may be empty */
export function stateFolder({ platform, env, home }) {
  const { XDG_STATE_HOME: chosen, LOCALAPPDATA: local } = env;
  // The XDG specification says to ignore a relative path.
  if (chosen && isAbsolute(chosen)) return join(chosen, NAME);
  if (platform === 'win32') return local ? win32.join(local, NAME) : null;
  if (!posix.isAbsolute(home)) return null;
  const place = platform === 'darwin' ? 'Library/Application Support' : '.local/state';
  return posix.join(home, place, NAME);
}

/** Sorts by time, valid on every file system, unique to a process. @param {Date} startedAt @param {number} pid */
export const resultName = (startedAt, pid) =>
  `${startedAt.toISOString().replaceAll(/[:.]/g, '-')}-${pid}.ndjson`;

/** @param {NodeJS.ProcessEnv} [env] */
export const userStateFolder = (env = process.env) =>
  stateFolder({ platform: process.platform, env, home: env.HOME ?? tryOr(homedir, '') });
