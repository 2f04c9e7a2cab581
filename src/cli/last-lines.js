import { animated, sayOn } from './terminal.js';

/** @import { Output } from './types.js' */

/** @param {number} lines the cursor is on the last */
const cleared = (lines) => `\r${lines > 1 ? `\x1b[${lines - 1}A` : ''}\x1b[J`;

/** Redraws only on a terminal. @param {Output} stderr @param {NodeJS.ProcessEnv} env @param {boolean} [quiet] */
export function createLastLines(stderr, env, quiet = false) {
  const redraws = animated(stderr, env) && !quiet;
  const say = sayOn(stderr);
  /** @type {string[]} */
  let shown = [];
  let drawn = 0;
  /** @param {string[]} lines */
  const replaceBy = (lines) => {
    stderr.write(cleared(drawn) + lines.join('\n'));
    drawn = lines.length;
  };
  return {
    redraws,
    clear() {
      if (redraws) replaceBy([]);
    },
    /** @param {string} text */
    say(text) {
      if (redraws) replaceBy([]);
      say(text);
      if (shown.length > 0) replaceBy(shown);
    },
    /** @param {string[]} lines */
    show(lines) {
      shown = lines.map((text) => text.slice(0, (stderr.columns ?? 80) - 1));
      replaceBy(shown);
    },
  };
}
