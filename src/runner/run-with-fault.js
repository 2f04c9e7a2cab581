import pLimit from 'p-limit';
import { withAdvice } from '../causes.js';
import { messageOf } from '../errors.js';
import { prepareTimeout } from '../plan/run-length.js';
import { untilAborted } from '../process/wait.js';
import { timesArrived } from '../results/fault-messages.js';
import { createFaultRun } from '../results/fault-record.js';
import { withWarnings } from '../results/run-record.js';
import { sharedClock } from '../shared-clock.js';
import { createJob } from './cell-worker.js';
import { setStage } from './fault-stage.js';
import { prepareStrike, STRIKES } from './fault-strikes.js';
import { startFaultWorker } from './fault-worker.js';
import { watchRedirections } from './redirections.js';
import { createRunnerApart } from './runner-apart.js';

/** @import { Cell, OpenLoopPlan } from '../plan/types.js' */
/** @import { FaultLog, FaultSetting, Redirections, Run } from '../results/types.js' */
/** @import { Stage } from './fault-stage.js' */
/** @import { GroupContext } from './contexts.js' */
/** @import { FaultFacts, Strike } from './types.js' */

/**
 * A cell in whose runs something breaks. Each run has processes and a server of its own, so that nothing is warmed, and
 * one that failed says nothing about the next.
 * @param {Cell} cell @param {GroupContext} context
 */
export function createFaultRunner(cell, context) {
  let areKeysRemoved = true;
  /** @param {number} round */
  async function measure(round) {
    const done = await runWithFault(cell, round, context);
    areKeysRemoved &&= done.areKeysRemoved;
    const lateMs = done.run.fault?.struckLateMs ?? 0;
    const run = withWarnings(
      done.run,
      lateMs > STRIKES_WITHIN_MS ? [{ kind: 'late-fault', ms: lateMs }] : [],
    );
    return { run, known: { effectiveOptions: done.effectiveOptions } };
  }
  return {
    ...createRunnerApart(cell, null, context, measure, (error, when, log) => {
      areKeysRemoved = false;
      log.fail(when, withAdvice(messageOf(error)));
    }),
    /** For certain. */
    areKeysRemoved: () => areKeysRemoved,
  };
}

/** By then every process has received the message and waits for the common start. */
const START_IN_MS = 100;

/** @typedef {ReturnType<typeof startFaultWorker>} FaultWorker */

/**
 * One run of a cell in which something breaks: everything it needs is started for it alone and ends with it.
 * @param {Cell} cell @param {number} round @param {GroupContext} context
 * @returns {Promise<{run: Run, effectiveOptions: Record<string, unknown>, areKeysRemoved: boolean}>}
 * @throws {RunError} where the fault did not happen, or its effects cannot be counted
 */
async function runWithFault(cell, round, context) {
  const stage = await setStage(cell, context);
  /** @type {FaultWorker[]} */
  const workers = [];
  try {
    if (stage.orders === null) await prepareStrike(stage);
    const leaves = context.catalogue.clients.get(cell.client)?.leaves;
    for (let index = 0; index < cell.processes; index++)
      workers.push(startFaultWorker(cell, stage.placement.workerCpus, leaves));
    const facts = await prepareAll(workers, stage, context);
    const played = await untilAborted(context.signal, play(workers, stage, context));
    await Promise.all(workers.map((worker) => worker.kill()));
    await stage.relay?.end();
    await stage.quiet();
    const { logs, setting, areKeysRemoved } = await accountOf(workers, facts, played, stage, context);
    const connections = facts.reduce((sum, each) => sum + each.connections, 0);
    const [{ remarks, effectiveOptions }] = facts;
    const run = createFaultRun({ round, logs, setting, connections, remarks });
    return { run, effectiveOptions, areKeysRemoved };
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
    await stage.close();
  }
}

/**
 * What became of each operation, once all clients have ended.
 * @param {FaultWorker[]} workers @param {FaultFacts[]} facts @param {Awaited<ReturnType<typeof play>>} played
 * @param {Stage} stage @param {GroupContext} context
 */
async function accountOf(workers, facts, { startAtMs, strike, redirections }, stage, context) {
  const { account } = context.catalogue.workloads.get(stage.cell.chosen.workload.id) ?? {};
  /** @type {FaultLog[]} */
  const logs = [];
  for (const [index, worker] of workers.entries()) {
    const { evidence, receivers } = facts[index];
    const log = worker.log();
    const times = (await account?.count(evidence, stage.onKey, timesArrived(log.operations))) ?? null;
    logs.push({ ...log, receivers, times });
  }
  const connectMs = Math.max(...facts.map((each) => each.connectMs));
  const cluster = { ...redirections, ...(stage.fault.kind === 'dead-seed' && { connectMs }) };
  /** @type {FaultSetting} */
  const setting = {
    ...settingOf(stage, { startAtMs, strike, cluster }, context),
    proves: account?.proves ?? (facts.every(({ onlyReads }) => onlyReads) ? 'reads' : 'replies'),
  };
  const areKeysRemoved = stage.server.kind === 'managed' || (await removeKeys(facts, stage));
  return { logs, setting, areKeysRemoved };
}

/**
 * @param {FaultFacts[]} facts @param {Stage} stage
 * @returns {Promise<boolean>} false where it is not known which keys there are
 */
async function removeKeys(facts, { server: { removal }, onKey }) {
  const [name, ...rest] = removal;
  const keys = new Set(facts.flatMap((each) => each.keys ?? []));
  await pLimit(REMOVED_AT_ONCE).map(keys, (key) => onKey(name, key, ...rest));
  return facts.every((each) => each.keys !== null);
}
const REMOVED_AT_ONCE = 100;

/** Later than this, it is another run than the one that was asked for: the target is a tenth of a picture's column. */
const STRIKES_WITHIN_MS = 20;

/**
 * @param {FaultWorker[]} workers @param {Stage} stage @param {GroupContext} context
 * @returns {Promise<FaultFacts[]>}
 */
function prepareAll(workers, { cell, target }, context) {
  const job = createJob(cell, target, { ...context, ...context.placeOf(cell), distant: null });
  const limitMs = prepareTimeout(context.settings.runTimeoutMs);
  const count = workers.length;
  return untilAborted(
    context.signal,
    Promise.all(workers.map((worker, index) => worker.prepare({ ...job, part: { index, count } }, limitMs))),
  );
}

/**
 * The run itself, with its fault.
 * @param {FaultWorker[]} workers @param {Stage} stage @param {GroupContext} context
 * @returns {Promise<{startAtMs: number, strike: Strike | null, redirections?: Redirections}>}
 */
async function play(workers, stage, { settings }) {
  const durationMs = Number(settings.durationMs);
  // As long as the run again: whoever waits then may wait for ever.
  const runMs = Math.min(2 * durationMs, settings.runTimeoutMs ?? Number.POSITIVE_INFINITY);
  const { fault, cell } = stage;
  const idleMs = cell.idleMs ?? 0;
  // A frozen process is not one that hangs.
  const limitMs = runMs + idleMs + (fault.by === 'client' ? Number(fault.lastsMs) : 0);
  const startAtMs = sharedClock() + START_IN_MS;
  const strikeAtMs = startAtMs + fault.atMs + idleMs / 2;
  const striking = stage.orders?.strike(strikeAtMs) ?? STRIKES[fault.kind](stage, strikeAtMs, workers);
  striking.catch(() => {
    for (const worker of workers) worker.stop();
  });
  const length = {
    durationMs: durationMs + idleMs,
    settleMs: limitMs - durationMs - idleMs,
    startAtMs,
    pause: { atMs: fault.atMs, ms: idleMs },
  };
  const { nodes, topology } = stage.server;
  const watched = topology === 'cluster' ? [...nodes, ...(stage.spare ? [stage.spare] : [])] : [];
  const endWatch = watchRedirections(watched.map(({ control }) => control));
  try {
    await Promise.all(workers.map((worker) => worker.run(length)));
    return { startAtMs, strike: await striking, redirections: await endWatch() };
  } finally {
    await endWatch();
  }
}

/**
 * @param {Stage} stage @param {{startAtMs: number, strike: Strike | null, cluster: FaultSetting['cluster']}} run
 * @param {GroupContext} context @returns {Omit<FaultSetting, 'proves'>}
 */
function settingOf({ cell, fault }, { startAtMs, strike, cluster }, { settings }) {
  const since = (/** @type {number} */ ms) => ms - startAtMs;
  const { sloMs } = /** @type {OpenLoopPlan} */ (cell.openLoop);
  const { idleMs = 0 } = cell;
  return {
    durationMs: Number(settings.durationMs) + idleMs,
    sloMs: Number(sloMs),
    cluster,
    pause: { atMs: fault.atMs, ms: idleMs },
    strike: strike && {
      struckAtMs: since(strike.struckAtMs),
      lateMs: since(strike.struckAtMs) - fault.atMs - idleMs / 2,
      overAtMs: since(strike.endedAtMs),
      freshFromMs: strike.freshFromMs === undefined ? undefined : since(strike.freshFromMs),
      ...(strike.promotedAtMs !== undefined && { promotedAtMs: since(strike.promotedAtMs) }),
      met: strike.met,
    },
  };
}
