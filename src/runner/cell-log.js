import { withAdvice } from '../causes.js';
import { messageOf, ServerError } from '../errors.js';
import { atRate } from '../plan/cells.js';
import { failedRun } from '../results/run-record.js';
import { lossOf } from './server-watch.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { CellRecord, Notice, Run } from '../results/types.js' */
/** @import { GroupContext, RunContext } from './contexts.js' */

/** @typedef {Omit<CellRecord, 'type' | 'cell'>} KnownOfCell */
/** @typedef {{round: number, start: number}} When `round`: 0 before the first timed run */
/** @typedef {ReturnType<typeof createCellLog>} CellLog */

/**
 * What is recorded of a cell. In a search its rate changes, and each rate is a cell of its own.
 * @param {Cell} cell @param {Pick<GroupContext, 'record' | 'onEvent'>} context
 */
export function createCellLog(cell, { record, onEvent }) {
  let current = cell;
  const planned = new Set([cell.id]);
  /** @type {KnownOfCell} */
  let known = { iterations: null, effectiveOptions: {} };
  const recordKnown = () => record({ type: 'cell', cell: current.id, ...known });
  /** @param {Run} run */
  const keep = (run) => record({ type: 'run', cell: current.id, at: new Date().toISOString(), run });
  return {
    current: () => current,
    iterations: () => known.iterations,
    /** @param {Partial<KnownOfCell>} more */
    learn(more) {
      known = { ...known, ...more };
    },
    recordKnown,
    keep,

    /** @param {When} when @param {string} reason */
    fail(when, reason) {
      keep(failedRun(when, reason));
      onEvent({ type: 'failure', cell: current, message: reason });
    },

    /** @param {number} ratePerSecond of the runs that follow @returns {Cell} that they belong to */
    moveTo(ratePerSecond) {
      if (ratePerSecond === current.openLoop?.ratePerSecond) return current;
      current = atRate(cell, ratePerSecond);
      if (planned.has(current.id)) return current;
      planned.add(current.id);
      record({ type: 'planned', cell: current });
      recordKnown();
      return current;
    },
  };
}

/**
 * Records why a cell could not go on.
 * @param {unknown} error @param {When} when @param {CellLog} log @param {Pick<RunContext, 'server'>} context
 * @throws {ServerError} when the server is gone, which concerns all cells
 */
export async function recordFailure(error, when, log, { server }) {
  const reason = withAdvice(messageOf(error));
  const lost = error instanceof ServerError ? error : await lossOf(server);
  if (lost === null) return log.fail(when, reason);
  log.keep(failedRun(when, lost === error ? reason : `${reason}; ${messageOf(lost)}`));
  throw lost;
}

/** @param {(fact: Notice) => void} tell @returns {(fact: Notice) => void} tells each fact once */
export function once(tell) {
  const said = new Set();
  return (fact) => {
    const key = JSON.stringify(fact);
    if (!said.has(key)) tell(fact);
    said.add(key);
  };
}
