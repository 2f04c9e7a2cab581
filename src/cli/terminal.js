import { messageOf, RunError } from '../index.js';
import { printable } from '../report/words/escaped.js';

/** @import { Output, World } from './types.js' */

/** @param {Output} stream @returns {(text: string) => void} */
export const sayOn = (stream) => (text) => void stream.write(`${printable(text)}\n`);

/**
 * Handles errors of the output streams. If the reader stops early, as `| head` does, the benchmark
 * still ends in good order. If results cannot be written, as on a full disk, that is an error.
 * @param {Pick<World, 'stdout' | 'stderr'>} world
 * @returns {{flushed: () => Promise<void>}} `flushed` waits for what was written to stdout
 */
export function watchOutput({ stdout, stderr }) {
  /** @type {NodeJS.ErrnoException | undefined} */
  let failure;
  stdout.on('error', (error) => {
    failure ??= error;
  });
  // Nowhere is left to report it.
  stderr.on('error', () => {});
  return {
    /** @throws {RunError} if it could not be written although somebody reads it */
    async flushed() {
      await new Promise((resolve) => stdout.write('', resolve));
      if (failure === undefined || failure.code === 'EPIPE' || failure.code === 'ERR_STREAM_DESTROYED')
        return;
      throw new RunError(
        `the results could not be written to stdout: ${messageOf(failure)}; --output FILE writes them elsewhere`,
      );
    },
  };
}

/**
 * Whether to write colours to a stream. https://no-color.org and https://force-color.org override what
 * the stream itself is.
 * @param {Output} stream @param {NodeJS.ProcessEnv} env
 */
export function colorsWanted(stream, env) {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return animated(stream, env);
}

/** @param {Output} stream @param {NodeJS.ProcessEnv} env */
export const animated = (stream, env) => Boolean(stream.isTTY) && env.TERM !== 'dumb' && !env.CI;

/**
 * Whether the terminal shows characters beyond ASCII: unless a locale without UTF-8 is set. The order
 * of the variables is that of POSIX.
 * @param {NodeJS.ProcessEnv} env
 */
export function unicodeWanted({ LC_ALL, LC_CTYPE, LANG }) {
  const locale = LC_ALL || LC_CTYPE || LANG;
  return !locale || /utf-?8/i.test(locale);
}
