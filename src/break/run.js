import { sum } from 'simple-statistics';
import { withAdvice } from '../core/causes.js';
import { messageOf } from '../core/errors.js';
import { removeLeftovers } from '../core/leftovers.js';
import { startAnswering } from '../core/process/answering.js';
import { untilAborted, withTimeLimit } from '../core/process/wait.js';
import { runApart } from '../core/run/apart.js';
import { createJob } from '../core/run/cell-worker.js';
import { programOf } from '../core/run/workers.js';
import { prepareTimeout } from '../core/server/server-watch.js';
import { sharedClock } from '../core/shared-clock.js';
import { withWarnings } from '../core/store/run-record.js';
import { createFaultRun } from './account.js';
import { setStage } from './stage.js';
import { STRIKES } from './strikes.js';

/** @import { Cell, OpenLoopPlan } from '../core/plan/types.js' */
/** @import { FaultRun } from '../core/store/types.js' */
/** @import { FaultOperation } from './account.js' */
/** @import { Stage } from './stage.js' */
/** @import { CellLog } from '../core/run/cell-log.js' */
/** @import { GroupContext } from '../core/run/types.js' */
/** @import { FaultEnd, open } from './worker.js' */
/** @import { FaultProgress, FaultRunLength } from './worker.js' */
/** @import { Job } from '../core/worker/types.js' */

/** @typedef {Awaited<ReturnType<typeof open>>['facts']} FaultFacts */
/**
 * @typedef {ReturnType<ReturnType<typeof createLog>['read']> & {times: Map<number, number | null> | null}} FaultLog what one
 *   process did, and how often each operation was done, by the server's data; null if that does not show it
 * @typedef {Awaited<ReturnType<typeof accountOf>>['setting']} FaultSetting times are since the start of the run
 */

/** Every process has received the message by then: one that begins late has little done when the fault strikes. */
const START_IN_MS = 300;
/** A tenth of a chart's column. A fault that strikes later is reported. */
const STRIKES_WITHIN_MS = 20;

/** Each run has its own processes and server, so nothing is warm. @param {Cell[]} cells @param {GroupContext} context */
export const runGroup = (cells, context) =>
  runApart(
    cells,
    context,
    (cell, round, log) => runWithFault(cell, round, log, context),
    async (error, when, log) => log.fail(when, withAdvice(messageOf(error))),
  );

/**
 * @param {Cell} cell @param {number} round @param {CellLog} log @param {GroupContext} context
 * @throws {RunError} if the fault did not happen
 */
async function runWithFault(cell, round, log, context) {
  const stage = await setStage(cell, context);
  /** @type {FaultWorker[]} */
  const workers = [];
  const killAll = () => Promise.all(workers.map((worker) => worker.kill()));
  try {
    const leaves = context.catalogue.clients.get(cell.client)?.leaves;
    for (let index = 0; index < cell.processes; index++)
      workers.push(startFaultWorker(cell, stage.placement.workerCpus, leaves));
    const facts = await prepareAll(workers, stage, context);
    const played = await untilAborted(context.signal, play(workers, stage, context));
    await killAll();
    await stage.relay?.end();
    await stage.quiet();
    const { logs, setting } = await accountOf(workers, facts, played, stage, context);
    const connections = sum(facts.map((each) => each.connections));
    const [{ remarks, effectiveOptions }] = facts;
    const run = createFaultRun({ round, logs, setting, connections, remarks });
    const ms = run.fault?.struckLateMs ?? 0;
    log.learn({ effectiveOptions });
    return ms > STRIKES_WITHIN_MS ? withWarnings(run, [{ kind: 'late-fault', ms }]) : run;
  } finally {
    await killAll();
    await stage.close();
  }
}

/** @typedef {Awaited<ReturnType<typeof play>>} Played */

/**
 * @param {FaultWorker[]} workers @param {FaultFacts[]} facts @param {Played} played @param {Stage} stage
 * @param {GroupContext} context
 */
async function accountOf(workers, facts, played, stage, context) {
  const { id, ownKeys } = stage.cell.chosen.workload;
  const account = ownKeys ? context.catalogue.workloads.get(id)?.account : undefined;
  /** @type {FaultLog[]} */
  const logs = [];
  for (const [index, worker] of workers.entries()) {
    const times = (await account?.count(facts[index].evidence, stage.onKey)) ?? null;
    logs.push({ ...worker.log(), times });
  }
  /** How operations are checked: by their replies only, or by what the server's data shows. @type {FaultRun['proves']} */
  const proves = account?.proves ?? (facts.every(({ onlyReads }) => onlyReads) ? 'reads' : 'replies');
  return { logs, setting: { ...settingOf(stage, played), proves } };
}

/**
 * @param {FaultWorker[]} workers @param {Stage} stage @param {GroupContext} context @returns {Promise<FaultFacts[]>}
 */
function prepareAll(workers, { cell, target }, context) {
  const job = createJob(cell, target, { ...context, ...context.placeOf(cell) });
  const limitMs = prepareTimeout(context.settings.runTimeoutMs);
  const count = workers.length;
  return untilAborted(
    context.signal,
    Promise.all(workers.map((worker, index) => worker.prepare({ ...job, part: { index, count } }, limitMs))),
  );
}

/** @param {FaultWorker[]} workers @param {Stage} stage @param {GroupContext} context */
async function play(workers, stage, { settings }) {
  const { fault, cell } = stage;
  const { idleMs = 0 } = cell;
  // Twice the run: a caller still waiting then may wait forever. A frozen process does not hang.
  const runMs = Math.min(2 * Number(settings.durationMs), settings.runTimeoutMs ?? Number.POSITIVE_INFINITY);
  const limitMs = runMs + idleMs + (fault.by === 'client' ? Number(fault.lastsMs) : 0);
  const durationMs = Number(settings.durationMs) + idleMs;
  const startAtMs = sharedClock() + START_IN_MS;
  const strikeAtMs = startAtMs + fault.atMs + idleMs / 2;
  const striking = STRIKES[fault.kind](stage, strikeAtMs, workers);
  striking.catch(() => {
    for (const worker of workers) worker.stop();
  });
  const length = {
    durationMs,
    settleMs: limitMs - durationMs,
    startAtMs,
    pause: { atMs: fault.atMs, ms: idleMs },
  };
  await Promise.all(workers.map((worker) => worker.run(length)));
  return { length, strike: await striking };
}

/** @param {Stage} stage @param {Played} played */
function settingOf({ cell, fault }, { length: { durationMs, pause, startAtMs }, strike }) {
  const since = (/** @type {number} */ ms) => ms - startAtMs;
  const { sloMs } = /** @type {OpenLoopPlan} */ (cell.openLoop);
  return {
    durationMs,
    sloMs: Number(sloMs),
    pause,
    strike: strike && {
      struckAtMs: since(strike.struckAtMs),
      lateMs: since(strike.struckAtMs) - fault.atMs - pause.ms / 2,
      overAtMs: since(strike.endedAtMs),
      /** When the server lost its data: what was acknowledged before is gone. */
      freshFromMs: strike.freshFromMs === undefined ? undefined : since(strike.freshFromMs),
      ...(strike.promotedAtMs !== undefined && { promotedAtMs: since(strike.promotedAtMs) }),
      met: strike.met,
    },
  };
}

/** @typedef {ReturnType<typeof startFaultWorker>} FaultWorker */

/** A worker ends its run by itself; after this long it is stuck. */
const GRACE_MS = 1500;

/**
 * Keeps what a worker reports during a run, even if it dies.
 * @param {Cell} cell @param {number[] | null} cpus @param {(pid: number) => string} [leaves] by its client
 */
function startFaultWorker({ runtime }, cpus, leaves) {
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
    prepare: (job, limitMs) => withTimeLimit(limitMs, worker.call('prepare', job), '--run-timeout'),

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
  /** @type {Map<number, Omit<FaultOperation, 'times'>>} */
  const operations = new Map();
  /** @type {string[]} */
  const causes = [];
  /** Null if it died before. @type {{[Name in keyof FaultEnd]: FaultEnd[Name] | null}} */
  const ofEnd = { loopDelayMaxMs: null, crash: null, client: null, calls: null };
  const counts = { scheduled: 0, dropped: 0, unsent: 0, elapsedMs: 0 };
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
