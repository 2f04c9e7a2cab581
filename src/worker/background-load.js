import { NO_METER } from './batch-meter.js';
import { createCycle } from './cycle.js';
import { runBorrowing } from './loops.js';
import { runOpenLoop } from './measure.js';
import { recorderIf } from './recorder.js';
import { createTally, excerpt } from './tally.js';
import { readClock } from './turn-clock.js';
import { usesInTurn } from './uses.js';

/** @import { Lease } from '../plugins/types.js' */
/** @import { BackgroundStep } from './background-steps.js' */
/** @import { BackgroundCounts, Part, RunControl } from './types.js' */

/** More of one command are never in flight; what is due then waits, and its latency says so. */
const MOST_IN_FLIGHT = 10;
const LOAD = /** @type {const} */ ({ arrivals: 'even', whenFull: 'wait', maxInFlight: MOST_IN_FLIGHT });
const OPEN_LOOP = /** @type {const} */ ({
  seed: 0,
  mostOperations: MOST_IN_FLIGHT,
  durationMs: Number.POSITIVE_INFINITY,
  waits: 'timers',
  clock: readClock,
  latency: false,
  appWork: null,
});

/**
 * @typedef {{lease: Lease, tasks: number, part: Part, latency: boolean, onError: (error: unknown) => void}} BackgroundRun `part`: processes share the rates
 */

/**
 * Sent as another part of the same service would: on the connections of the tasks in turn, or a borrowed one, at times kept
 * by Node's timers. @param {BackgroundStep[]} steps @param {BackgroundRun} run
 */
export function createBackgroundLoad(steps, run) {
  const nextUse = usesInTurn(run.lease, run.tasks);
  /** @type {NonNullable<Lease['borrow']>} */
  const borrow = (use) => {
    const next = nextUse();
    return 'connection' in next ? use(next.connection) : next.borrow(use);
  };
  const lease = { ...run.lease, forTask: undefined, borrow };
  /** @type {ReturnType<typeof startOne>[]} */
  let all = [];
  return {
    begin() {
      all = steps.map((step) => startOne(step, { ...run, lease }));
    },

    stop() {
      for (const { stop } of all) stop();
    },

    /** @returns {Promise<BackgroundCounts[]>} once all that was sent is answered */
    ended: () => Promise.all(all.map(({ counts }) => counts())),
  };
}

/** @param {BackgroundStep} each @param {BackgroundRun & {lease: {borrow: NonNullable<Lease['borrow']>}}} run */
function startOne(each, run) {
  const { name, command, perSecond } = each.part;
  const work = createWork(each, run);
  const startedAtMs = performance.now();
  let stoppedAtMs = startedAtMs;
  const ended =
    perSecond === null
      ? runBorrowing(run.lease.borrow, { ...work, limit: Number.POSITIVE_INFINITY, turns: { count: 0 } })
      : runOpenLoop({ ...run, ...work, ...OPEN_LOOP, load: { ...LOAD, ratePerSecond: perSecond } });
  return {
    stop() {
      stoppedAtMs = performance.now();
      work.control.stopped = true;
      work.control.onStop?.();
    },

    /** @returns {Promise<BackgroundCounts>} */
    async counts() {
      const measured = await ended;
      const { wrongReplies, firstWrongReply } = work.tally.counts();
      return {
        name,
        command,
        count: 'done' in measured ? measured.done : measured.openLoop.sent,
        // A closed loop goes on until its last reply.
        elapsedMs: perSecond === null ? measured.elapsedMs : stoppedAtMs - startedAtMs,
        wantedPerSecond: perSecond,
        wrongReplies,
        firstWrongReply,
        hdr: work.recorder.encode(),
      };
    },
  };
}

/** @param {BackgroundStep} step @param {Pick<BackgroundRun, 'latency' | 'onError'>} run */
function createWork({ part: { name }, items, step }, { latency, onError }) {
  /** @type {RunControl} */
  const control = { stopped: false };
  const tally = createTally(control);
  const worded = {
    ...step,
    wrongText: (/** @type {unknown} */ reply) => `${name} in the background replied ${excerpt(reply)}`,
  };
  return {
    items,
    cycle: createCycle([[worded]]),
    control,
    tally: {
      ...tally,
      error(/** @type {unknown} */ error) {
        tally.error(error);
        onError(error);
      },
    },
    recorder: recorderIf(latency, readClock),
    meter: NO_METER,
  };
}
