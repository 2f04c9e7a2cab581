/**
 * @import { CodeFrame, FoldedProfile, RestOfCode } from '../core/worker/types.js'
 * @typedef {{frame: CodeFrame, self: number, variance: number, calls: Call[]}} Call a node of the call tree; `self`
 *   excludes what it called, `variance` is the sum of the squared samples in it
 */

/** The rest is summed by package. */
const MOST_FUNCTIONS = 250;
/** A function with a smaller share is one sample or two. */
const LEAST_FUNCTION = 0.0005;

/** Shrinks a profile for storage. @param {Call[]} roots @returns {Pick<FoldedProfile, 'frames' | 'rest'>} */
export function foldCalls(roots) {
  const functions = [...sumsOf(flat(roots)).values()].sort((a, b) => b.self - a.self);
  const least = LEAST_FUNCTION * functions.reduce((sum, { self }) => sum + self, 0);
  const few = functions.findIndex(({ self }, index) => index >= MOST_FUNCTIONS || self <= least);
  const listed = few === -1 ? functions.length : few;
  return {
    frames: functions.slice(0, listed).map(({ frame, self, variance }) => ({ ...frame, self, variance })),
    rest: sumsByPackage(functions.slice(listed).filter(({ self }) => self > 0)),
  };
}

/** @param {CodeFrame} frame */
const keyOf = ({ part, package: owner, file, name, line }) => [part, owner, file, name, line].join('\0');

/** @param {Call[]} calls @returns {Call[]} and all below them */
const flat = (calls) => calls.flatMap((call) => [call, ...flat(call.calls)]);

/** @param {Call[]} calls @param {(frame: CodeFrame) => string} [by] @returns {Map<string, Call>} one for each key */
function sumsOf(calls, by = keyOf) {
  /** @type {Map<string, Call>} */
  const sums = new Map();
  for (const { frame, self, variance, calls: inner } of calls) {
    const key = by(frame);
    const sum = sums.get(key) ?? { frame, self: 0, variance: 0, calls: [] };
    sum.self += self;
    sum.variance += variance;
    sum.calls.push(...inner);
    sums.set(key, sum);
  }
  return sums;
}

/** @param {Call[]} calls @returns {RestOfCode[]} */
const sumsByPackage = (calls) =>
  [...sumsOf(calls, (frame) => `${frame.part} ${frame.package}`).values()].map(
    ({ frame: { part, package: owner }, self, variance }) => ({ part, package: owner, self, variance }),
  );
