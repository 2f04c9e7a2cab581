import { homedir } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';

const NAME = 'redis-pipe-bench';

/**
 * Where results are kept unless the user says otherwise: the system's folder for what a program wants
 * to find again. XDG_STATE_HOME counts everywhere, as the one way to move it.
 *
 * @param {object} system
 * @param {NodeJS.Platform} system.platform
 * @param {NodeJS.ProcessEnv} system.env
 * @param {string} system.home the user's home folder; empty where there is none
 * @returns {string | null} null where the user has no place of his own
 */
export function stateFolder({ platform, env, home }) {
  const { XDG_STATE_HOME: chosen, LOCALAPPDATA: local } = env;
  // The specification: a relative path is to be ignored.
  if (chosen && isAbsolute(chosen)) return join(chosen, NAME);
  if (platform === 'win32') return local ? win32.join(local, NAME) : null;
  if (!posix.isAbsolute(home)) return null;
  const place = platform === 'darwin' ? 'Library/Application Support' : '.local/state';
  return posix.join(home, place, NAME);
}

/**
 * A name that sorts by time, suits every file system, and is no other process's.
 *
 * @param {Date} startedAt
 * @param {number} pid
 */
export const resultName = (startedAt, pid) =>
  `${startedAt.toISOString().replaceAll(/[:.]/g, '-')}-${pid}.ndjson`;

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | null} the state folder of the user who runs this process
 */
export const userStateFolder = (env = process.env) =>
  stateFolder({ platform: process.platform, env, home: homeOf(env) });

/** @param {NodeJS.ProcessEnv} env */
function homeOf(env) {
  if (env.HOME !== undefined) return env.HOME;
  try {
    return homedir();
  } catch {
    return '';
  }
}
