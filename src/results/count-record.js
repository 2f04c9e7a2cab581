import { mean, median, min, sum } from 'simple-statistics';
import { RunError } from '../errors.js';

/** @import { CountedSlice, CountedStart, Run } from './types.js' */

/** @typedef {{run: Run, user: number, kernel: number | null}} Slice with its counted instructions */

/** Late compilation adds 8 to 26 % to a slice (measured). Garbage collection, up to 5 %, stays in the mean. */
const LATE_COMPILATION = 1.07;
/** While V8 is still compiling, the first two slices exceed the last two by this factor. */
const FALLING = 1.1;
/** The fixed cost is uncertain by about 5 %, so a slice must be this many times as large. */
const FEWEST_TIMES_FIXED = 3;

/**
 * @param {Pick<CountedStart, 'start' | 'source'>} start
 * @param {Slice[]} fixed slices of one iteration per task, which show the fixed cost of a slice
 * @param {Slice[]} slices @returns {CountedStart} @throws {RunError} if the fixed cost is too large a share
 */
export function countedStart(start, fixed, slices) {
  const records = { fixed: fixed.map(recordOf), slices: slices.map(recordOf) };
  const { operations, commands } = slices[0].run;
  if (median(slices.map(({ user }) => user)) < FEWEST_TIMES_FIXED * min(fixed.map(({ user }) => user)))
    throw new RunError(`slices of ${operations} operations are too short; use more --iterations`);
  const instructionsPerOp = perOp(records, 'instructions');
  const batching = slices.flatMap(({ run }) => run.server?.commandsPerRead ?? []);
  return {
    ...start,
    counted: {
      instructionsPerOp,
      instructionsPerCommand: (instructionsPerOp * operations) / commands,
      kernelInstructionsPerOp: slices.some(({ kernel }) => kernel === null)
        ? null
        : perOp(records, 'kernelInstructions'),
      commandsPerRead: batching.length > 0 ? median(batching) : null,
    },
    ...records,
  };
}

/**
 * Of 40 starts of redis and ioredis, 27 had slices within 5 % and figures within 1.5 %. In 13, V8 compiled or
 * deoptimized code: slices were 9 % to 4x apart, and 4 figures 3 to 13 % too high. @param {Slice[]} slices
 */
export function areSteady(slices) {
  const users = slices.map(({ user }) => user);
  return Math.max(...users) <= LATE_COMPILATION * min(users);
}

/** @param {Slice[]} slices in order @returns {boolean} whether they were still warming up */
export function stillFalls(slices) {
  const users = slices.map(({ user }) => user);
  return median(users.slice(0, 2)) > FALLING * median(users.slice(-2));
}

/**
 * For a process that is one operation. @param {Pick<CountedStart, 'start' | 'source'>} start
 * @param {{user: number, kernel: number | null}[]} parts up to its first reply @returns {CountedStart}
 */
export function countedProcess(start, parts) {
  const instructions = sum(parts.map(({ user }) => user));
  const kernelInstructions = parts.some(({ kernel }) => kernel === null)
    ? null
    : sum(parts.map(({ kernel }) => Number(kernel)));
  const none = { instructionsPerCommand: null, commandsPerRead: null };
  return {
    ...start,
    counted: { instructionsPerOp: instructions, kernelInstructionsPerOp: kernelInstructions, ...none },
    fixed: [],
    slices: [{ operations: 1, instructions, kernelInstructions }],
  };
}

/** @param {Pick<CountedStart, 'fixed' | 'slices'>} records @param {'instructions' | 'kernelInstructions'} name */
function perOp({ fixed, slices }, name) {
  // The minimum, because a fixed slice may have a late compilation, too.
  const least = min(fixed.map((slice) => Number(slice[name])));
  const each = slices.map(
    (slice) => (Number(slice[name]) - least) / (slice.operations - fixed[0].operations),
  );
  const most = median(each) * LATE_COMPILATION;
  return mean(each.filter((value) => value <= most));
}

/** @param {Slice} slice @returns {CountedSlice} */
const recordOf = ({ run, user, kernel }) => ({
  operations: run.operations,
  instructions: user,
  kernelInstructions: kernel,
});
