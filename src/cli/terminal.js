import { printable } from '../core/report/escaped.js';

/** @import { Output } from './types.js' */

/** @param {Output} stream @returns {(text: string) => void} */
export const sayOn = (stream) => (text) => void stream.write(`${printable(text)}\n`);

/** See https://no-color.org and https://force-color.org. @param {Output} stream @param {NodeJS.ProcessEnv} env */
export function colorsWanted(stream, env) {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return animated(stream, env);
}

/** @param {Output} stream @param {NodeJS.ProcessEnv} env */
export const animated = (stream, env) => Boolean(stream.isTTY) && env.TERM !== 'dumb' && !env.CI;
