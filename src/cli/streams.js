import { messageOf, RunError } from '../index.js';
import { printable } from '../report/words/printable.js';

/** @import { Output, World } from './types.js' */

/**
 * Says something to the person at the terminal, on lines of their own.
 *
 * @param {Output} stream
 * @returns {(text: string) => void}
 */
export const sayOn = (stream) => (text) => void stream.write(`${printable(text)}\n`);

/**
 * Hears of errors of the output streams. Who reads them may stop early, as `| head` does: then the
 * benchmark goes on to its orderly end. Results that could not be written, on a full disk, are lost.
 *
 * @param {Pick<World, 'stdout' | 'stderr'>} world
 * @returns {{flushed: () => Promise<void>}} `flushed` waits for what was written to stdout
 */
export function watchOutput({ stdout, stderr }) {
  /** @type {NodeJS.ErrnoException | undefined} */
  let failure;
  stdout.on('error', (error) => {
    failure ??= error;
  });
  // There is nowhere left to say it.
  stderr.on('error', () => {});
  return {
    /** @throws {RunError} when it could not be written, though somebody reads it */
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
