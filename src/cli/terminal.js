import { createColors } from '../report/colors.js';
import { printable, printableBeside } from '../report/escaped.js';
import { columnsOf, cut } from '../report/wrap.js';

/** @import { Output, Printer } from './types.js' */

/** See https://no-color.org and https://force-color.org. @param {Output} stream @param {NodeJS.ProcessEnv} env */
export function colorsWanted(stream, env) {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return animated(stream, env);
}

/** @param {Output} stream @param {NodeJS.ProcessEnv} env */
export const animated = (stream, env) => Boolean(stream.isTTY) && env.TERM !== 'dumb' && !env.CI;

/**
 * Lines in place of others, on the last of which the cursor is. What stays the same is not written again, so that nothing flickers;
 * in a terminal that became narrower the old ones take more rows.
 * @param {string[]} before @param {string[]} after @param {number} columns
 */
function inPlace(before, after, columns) {
  const rowsOf = (/** @type {string} */ line) => Math.max(1, Math.ceil(columnsOf(line) / columns));
  const rows = before.reduce((sum, line) => sum + rowsOf(line), 0);
  const start = `\r${rows > 1 ? `\x1b[${rows - 1}A` : ''}`;
  if (rows > before.length || after.length < before.length) return `${start}\x1b[J${after.join('\n')}`;
  return start + after.map((line, place) => (line === before[place] ? '' : `\x1b[2K${line}`)).join('\n');
}

/** What formats write themselves: ends of lines, and colours. */
const [ENDS, ENDS_AND_COLORS] = ['\\r?\\n', '\\r?\\n|\\x1b\\[\\d+m'].map(printableBeside);

/**
 * The only way to stdout and stderr: nothing else holds the streams. What it is given may come from outside, so a
 * text is one line, and colours and the cursor are the printer's own.
 * @param {Output} stream @param {NodeJS.ProcessEnv} env @returns {Printer}
 */
export function createPrinter(stream, env) {
  const color = colorsWanted(stream, env);
  const colors = createColors(color);
  const printableText = color ? ENDS_AND_COLORS : ENDS;
  return {
    color,
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    animated: animated(stream, env),
    lines: (texts) => void stream.write(texts.map((text) => `${printable(text)}\n`).join('')),
    marked: ([look, mark], text) => void stream.write(`${colors[look](printable(mark))}${printable(text)}\n`),
    rendered: (text) => void stream.write(printableText(text)),
    redraw(before, rendered, texts) {
      const { columns = 80 } = stream;
      const lines = [
        ...rendered.map(printableText),
        ...texts.map((text) => cut(printable(text), columns - 1)),
      ];
      stream.write(inPlace(before, lines, columns));
      return lines;
    },
  };
}

/** Lines that are redrawn, below those that are said; on a terminal only. @param {Printer} stderr @param {boolean} [quiet] */
export function createLastLines(stderr, quiet = false) {
  const redraws = stderr.animated && !quiet;
  /** @type {{rendered: string[], texts: string[]}} */
  let shown = { rendered: [], texts: [] };
  /** @type {string[]} */
  let drawn = [];
  const clear = () => {
    drawn = drawn.length === 0 ? [] : stderr.redraw(drawn, [], []);
  };
  const draw = () => {
    drawn = stderr.redraw(drawn, shown.rendered, shown.texts);
  };
  return {
    redraws,
    clear,
    /** @param {string[]} texts */
    say(...texts) {
      const wasDrawn = drawn.length > 0;
      clear();
      stderr.lines(texts);
      if (wasDrawn) draw();
    },
    /** @param {string[]} rendered what the code of tables made @param {string[]} texts below it */
    show(rendered, ...texts) {
      shown = { rendered, texts };
      draw();
    },
  };
}
