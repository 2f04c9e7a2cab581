import { withAdvice } from '../../error-causes.js';
import { messageOf } from '../../errors.js';
import { startAnswering } from '../../process/answering.js';
import { removeLeftovers } from '../../process/leftovers.js';
import { sharedClock } from '../../process/shared-clock.js';
import { untilAborted, withTimeLimit } from '../../process/wait.js';
import { createJob } from '../../run/cell-worker.js';
import { runApart } from '../../run/independent-runs.js';
import { addEmitted } from '../../run/merge-runs.js';
import { jobOfPart, programOf } from '../../run/workers.js';
import { prepareTimeout } from '../../server/server-watch.js';
import { mergeBy } from '../../store/merge.js';
import { withWarnings } from '../../store/run-record.js';
import { createFaultRun } from './account.js';
import { setStage } from './stage.js';
import { STRIKES, storeFillers } from './strikes.js';

/** @import { Cell } from '../../run/plan/types.js' */
/** @import { Settings } from '../../options/types.js' */
/** @import { FaultRun } from './types.js' */
/** @import { FaultOperation } from './account.js' */
/** @import { Stage } from './stage.js' */
/** @import { CellLog } from '../../run/cell-log.js' */
/** @import { GroupContext } from '../../run/types.js' */
/** @import { FaultEnd, FaultProgress, FaultRunLength, open } from './worker.js' */
/** @import { Job } from '../../worker/types.js' */

/**
 * @typedef {ReturnType<FaultWorker['log']> & {times: Map<number, number | null> | null}} FaultLog what one process did, and
 *   how often each operation was done, by the server's data; null if that does not show it
 * @typedef {Awaited<ReturnType<typeof play>> & Pick<FaultRun, 'proves' | 'silenceLimitMs'>} FaultSetting
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
  const { catalogue, settings, signal } = context;
  const stage = await setStage(cell, context);
  /** @type {FaultWorker[]} */
  const workers = [];
  const killAll = () => Promise.all(workers.map((worker) => worker.kill()));
  try {
    if (stage.fault.kind === 'loading') await storeFillers(stage);
    const { processes: count, chosen } = cell;
    const leaves = catalogue.clients.get(cell.client)?.tempFilePrefix;
    while (workers.length < count) workers.push(startFaultWorker(cell, stage.placement.workerCpus, leaves));
    const place = context.placeOf(cell);
    const job = {
      ...createJob(cell, stage.target, { ...context, ...place }),
      brokenSlots: stage.brokenSlots,
    };
    const preparing = workers.map((worker, index) =>
      worker.prepare(jobOfPart(job, { index, count }), prepareTimeout(settings.runTimeoutMs)),
    );
    const facts = await untilAborted(signal, Promise.all(preparing));
    const played = await untilAborted(signal, play(workers, stage, settings));
    await killAll();
    await stage.relay?.end();
    await stage.quiet();
    const { id, ownKeys } = chosen.workload;
    const account = ownKeys ? catalogue.workloads.get(id)?.account : undefined;
    /** @type {FaultLog[]} */
    const logs = [];
    for (const [index, worker] of workers.entries()) {
      const times = (await account?.count(facts[index].evidence, stage.onKey)) ?? null;
      logs.push({ ...worker.log(), times });
    }
    /** @type {FaultRun['proves']} */
    const proves = account?.proves ?? (facts.every(({ onlyReads }) => onlyReads) ? 'reads' : 'replies');
    const connections = mergeBy(
      'sumOfAll',
      facts.map((each) => each.connections),
    );
    const [{ remarks, effectiveOptions }] = facts;
    log.learn({ effectiveOptions });
    const silenceLimitMs = catalogue.clients.get(cell.client)?.silenceLimitMs?.(effectiveOptions);
    const setting = { ...played, proves, silenceLimitMs };
    const run = createFaultRun({ round, logs, setting, connections, remarks });
    const ms = run.fault?.struckLateMs ?? 0;
    return ms > STRIKES_WITHIN_MS ? withWarnings(run, [{ kind: 'late-fault', ms }]) : run;
  } finally {
    await killAll();
    await stage.close();
  }
}

/** For answers: a busy machine may hold all of them back for half a second. */
const SHORTEST_WAIT_MS = 1500;

/** Times of the result are since the start of the run. @param {FaultWorker[]} workers @param {Stage} stage @param {Settings} settings */
async function play(workers, stage, settings) {
  const { fault, cell } = stage;
  const { idleMs = 0 } = cell;
  // Twice the run: a caller still waiting then may wait forever. A frozen process does not hang.
  const loadMs = Number(fault.durationMs ?? settings.durationMs);
  const wholeMs = loadMs + Math.max(loadMs, SHORTEST_WAIT_MS);
  const runMs = Math.min(wholeMs, settings.runTimeoutMs ?? Number.POSITIVE_INFINITY);
  const limitMs = runMs + idleMs + (fault.by === 'client' ? Number(fault.lastsMs) : 0);
  const durationMs = loadMs + idleMs;
  const pause = { atMs: fault.atMs, ms: idleMs };
  const startAtMs = sharedClock() + START_IN_MS;
  const dueAtMs = startAtMs + fault.atMs + idleMs / 2;
  const striking = STRIKES[fault.kind](stage, dueAtMs, workers);
  striking.catch(() => {
    for (const worker of workers) worker.stop();
  });
  const length = { durationMs, settleMs: limitMs - durationMs, startAtMs, pause };
  await Promise.all(workers.map((worker) => worker.run(length)));
  const strike = await striking;
  return {
    durationMs,
    pause,
    sloMs: Number(cell.openLoop?.sloMs),
    strike: strike && {
      struckAtMs: strike.struckAtMs - startAtMs,
      lateMs: strike.struckAtMs - dueAtMs,
      overAtMs: strike.endedAtMs - startAtMs,
      /** When the server lost its data: what was acknowledged before is gone. */
      freshFromMs: strike.freshFromMs && strike.freshFromMs - startAtMs,
      ...(strike.promotedAtMs !== undefined && { promotedAtMs: strike.promotedAtMs - startAtMs }),
      ...(fault.by === 'client' && { frozenUntilMs: strike.endedAtMs - startAtMs }),
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
function startFaultWorker(cell, cpus, leaves) {
  /** @type {Map<number, Omit<FaultOperation, 'times'>>} */
  const operations = new Map();
  /** Null if it died before. @type {{[Name in keyof FaultEnd]: FaultEnd[Name] | null}} */
  const ofEnd = { loopDelayMaxMs: null, crash: null, client: null, calls: null };
  const counts = { scheduled: 0, dropped: 0, unsent: 0, elapsedMs: 0 };
  const facts = { ...ofEnd, ...counts, firstRssBytes: 0, rssBytes: 0, emitted: addEmitted([]) };
  let ended = false;

  /** @param {FaultProgress} progress */
  function add({ sent, answered, rssBytes, emitted: more, ...totals }) {
    for (const [number, scheduledMs, isOnBroken] of sent)
      operations.set(number, { scheduledMs, atMs: null, cause: null, isOnBroken });
    for (const [number, atMs, answer] of answered)
      Object.assign(operations.get(number) ?? {}, { atMs, ...answer });
    Object.assign(facts, totals, { emitted: addEmitted([facts.emitted, more]) });
    facts.firstRssBytes ||= rssBytes;
    facts.rssBytes = Math.max(facts.rssBytes, rssBytes);
  }
  const worker = startAnswering(programOf(cell), cpus, {
    onMessage: ({ progress }) => progress !== undefined && add(progress),
    onEnd(pid) {
      ended = true;
      if (pid !== undefined) removeLeftovers(leaves?.(pid));
    },
  });
  return {
    /** @param {Job} job @param {number} limitMs @returns {ReturnType<Awaited<ReturnType<typeof open>>['prepare']>} */
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
        Object.assign(facts, await worker.call('run', length));
      } catch (error) {
        if (!ended) throw error;
        const kind = stuck ? 'stuck' : 'exit';
        facts.crash = { kind, message: messageOf(error), at: null, ms: facts.elapsedMs };
      } finally {
        clearTimeout(timer);
      }
    },

    signal: worker.signal,
    stop: () => worker.send('stop'),
    kill: worker.kill,
    log: () => ({ ...facts, operations }),
  };
}
