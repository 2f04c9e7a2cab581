import { messageOf } from '../errors.js';
import { removeLeftovers } from '../leftovers.js';
import { startAnswering } from '../process/answering.js';
import { withTimeLimit } from '../process/wait.js';
import { programOf } from './workers.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { FaultLog } from '../results/types.js' */
/** @import { FaultEnd } from '../worker/fault-run.js' */
/** @import { FaultProgress, FaultRunLength, Job } from '../worker/types.js' */

/** @typedef {ReturnType<typeof startFaultWorker>} FaultWorker */

/** A worker ends its run by itself; after this long it is stuck. */
const GRACE_MS = 1500;

/**
 * Keeps what a worker reports during a run, even if it dies.
 * @param {Cell} cell @param {number[] | null} cpus @param {(pid: number) => string} [leaves] by its client
 */
export function startFaultWorker({ runtime }, cpus, leaves) {
  const log = createLog();
  let ended = false;
  const worker = startAnswering(programOf(runtime), cpus, {
    onMessage: ({ progress }) => progress !== undefined && log.add(progress),
    onEnd(pid) {
      ended = true;
      if (pid !== undefined) removeLeftovers(leaves?.(pid));
    },
  });
  return {
    /** @param {Job} job @param {number} limitMs */
    prepare: (job, limitMs) =>
      withTimeLimit(limitMs, worker.call('prepare', { ...job, isFollowed: true }), '--run-timeout'),

    /** Resolves however it ended. @param {FaultRunLength} length @throws {RunError} for an error of this tool */
    async run(length) {
      let stuck = false;
      const kill = () => {
        stuck = true;
        void worker.kill();
      };
      const timer = setTimeout(kill, length.durationMs + length.settleMs + GRACE_MS);
      try {
        log.end(await worker.call('run', length));
      } catch (error) {
        if (!ended) throw error;
        log.died(stuck ? 'stuck' : 'exit', messageOf(error));
      } finally {
        clearTimeout(timer);
      }
    },

    signal: worker.signal,
    stop: () => worker.send('stop'),
    kill: worker.kill,
    log: log.read,
  };
}

function createLog() {
  /** @type {FaultLog['operations']} */
  const operations = new Map();
  /** @type {string[]} */
  const causes = [];
  const ofEnd = { loopDelayMaxMs: null, crash: null, client: null, calls: null };
  const counts = { scheduled: 0, dropped: 0, unsent: 0, elapsedMs: 0 };
  /** @type {Omit<FaultLog, 'operations' | 'times'>} */
  const facts = { ...ofEnd, ...counts, firstRssBytes: 0, rssBytes: 0 };

  /** @param {Pick<FaultProgress, 'sent' | 'answered'>} progress */
  function addOperations({ sent, answered }) {
    for (let index = 0; index < sent.length; index += 2)
      operations.set(sent[index], { scheduledMs: sent[index + 1], atMs: null, cause: null });
    for (let index = 0; index < answered.length; index += 3) {
      const operation = operations.get(answered[index]);
      if (operation === undefined) continue;
      const outcome = answered[index + 2];
      operation.atMs = answered[index + 1];
      if (outcome > 0) operation.cause = causes[outcome - 1];
      if (outcome < 0) operation.wrong = outcome === -1 ? 'value' : 'nothing';
    }
  }
  return {
    /** @param {FaultProgress} progress */
    add({ sent, answered, newCauses, rssBytes, ...totals }) {
      causes.push(...newCauses);
      addOperations({ sent, answered });
      Object.assign(facts, totals);
      if (facts.firstRssBytes === 0) facts.firstRssBytes = rssBytes;
      facts.rssBytes = Math.max(facts.rssBytes, rssBytes);
    },

    /** @param {FaultEnd} end */
    end: (end) => void Object.assign(facts, end),

    /** @param {'exit' | 'stuck'} kind @param {string} message */
    died(kind, message) {
      facts.crash = { kind, message, at: null, ms: facts.elapsedMs };
    },

    read: () => ({ ...facts, operations }),
  };
}
