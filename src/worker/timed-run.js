import { startMeters } from '../meters/all-meters.js';
import { followedByWork } from './busy-work.js';
import { measure, runOpenLoop } from './measure.js';
import { createCommandRecorder, recorderIf } from './recorder.js';
import { startTogether } from './start-together.js';
import { createTally } from './tally.js';
import { createExactClock, createTurnClock } from './turn-clock.js';

/** @import { Lease } from '../plugins/types.js' */
/** @import { Work } from './cell-work.js' */
/** @import { createConnections } from './cell-connections.js' */
/** @import { ArrivalTimes } from './messages/sending-side.js' */
/** @import { Messages } from './messages/messages.js' */
/** @import { Job, Measured, OpenLoopCounts, Recorder, RunControl, RunLength, Second } from './types.js' */

/** @typedef {Awaited<ReturnType<typeof createConnections>>} Connections */

/**
 * @typedef {Work & {connections: Connections, messages: Messages | null, control: RunControl, onSecond: (second: Second) => void}} RunWork
 * @typedef {RunLength & {startAtMs?: number}} Length
 */

const NO_OPERATIONS = { position: () => 0, commandsIn: () => ({}) };

/** One run of a cell. @param {Job} job @param {RunWork} work @param {Length} length */
export async function timedRun(job, work, length) {
  const { connections, messages } = work;
  const arrivals = messages?.elsewhere?.begin();
  const meters = startMeters({
    ...work,
    ...(messages?.receive !== undefined && { cycle: NO_OPERATIONS }),
  });
  const turns = { count: 0 };
  const turnClock = createTurnClock(meters.atTurn, (ms) => {
    turns.count++;
    meters.atTurnEnd?.(ms);
  });
  // An answer out of a cache comes in the turn in which it was asked for.
  const isExact = work.appWork !== null || connections.answeredByCaches() !== null;
  const clock = isExact ? createExactClock(turnClock) : turnClock;
  const isTimed = job.latency && messages?.elsewhere === undefined && messages?.receive === undefined;
  const allTogether = recorderIf(isTimed, clock);
  const apart = work.perCommand && job.latency ? createCommandRecorder(allTogether, work.steps) : null;
  const recorder = apart ?? allTogether;
  let startedAtMs = 0;
  const measured = await runLoop(job, length, {
    ...work,
    arrivals,
    lease: connections.lease,
    tasks: job.tasks,
    turns,
    clock,
    recorder,
    async begin() {
      startedAtMs = await startTogether(length.startAtMs);
      meters.begin();
      return startedAtMs;
    },
  });
  await messages?.settled();
  const operations = measured.taskIterations.reduce((sum, done) => sum + done, 0);
  return {
    openLoop: null,
    ...measured,
    startedAtMs,
    ...(await meters.take(operations)),
    latencyHdr: (arrivals?.latencies ?? recorder).encode(),
    commandHdrs: apart?.encodeEach() ?? {},
  };
}

/**
 * @param {Job} job @param {Length} length
 * @param {RunWork & {arrivals?: ArrivalTimes, lease: Lease, tasks: number, turns: {count: number}, clock: () => number,
 *   recorder: Recorder, begin: () => Promise<number>}} work
 * @returns {Promise<Measured & {openLoop?: OpenLoopCounts}>}
 */
async function runLoop(job, { iterations, durationMs = 0, ratePerSecond }, work) {
  const { messages, appWork, arrivals, recorder } = work;
  if (messages?.receive !== undefined) {
    const startedAtMs = await work.begin();
    const { lastAtMs } = await messages.receive();
    const elapsedMs = Math.max(0, lastAtMs - startedAtMs);
    return { elapsedMs, taskElapsedMs: [], taskIterations: [], ...createTally(work.control).counts() };
  }
  if (job.load === null) {
    const followed = appWork === null ? recorder : followedByWork(recorder, appWork);
    return measure({ ...work, iterations, recorder: followed });
  }
  return runOpenLoop({
    ...work,
    tally: createTally(work.control),
    seed: job.seed,
    part: messages?.elsewhere?.part ?? job.part,
    intend: arrivals?.intend,
    fromSend: arrivals?.fromSend,
    durationMs,
    load: { ...job.load, ratePerSecond: ratePerSecond ?? job.load.ratePerSecond },
    mostOperations: Math.floor(job.load.maxInFlight / work.commandsAtOnce),
    waits: mayNap(job, work) ? 'naps' : 'exact',
    latency: job.latency,
  });
}

/**
 * Looking at the clock keeps other processes of the cell from a shared processor until the kernel's next tick. So it naps,
 * where nothing else can come meanwhile. @param {Job} job @param {Pick<RunWork, 'messages'>} work
 */
const mayNap = ({ part }, { messages }) => part.count > 1 && messages === null;
