/** @import { Recorder } from './recorder.js' */

/** Two readings of the CPU time cost 0.5 µs; sharing them between this much work keeps that below 1 %. */
const WORK_BETWEEN_LOOKS_US = 50;
const CALIBRATION = { warmUpSteps: 2_000_000, steps: 1_000_000, rounds: 9 };
/** A run corrects the length of the next by no more than this, in case it was disturbed. */
const MOST_CORRECTION = 1.5;
/** Where something takes this many times as long, a thread of V8's own, such as its compiler, had the processor. */
const NOT_ITS_OWN = 3;
/** Readings are whole microseconds, so a few of them say little about short works. */
const FEWEST_LOOKED_US = 500;

/**
 * What an application computes between its operations: so much CPU time in one go, in a loop that allocates nothing. A step
 * takes about 0.9 ns (measured). How many a work needs is calibrated at the start and corrected after each run, because
 * clock speed and neighbours change. @param {number} us CPU time of one work
 */
export function createAppWork(us) {
  // A variable would become an object on the heap once V8 saw it outgrow its small integers.
  const state = new Int32Array(1);
  /** @param {number} steps */
  function spin(steps) {
    let value = state[0];
    for (let step = 0; step < steps; step++) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
    state[0] = value;
  }

  const emptyUs = costOfLooking();
  let steps = us / calibrate(spin);
  const every = Math.max(1, Math.ceil(WORK_BETWEEN_LOOKS_US / us));
  let done = 0;
  let seen = { looks: 0, us: 0 };
  let toCorrectBy = { looks: 0, us: 0 };

  function work() {
    const isLookedAt = done++ % every === 0;
    const before = isLookedAt ? readCpuUs() : 0;
    // One call site: compiled into two, it may take longer in one of them.
    spin(steps);
    if (!isLookedAt) return;
    const tookUs = readCpuUs() - before;
    if (tookUs > NOT_ITS_OWN * (us + 1)) return;
    seen.us += tookUs;
    seen.looks++;
  }

  /** @param {typeof seen} looked @returns {number} µs of a work */
  const eachUs = ({ looks, us: all }) => (looks === 0 ? us : Math.max(0, all / looks - emptyUs));

  function correct() {
    toCorrectBy = { looks: toCorrectBy.looks + seen.looks, us: toCorrectBy.us + seen.us };
    if (toCorrectBy.us < FEWEST_LOOKED_US) return;
    const factor = us / eachUs(toCorrectBy);
    steps *= Math.min(MOST_CORRECTION, Math.max(1 / MOST_CORRECTION, factor));
    toCorrectBy = { looks: 0, us: 0 };
  }

  return {
    /** @param {number} operations that have ended, each followed by one work */
    after(operations) {
      for (let count = 0; count < operations; count++) work();
    },

    /** @returns {number} µs of CPU time that all works since the last call took, with the readings */
    take() {
      const tookUs = eachUs(seen) * done + emptyUs * 2 * seen.looks;
      correct();
      done = 0;
      seen = { looks: 0, us: 0 };
      return tookUs;
    },
  };
}

/** @typedef {ReturnType<typeof createAppWork>} AppWork */

/**
 * Of the process: that of this thread alone is in steps of a scheduler's tick on Linux, some milliseconds.
 * @returns {number} µs
 */
function readCpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** @param {(steps: number) => void} spin @returns {number} µs of CPU time that a step takes */
function calibrate(spin) {
  // Several calls, so that V8 can replace it by compiled code.
  for (let part = 0; part < 20; part++) spin(CALIBRATION.warmUpSteps / 20);
  return middleOf(() => cpuUsOf(() => spin(CALIBRATION.steps))) / CALIBRATION.steps;
}

/** @param {() => void} work @returns {number} µs */
function cpuUsOf(work) {
  const before = readCpuUs();
  work();
  return readCpuUs() - before;
}

/** @param {() => number} time in several rounds; the median leaves out disturbances */
const middleOf = (time) =>
  Array.from({ length: CALIBRATION.rounds }, time).sort((a, b) => a - b)[(CALIBRATION.rounds - 1) / 2];

/** @returns {number} µs of CPU time between two readings with nothing in between */
function costOfLooking() {
  const pairs = 1000;
  const empty = () => {
    let us = 0;
    for (let pair = 0; pair < pairs; pair++) us += cpuUsOf(() => {});
    return us;
  };
  return middleOf(empty) / pairs;
}

/**
 * For a closed loop whose operations are followed by work: records what they took, then works, then starts the next. The
 * loops know nothing of it, and cost the same without. @param {Recorder} recorder @param {AppWork} work @returns {Recorder}
 */
export const followedByWork = (recorder, work) => ({
  ...recorder,
  done(startedAt, operations = 1, did) {
    recorder.done(startedAt, operations, did);
    work.after(operations);
    return recorder.start();
  },
});
