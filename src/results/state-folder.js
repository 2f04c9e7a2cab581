import { homedir } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';
import { attempt } from '../errors.js';

const NAME = 'redis-pipe-bench';

/**
 * Where results are kept by default: the system's folder for a program's state. XDG_STATE_HOME moves it
 * on every system.
 * @param {object} system @param {NodeJS.Platform} system.platform @param {NodeJS.ProcessEnv} system.env
 * @param {string} system.home the user's home folder; empty where there is none
 * @returns {string | null} null if the user has no such folder
 */
export function stateFolder({ platform, env, home }) {
  const { XDG_STATE_HOME: chosen, LOCALAPPDATA: local } = env;
  // The specification says to ignore a relative path.
  if (chosen && isAbsolute(chosen)) return join(chosen, NAME);
  if (platform === 'win32') return local ? win32.join(local, NAME) : null;
  if (!posix.isAbsolute(home)) return null;
  const place = platform === 'darwin' ? 'Library/Application Support' : '.local/state';
  return posix.join(home, place, NAME);
}

/**
 * A file name that sorts by time, is valid on every file system, and is unique to this process.
 * @param {Date} startedAt @param {number} pid
 */
export const resultName = (startedAt, pid) =>
  `${startedAt.toISOString().replaceAll(/[:.]/g, '-')}-${pid}.ndjson`;

/** @param {NodeJS.ProcessEnv} [env] @returns {string | null} the state folder of the user who runs this process */
export const userStateFolder = (env = process.env) =>
  stateFolder({ platform: process.platform, env, home: homeOf(env) });

/** @param {NodeJS.ProcessEnv} env */
const homeOf = (env) => env.HOME ?? attempt(homedir, '');
