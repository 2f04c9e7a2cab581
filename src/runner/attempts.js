import { withAdvice } from '../causes.js';
import { messageOf, ServerError } from '../errors.js';
import { failedRun } from '../results/run-record.js';
import { lossOf } from './server-watch.js';

/** @import { MeasuredCell } from './run-cell.js' */

/**
 * Wraps all work with a worker, to record the first failure and end the worker.
 *
 * @param {MeasuredCell} measured
 */
export function createAttempts(measured) {
  const { log, context } = measured;
  const { server, signal, onEvent } = context;
  let ended = false;
  /** No more attempts. */
  attempt.end = () => {
    ended = true;
  };
  attempt.hasEnded = () => ended;
  return attempt;

  /**
   * @template T
   * @param {number} round 0 before the first timed run
   * @param {() => Promise<T>} work
   * @returns {Promise<T | undefined>} undefined when it failed, or was interrupted
   * @throws {ServerError} when the server is gone, which concerns all cells
   */
  async function attempt(round, work) {
    if (ended) return undefined;
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return undefined;
      ended = true;
      await measured.life?.worker.kill();
      const lost = error instanceof ServerError ? error : await lossOf(server);
      const reason = withAdvice(messageOf(error));
      const why = lost === null || lost === error ? reason : `${reason}; ${messageOf(lost)}`;
      log.keep(failedRun({ round, start: measured.start }, why));
      if (lost) throw lost;
      onEvent({ type: 'failure', cell: log.current(), message: reason });
      return undefined;
    }
  }
}
