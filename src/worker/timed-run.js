import { addUp, startMeters } from '../meters/all-meters.js';
import { followedByWork } from './busy-work.js';
import { startCompany } from './company.js';
import { measure, measureOpenLoop } from './measure.js';
import { createCommandRecorder, createNoRecorder, createRecorder } from './recorder.js';
import { startTogether } from './start-together.js';
import { createTally } from './tally.js';
import { createExactClock, createTurnClock } from './turn-clock.js';

/**
 * @import { Metered } from '../meters/types.js'
 * @import { Work } from './cell-work.js'
 * @import { createConnections } from './cell-connections.js'
 * @import { ArrivalTimes } from './messages/arrival-times.js'
 * @import { Messages } from './messages/messages.js'
 * @import { CompanyCounts, Job, Measured, OpenLoopCounts, RunControl, RunLength, Second } from './types.js'
 */

/** @typedef {Awaited<ReturnType<typeof createConnections>>} Connections */

/**
 * One run of a cell, with everything that is measured of it in the worker.
 *
 * @param {Job} job
 * @param {Work & {connections: Connections, messages: Messages | null, control: RunControl, onSecond: (second: Second) => void}} work
 * @param {RunLength & {startAtMs?: number}} length
 */
export const timedRun = (job, work, length) =>
  besideCompany(job, work, length, (beside) => runOnce(job, work, beside, length));

/**
 * Has the cell's company come and go beside a run: it stops when the measured operations end, and all of its
 * commands are answered before the server's counters are read.
 *
 * @template {Measured} Run
 * @param {Job} job
 * @param {Work & {connections: Connections, messages: Messages | null, control: RunControl}} work
 * @param {RunLength} length
 * @param {(company: {begin: () => void, stop: () => void}) => Promise<Run>} run calls `begin` when its time starts, and `stop` when it ends
 * @returns {Promise<Run & {company: CompanyCounts[]}>}
 */
async function besideCompany(job, { company, connections, control }, { alone = false }, run) {
  const tally = createTally(control);
  /** @type {ReturnType<typeof startCompany> | null} */
  let started = null;
  const measured = await run({
    begin() {
      if (alone || company.length === 0) return;
      const { tasks, part, latency } = job;
      started = startCompany(company, {
        lease: connections.lease,
        tasks,
        part,
        latency,
        onError: tally.error,
      });
    },
    stop: () => started?.stop(),
  });
  const counts = (await /** @type {ReturnType<typeof startCompany> | null} */ (started)?.ended()) ?? [];
  const [wrong] = counts.filter(({ wrongReplies }) => wrongReplies > 0);
  return {
    ...measured,
    company: counts,
    wrongReplies: counts.reduce((sum, { wrongReplies }) => sum + wrongReplies, measured.wrongReplies),
    firstWrongReply: measured.firstWrongReply ?? wrong?.firstWrongReply ?? null,
    errors: addUp(measured.errors, tally.counts().errors),
  };
}

/**
 * @param {Job} job
 * @param {Work & {connections: Connections, messages: Messages | null, control: RunControl,
 *   onSecond: (second: Second) => void}} work
 * @param {{begin: () => void, stop: () => void}} beside
 * @param {RunLength & {startAtMs?: number}} length
 */
async function runOnce(job, work, beside, { iterations, durationMs = 0, ratePerSecond, startAtMs }) {
  const { connections, messages, commandsAtOnce, appWork } = work;
  const arrivals = messages?.elsewhere?.begin();
  const meters = startMeters(work);
  const turns = { count: 0 };
  const turnClock = createTurnClock(meters.atTurn, (ms) => {
    turns.count++;
    meters.atTurnEnd(ms);
  });
  // An answer out of a cache comes in the turn in which it was asked for.
  const isExact = appWork !== null || connections.answeredByCaches() !== null;
  const clock = isExact ? createExactClock(turnClock) : turnClock;
  const counts = job.latency && arrivals === undefined;
  const allTogether = counts ? createRecorder(clock) : createNoRecorder(clock);
  const apart = work.toldApart && job.latency ? createCommandRecorder(allTogether, work.steps) : null;
  const recorder = apart ?? allTogether;
  let startedAtMs = 0;
  async function begin() {
    startedAtMs = await startTogether(startAtMs);
    meters.begin();
    beside.begin();
  }
  const common = { ...work, lease: connections.lease, tasks: job.tasks, turns, recorder, begin };
  const measured = await (job.load === null
    ? measure({
        ...common,
        iterations,
        recorder: appWork === null ? recorder : followedByWork(recorder, appWork),
      })
    : measureOpenLoop({
        ...common,
        seed: job.seed,
        part: messages?.elsewhere?.part ?? job.part,
        intend: arrivals?.intend,
        durationMs,
        load: { ...job.load, ratePerSecond: ratePerSecond ?? job.load.ratePerSecond },
        mostOperations: Math.floor(job.load.maxInFlight / commandsAtOnce),
        clock,
        latency: job.latency,
      }));
  beside.stop();
  await messages?.settled();
  const operations = measured.taskIterations.reduce((sum, done) => sum + done, 0);
  return {
    openLoop: null,
    ...measured,
    ...('openLoop' in measured &&
      arrivals &&
      fromSend(/** @type {OpenLoopCounts} */ (measured.openLoop), arrivals)),
    startedAtMs,
    ...(await meters.take(operations)),
    latencyHdr: (arrivals?.latencies ?? recorder).encode(),
    commandHdrs: apart?.encodeEach() ?? {},
  };
}

/** @param {OpenLoopCounts} counts @param {ArrivalTimes} arrivals in another process */
const fromSend = (counts, arrivals) => ({ openLoop: { ...counts, fromSendHdr: arrivals.fromSend.encode() } });

const NO_OPERATIONS = { position: () => 0, commandsIn: () => ({}) };

/**
 * A run of a process that only receives what another one sends: it has no operations of its own.
 *
 * @param {Metered & {messages: Messages}} work
 * @param {{startAtMs?: number}} length
 */
export async function receivingRun(work, { startAtMs }) {
  const meters = startMeters({ ...work, cycle: NO_OPERATIONS });
  const startedAtMs = await startTogether(startAtMs);
  meters.begin();
  const { lastAtMs } = await /** @type {NonNullable<Messages['receive']>} */ (work.messages.receive)();
  return {
    startedAtMs,
    elapsedMs: Math.max(0, lastAtMs - startedAtMs),
    taskElapsedMs: [],
    taskIterations: [],
    wrongReplies: 0,
    firstWrongReply: null,
    errors: {},
    openLoop: null,
    ...(await meters.take(0)),
    latencyHdr: null,
    commandHdrs: {},
    company: [],
  };
}
