import { encodeHistogram, placeOf } from '../statistics/encode-histogram.js';

/** @import { Step } from '../plugins/types.js' */

/** 32 bits of 100 ns reach to seven minutes. */
export const UNITS_PER_MS = 10_000;
const NS_PER_UNIT = 100;

/** @param {number} ms @returns {number} in units of 100 ns, wrapped around to 32 bits */
export const inUnits = (ms) => (ms * UNITS_PER_MS) | 0;

/** In units of 100 ns. */
export const readClock = () => inUnits(performance.now());

/**
 * A clock that is read once per turn of the event loop: replies of one turn have arrived together.
 * @param {(ms: number) => void} [onTurn] called with each reading, by performance.now()
 * @param {(ms: number) => void} [onTurnEnd] called with the same when that turn ends
 * @returns {TurnClock} in units of 100 ns @typedef {(() => number) & {anew?: () => number}} TurnClock `anew`: reads it again
 *   in the same turn
 */
export function createTurnClock(onTurn = () => {}, onTurnEnd = () => {}) {
  let ms = 0;
  let now = 0;
  let known = false;
  const endOfTurn = () => {
    known = false;
    onTurnEnd(ms);
  };
  const clock = () => {
    if (!known) {
      ms = performance.now();
      now = inUnits(ms);
      known = true;
      setImmediate(endOfTurn);
      onTurn(ms);
    }
    return now;
  };
  clock.anew = () => {
    now = readClock();
    return now;
  };
  return clock;
}

/** Reads the time anew; the turn clock still sees each turn. @param {() => number} turnClock @returns {() => number} */
export const createExactClock = (turnClock) => () => {
  turnClock();
  return readClock();
};

const LONGEST = 2 ** 32 - 1;

/** Each power of two is divided into 512 steps, so that a bucket is off by at most 0.2 %. */
const STEP_BITS = 9;
const STEPS = 2 ** STEP_BITS;
const BUCKETS = (32 - STEP_BITS + 1) * STEPS;

/**
 * Records the latency of every operation of one run.
 *
 * Three things keep it out of what it measures: the counts are one array, the clock is read once per turn of the event
 * loop, and times are small integers, because V8 allocates an object for each fraction that outlives an await. Replies of
 * one turn have arrived together, and the end of an operation is the start of the next, so that the latencies of a task add
 * up to its elapsed time. An operation that ends in the turn in which it began was answered by a cache, or more came than
 * libuv reads at once: then the clock is read anew. Times are in units of 100 ns and wrap around after seven minutes;
 * differences do not mind.
 * @param {TurnClock} [clock] of one turn of the event loop by default
 * @typedef {Omit<ReturnType<typeof createRecorder>, 'done' | 'encode'> & {encode: () => string | null,
 *   done: (startedAt: number, operations?: number, did?: Step[]) => number}} Recorder
 */
export function createRecorder(clock = createTurnClock()) {
  const counts = new Uint32Array(BUCKETS);
  return {
    /** The time of this turn of the event loop. */
    start: clock,

    /** Now is the start of the next. @param {number} startedAt @param {number} [operations] that end now */
    done(startedAt, operations = 1) {
      let endedAt = clock();
      if (endedAt === startedAt) endedAt = clock.anew?.() ?? endedAt;
      counts[bucketOf((endedAt - startedAt) >>> 0)] += operations;
      return endedAt;
    },

    /** Counts a time that was measured elsewhere, in units of 100 ns. @param {number} units @param {number} [operations] */
    count(units, operations = 1) {
      counts[bucketOf(units >>> 0)] += operations;
    },

    /** An HdrHistogram of nanoseconds, compressed and in base64. */
    encode: () => encodeHistogram(counts, LONGEST * NS_PER_UNIT, placeOfBucket),
  };
}

/**
 * With `--latency off` the loop and its clock stay the same, and nothing is counted.
 * @param {boolean} latency @param {() => number} clock @returns {Recorder}
 */
export const recorderIf = (latency, clock) =>
  latency ? createRecorder(clock) : { start: clock, done: clock, count() {}, encode: () => null };

/**
 * Also records each command of a mix apart. Other workloads have one kind of operation; in batches, all commands are
 * answered together. @param {Recorder} recorder of all @param {Step[]} steps those with a label are distinguished
 * @returns {Recorder & {encodeEach: () => Record<string, string>}} HdrHistograms by label
 */
export function createCommandRecorder(recorder, steps) {
  const labelled = steps.flatMap((step) => (step.label === undefined ? [] : { step, label: step.label }));
  const byStep = new Map(labelled.map(({ step }) => [step, createRecorder(recorder.start)]));
  return {
    ...recorder,
    done(startedAt, operations = 1, did = []) {
      const endedAt = recorder.done(startedAt, operations, did);
      byStep.get(did[0])?.count(endedAt - startedAt, operations);
      return endedAt;
    },
    encodeEach: () =>
      Object.fromEntries(labelled.map(({ step, label }) => [label, String(byStep.get(step)?.encode())])),
  };
}

/** What waits by itself is not counted. @param {Recorder} recorder @param {Step[]} steps @returns {Recorder} */
export const withoutWaiting = (recorder, steps) => ({
  ...recorder,
  ...(steps.some(({ waits }) => waits) && {
    done: (startedAt, operations, did = []) => recorder.done(startedAt, did[0]?.waits ? 0 : operations, did),
  }),
});

/** @param {number} units 32 bits @returns {number} exact below two steps, then 512 buckets for each power of two */
function bucketOf(units) {
  const shift = 31 - STEP_BITS - Math.clz32(units | STEPS);
  return (shift << STEP_BITS) + (units >>> shift);
}

/** @param {number} bucket */
const placeOfBucket = (bucket) => placeOf(middleOf(bucket) * NS_PER_UNIT);

/** @param {number} bucket @returns {number} the middle of the values that it counts, in units of 100 ns */
function middleOf(bucket) {
  const shift = Math.max(0, (bucket >> STEP_BITS) - 1);
  const lowest = (bucket - (shift << STEP_BITS)) * 2 ** shift;
  return lowest + Math.floor(2 ** shift / 2);
}
