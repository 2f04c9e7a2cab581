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

/** A line that is redrawn, below those that are said; on a terminal only. @param {Output} stderr @param {NodeJS.ProcessEnv} env @param {boolean} [quiet] */
export function createLastLine(stderr, env, quiet = false) {
  const redraws = animated(stderr, env) && !quiet;
  const say = sayOn(stderr);
  let shown = '';
  const draw = (/** @type {string} */ text) => void stderr.write(`\r\x1b[K${text}`);
  return {
    redraws,
    clear() {
      if (redraws) draw('');
    },
    /** @param {string} text */
    say(text) {
      if (redraws) draw('');
      say(text);
      if (shown !== '') draw(shown);
    },
    /** @param {string} text */
    show(text) {
      shown = text.slice(0, (stderr.columns ?? 80) - 1);
      draw(shown);
    },
  };
}
