import { mean, median, min, sum } from 'simple-statistics';
import { RunError } from '../errors.js';

/** @import { CountedSlice, CountedStart, Run } from './types.js' */

/** @typedef {{run: Run, user: number, kernel: number | null}} Slice a run whose instructions were counted */

/**
 * A slice that has this much more than the median had a late compilation in it: 8 to 26 % more were seen. What garbage
 * collections differ by from slice to slice, up to 5 %, belongs to the mean.
 */
const LATE_COMPILATION = 1.07;
/** By this much the last two slices have fewer instructions than the first two where V8 is still compiling. */
const FALLING = 1.1;
/** How many times the fixed cost a slice must have, of which some 5 % are uncertain. */
const FEWEST_TIMES_FIXED = 3;

/**
 * The record of a start whose instructions were counted.
 * @param {Pick<CountedStart, 'start' | 'source'>} start
 * @param {Slice[]} fixed slices of one iteration of each task: hardly more than what any slice costs
 * @param {Slice[]} slices @returns {CountedStart} @throws {RunError} where the fixed cost, which varies, is too large a part
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
 * Of 40 starts of redis and ioredis, 27 had slices at most 5 % apart, and figures within 1.5 % of each other. In 13 a slice
 * had 9 % to 4 times more than another: V8 compiled, or dropped compiled code. 4 of those figures were 3 to 13 % too high.
 * @param {Slice[]} slices @returns {boolean} whether nothing was compiled meanwhile
 */
export function areSteady(slices) {
  const users = slices.map(({ user }) => user);
  return Math.max(...users) <= LATE_COMPILATION * min(users);
}

/** @param {Slice[]} slices in their order @returns {boolean} whether they were part of the warm-up */
export function stillFalls(slices) {
  const users = slices.map(({ user }) => user);
  return median(users.slice(0, 2)) > FALLING * median(users.slice(-2));
}

/**
 * The record of a process that was one operation.
 * @param {Pick<CountedStart, 'start' | 'source'>} start
 * @param {{user: number, kernel: number | null}[]} parts of the way to its first reply @returns {CountedStart}
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
  // One of them may have been compiled late, too.
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
