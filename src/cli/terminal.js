import pico from 'picocolors';
import { printable, printableBeside } from '../core/report/escaped.js';
import { cut } from '../core/report/wrap.js';

/** @import { Output, Printer } from './types.js' */

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

/** What formats write themselves: ends of lines, and colours. */
const [ENDS, ENDS_AND_COLORS] = ['\\r?\\n', '\\r?\\n|\\x1b\\[\\d+m'].map(printableBeside);

/**
 * The only way to stdout and stderr: nothing else holds the streams. What it is given may come from outside, so a
 * text is one line, and colours and the cursor are the printer's own.
 * @param {Output} stream @param {NodeJS.ProcessEnv} env @returns {Printer}
 */
export function createPrinter(stream, env) {
  const color = colorsWanted(stream, env);
  const colors = pico.createColors(color);
  const printableText = color ? ENDS_AND_COLORS : ENDS;
  return {
    color,
    get columns() {
      return stream.columns;
    },
    animated: animated(stream, env),
    lines: (texts) => void stream.write(texts.map((text) => `${printable(text)}\n`).join('')),
    marked: ([look, mark], text) => void stream.write(`${colors[look](printable(mark))}${printable(text)}\n`),
    rendered: (text) => void stream.write(printableText(text)),
    redraw(before, texts) {
      const most = (stream.columns ?? 80) - 1;
      stream.write(cleared(before) + texts.map((text) => cut(printable(text), most)).join('\n'));
    },
  };
}

/** Lines that are redrawn, below those that are said; on a terminal only. @param {Printer} stderr @param {boolean} [quiet] */
export function createLastLines(stderr, quiet = false) {
  const redraws = stderr.animated && !quiet;
  /** @type {string[]} */
  let shown = [];
  let drawn = 0;
  const draw = (/** @type {string[]} */ lines) => {
    stderr.redraw(drawn, lines);
    drawn = lines.length;
  };
  return {
    redraws,
    clear() {
      if (redraws) draw([]);
    },
    /** @param {string[]} texts */
    say(...texts) {
      if (redraws) draw([]);
      stderr.lines(texts);
      if (shown.length > 0) draw(shown);
    },
    /** @param {string[]} lines */
    show(...lines) {
      shown = lines;
      draw(shown);
    },
  };
}
