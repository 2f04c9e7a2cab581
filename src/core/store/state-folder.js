import { homedir } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';
import { attempt } from '../errors.js';

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
  stateFolder({ platform: process.platform, env, home: homeOf(env) });

/** @param {NodeJS.ProcessEnv} env */
const homeOf = (env) => env.HOME ?? attempt(homedir, '');
