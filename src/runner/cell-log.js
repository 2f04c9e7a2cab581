import { withAdvice } from '../causes.js';
import { messageOf, ServerError } from '../errors.js';
import { atRate } from '../plan/cells.js';
import { failedRun } from '../results/run-record.js';
import { lossOf } from './server-watch.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { CellRecord, ResultRecord, Run } from '../results/types.js' */
/** @import { MeasuredCell } from './run-cell.js' */

/**
 * What is recorded of a cell. In a search its rate changes, and each rate is a cell of its own.
 * @param {Cell} cell @param {(record: ResultRecord) => void} record
 */
export function createCellLog(cell, record) {
  let current = cell;
  const planned = new Set([cell.id]);
  /** @type {Omit<CellRecord, 'type' | 'cell'>} */
  const facts = { iterations: null, effectiveOptions: {} };
  const recordFacts = () => record({ type: 'cell', cell: current.id, ...facts });
  return {
    facts,
    current: () => current,
    recordFacts,

    /** @param {Run} run */
    keep: (run) => record({ type: 'run', cell: current.id, at: new Date().toISOString(), run }),

    /** @param {number} ratePerSecond of the runs that follow @returns {Cell} that they belong to */
    moveTo(ratePerSecond) {
      if (ratePerSecond === current.openLoop?.ratePerSecond) return current;
      current = atRate(cell, ratePerSecond);
      if (planned.has(current.id)) return current;
      planned.add(current.id);
      record({ type: 'planned', cell: current });
      recordFacts();
      return current;
    },
  };
}

/**
 * Does some work with a cell's worker. The first failure is recorded and ends the worker, and later work is not done.
 * @template T @param {MeasuredCell} measured @param {number} round 0 before the first timed run
 * @param {() => Promise<T>} work @returns {Promise<T | undefined>} undefined when it failed, or was interrupted
 * @throws {ServerError} when the server is gone, which concerns all cells
 */
export async function attempt(measured, round, work) {
  const { log, context } = measured;
  if (measured.hasEnded) return undefined;
  try {
    return await work();
  } catch (error) {
    if (context.signal.aborted) return undefined;
    measured.hasEnded = true;
    await measured.life?.worker.kill();
    const lost = error instanceof ServerError ? error : await lossOf(context.server);
    const reason = withAdvice(messageOf(error));
    const why = lost === null || lost === error ? reason : `${reason}; ${messageOf(lost)}`;
    log.keep(failedRun({ round, start: measured.start }, why));
    if (lost) throw lost;
    context.onEvent({ type: 'failure', cell: log.current(), message: reason });
    return undefined;
  }
}

/** @param {(message: string) => void} tell @returns {(message: string) => void} tells each message once */
export function once(tell) {
  const told = new Set();
  return (message) => {
    if (!told.has(message)) tell(message);
    told.add(message);
  };
}
