import { withAdvice } from '../error-causes.js';
import { messageOf, NoRoomError, ServerError } from '../errors.js';
import { lossOf } from '../server/server-watch.js';
import { createRun, failedRun, withRelay, withWarnings } from '../store/run-record.js';
import { storedCell } from '../store/shapes.js';
import { addEmitted } from './merge-runs.js';
import { atRate } from './plan/cells.js';
import { workersOf } from './plan/loads.js';

/** @import { Cell } from './plan/types.js' */
/** @import { CellRecord, Run } from '../store/types.js' */
/** @import { GroupContext, RunContext } from './types.js' */
/** @import { WatchedRun } from './types.js' */
/** @import { Emitted } from '../worker/types.js' */

/** @typedef {Omit<CellRecord, 'type' | 'cell'>} KnownOfCell */
/** @typedef {Pick<Run, 'round' | 'start' | 'emitted'>} When `round` is 0 before the first timed run */
/** @typedef {ReturnType<typeof createCellLog>} CellLog */

/** A search makes each rate a cell. @param {Cell} cell @param {Pick<GroupContext, 'record' | 'onEvent'>} context */
export function createCellLog(cell, { record, onEvent }) {
  let current = cell;
  const planned = new Set([cell.id]);
  /** @type {KnownOfCell} */
  let known = { iterations: null, effectiveOptions: {} };
  const recordKnown = () => record({ type: 'cell', cell: current.id, ...known });
  /** @param {Run} run */
  const keep = (run) => record({ type: 'run', cell: current.id, at: new Date().toISOString(), run });
  /** Of a run that has not ended. @type {Emitted | null} */
  let emitted = null;
  function takeEmitted() {
    const taken = emitted;
    emitted = null;
    return taken;
  }
  return {
    current: () => current,
    /** What clients emitted before a run failed, which reports nothing itself. @param {Emitted | null} more */
    noteEmitted(more) {
      emitted = addEmitted([emitted, more]);
    },
    takeEmitted,
    /** @param {Partial<KnownOfCell>} more */
    learn(more) {
      known = { ...known, ...more };
    },
    recordKnown,
    keep,

    /** @param {When} when @param {string} reason @returns {Run} */
    fail(when, reason) {
      const run = withEmitted(failedRun(when, reason), takeEmitted());
      keep(run);
      onEvent({ type: 'failure', cell: current, message: reason });
      return run;
    },

    /** Of a server that is lost, which ends all cells. @param {When} when @param {string} reason */
    keepLost: (when, reason) => keep(withEmitted(failedRun(when, reason), takeEmitted())),

    /** @param {number} ratePerSecond @returns {Cell} the cell of the next runs */
    moveTo(ratePerSecond) {
      if (ratePerSecond === current.openLoop?.ratePerSecond) return current;
      current = atRate(cell, ratePerSecond);
      if (planned.has(current.id)) return current;
      planned.add(current.id);
      record({ type: 'planned', cell: storedCell(current) });
      recordKnown();
      return current;
    },
  };
}

/** @param {Run} run @param {Emitted | null} more @returns {Run} */
export function withEmitted(run, more) {
  const emitted = addEmitted([run.emitted, more]);
  return emitted === null ? run : { ...run, emitted };
}

/** @param {WatchedRun} observed @param {When} when @param {Cell} cell @param {RunContext} context @returns {Run} */
export function runOf(observed, when, cell, { server, placer, catalogue, settings }) {
  const { workerCpus } = placer.placementFor(cell.pin);
  const run = createRun({
    ...when,
    observed,
    opensDuringRun: catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false,
    isWatched: cell.topology === 'sentinel',
    hasOneNode: cell.topology === 'standalone',
    noInfo: server.noInfo ?? 'denied',
    openLoop: cell.openLoop,
    appWorkUs: cell.appWorkUs,
    ownProcessor: cell.pin === 'apart' && workerCpus !== null && workersOf(cell) === 1,
    workerCpus: workerCpus?.length ?? null,
    caches: catalogue.clients.get(cell.client)?.caches ?? false,
  });
  const relayed = withRelay(run, observed.relay, cell.distance);
  const checked = withEvictions(relayed, observed.evictedKeys, settings.allowEviction);
  if (observed.expiredKeys === 0) return checked;
  const expired = `${observed.expiredKeys} of the keys that were stored for it have expired`;
  return { ...checked, failed: checked.failed === null ? expired : `${expired}; ${checked.failed}` };
}

/**
 * @param {unknown} error @param {When} when @param {CellLog} log @param {Pick<RunContext, 'server' | 'halt'>} context
 * @returns {Promise<Run>} @throws {ServerError} if the server is lost, which ends all cells
 */
export async function recordFailure(error, when, log, { server, halt }) {
  const reason = withAdvice(messageOf(error));
  if (error instanceof NoRoomError) {
    halt(reason);
    return log.fail(when, reason);
  }
  const lost = error instanceof ServerError ? error : await lossOf(server);
  if (lost === null) return log.fail(when, reason);
  log.keepLost(when, lost === error ? reason : `${reason}; ${messageOf(lost)}`);
  throw lost;
}

/** Fails the run unless evictions are allowed. @param {Run} run @param {number} evicted @param {boolean} allowed */
function withEvictions(run, evicted, allowed) {
  if (evicted === 0) return run;
  if (allowed) return withWarnings(run, [{ kind: 'evicted', keys: evicted }]);
  const found = `the server evicted ${evicted} ${evicted === 1 ? 'key' : 'keys'} to make room in its memory`;
  const reason = `${found}, and keys of its other users may be among them; raise its maxmemory, or accept that with --allow-eviction`;
  return { ...run, failed: run.failed ?? reason };
}
