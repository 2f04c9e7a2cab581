import { messageOf, RunError } from '../index.js';
import { printable } from '../report/words/escaped.js';

/** @import { Output, World } from './types.js' */

/**
 * Prints messages for the person at the terminal, each on its own lines.
 *
 * @param {Output} stream
 * @returns {(text: string) => void}
 */
export const sayOn = (stream) => (text) => void stream.write(`${printable(text)}\n`);

/**
 * Handles errors of the output streams. If the reader stops early, as `| head` does, the benchmark
 * still ends in good order. If results cannot be written, as on a full disk, that is an error.
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
