/** @import { Recorder } from './types.js' */

/** Two readings of the CPU time cost half a microsecond; so many works share them that they cost at most 1 %. */
const WORK_BETWEEN_LOOKS_US = 50;
const CALIBRATION = { warmUpSteps: 2_000_000, steps: 1_000_000, rounds: 9 };
/** A run corrects the length of the next by no more than this, in case it was disturbed. */
const MOST_CORRECTION = 1.5;
/** What takes longer than so many works is one in which a thread of V8's own, such as its compiler, had the processor. */
const NOT_ITS_OWN = 3;
/** Readings are whole microseconds, so few of them say little of short works. */
const FEWEST_LOOKED_US = 500;

/**
 * What an application computes between its operations: so much CPU time of this thread in one go, by a loop that
 * allocates nothing. A step of it takes about a nanosecond (0.9 ns, measured). How many steps a work needs is found out
 * at the start, and corrected after each run by what it took in that: clock speed and neighbours change. Works are
 * enclosed in readings of the CPU time; where they are short, some stand for all.
 *
 * @param {number} us CPU time of one work
 */
export function createAppWork(us) {
  // Not a variable, which would become an object on the heap if V8 saw it outgrow its small integers.
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
  /** In this run, and since the last correction. */
  let seen = { looks: 0, us: 0 };
  let toCorrectBy = { looks: 0, us: 0 };

  function work() {
    const isLookedAt = done++ % every === 0;
    const before = isLookedAt ? readCpuUs() : 0;
    // In one place: compiled into two, it may take longer in one of them.
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
    steps *= within(us / eachUs(toCorrectBy), MOST_CORRECTION);
    toCorrectBy = { looks: 0, us: 0 };
  }

  return {
    /** @param {number} operations that have ended, each of which is followed by a work */
    after(operations) {
      for (let count = 0; count < operations; count++) work();
    },

    /** @returns {number} the CPU time that all works since the last call took, in µs, with the looks at it */
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

/** Of this thread alone where Node can tell, from version 23.9 on; else of the whole process. */
const readUsage = /** @type {any} */ (process).threadCpuUsage ?? process.cpuUsage;

/** @returns {number} µs */
function readCpuUs() {
  const { user, system } = readUsage();
  return user + system;
}

/** @param {(steps: number) => void} spin @returns {number} µs of CPU time that a step takes */
function calibrate(spin) {
  // In several calls, so that the compiler gets to replace it.
  for (let part = 0; part < 20; part++) spin(CALIBRATION.warmUpSteps / 20);
  const times = Array.from({ length: CALIBRATION.rounds }, () => {
    const before = readCpuUs();
    spin(CALIBRATION.steps);
    return readCpuUs() - before;
  });
  return middleOf(times) / CALIBRATION.steps;
}

/** @param {number[]} times an odd number of them: what others do meanwhile does not count */
const middleOf = (times) => times.sort((a, b) => a - b)[(times.length - 1) / 2];

/** @returns {number} µs of CPU time between two readings with nothing in between */
function costOfLooking() {
  const pairs = 1000;
  const times = Array.from({ length: CALIBRATION.rounds }, () => {
    let us = 0;
    for (let pair = 0; pair < pairs; pair++) {
      const before = readCpuUs();
      us += readCpuUs() - before;
    }
    return us;
  });
  return middleOf(times) / pairs;
}

/** @param {number} factor @param {number} most */
const within = (factor, most) => Math.min(most, Math.max(1 / most, factor));

/**
 * A recorder for a closed loop whose operations are followed by work: what they took is counted first, and the next
 * ones start after it. So the loops themselves know nothing of it, and cost the same without.
 * @param {Recorder} recorder whose clock is read anew each time @param {AppWork} work @returns {Recorder}
 */
export const followedByWork = (recorder, work) => ({
  ...recorder,
  done(startedAt, operations = 1, did) {
    recorder.done(startedAt, operations, did);
    work.after(operations);
    return recorder.start();
  },
});
