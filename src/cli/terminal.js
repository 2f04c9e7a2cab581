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

/** @param {number} lines the cursor is on the last */
const cleared = (lines) => `\r${lines > 1 ? `\x1b[${lines - 1}A` : ''}\x1b[J`;

/** Lines that are redrawn, below those that are said; on a terminal only. @param {Output} stderr @param {NodeJS.ProcessEnv} env @param {boolean} [quiet] */
export function createLastLines(stderr, env, quiet = false) {
  const redraws = animated(stderr, env) && !quiet;
  const say = sayOn(stderr);
  /** @type {string[]} */
  let shown = [];
  let drawn = 0;
  const draw = (/** @type {string[]} */ lines) => {
    stderr.write(cleared(drawn) + lines.join('\n'));
    drawn = lines.length;
  };
  return {
    redraws,
    clear() {
      if (redraws) draw([]);
    },
    /** @param {string} text */
    say(text) {
      if (redraws) draw([]);
      say(text);
      if (shown.length > 0) draw(shown);
    },
    /** @param {string[]} lines */
    show(...lines) {
      shown = lines.map((text) => text.slice(0, (stderr.columns ?? 80) - 1));
      draw(shown);
    },
  };
}
