/**
 * @import { CodeFrame, FoldedProfile, RestOfCode } from './worker/types.js'
 * @typedef {{frame: CodeFrame, self: number, variance: number, calls: Call[]}} Call a node of the call tree; `self`
 *   excludes what it called, `variance` is the sum of the squared samples in it
 */

/** The rest is summed by package. */
const MOST_FUNCTIONS = 250;
/** A function with a smaller share is one sample or two. */
const LEAST_FUNCTION = 0.0005;
/** A stack with a smaller share is too narrow to draw; its callers include it. */
const LEAST_STACK = 0.005;

/** Shrinks a profile for storage. @param {Call[]} roots @returns {Pick<FoldedProfile, 'frames' | 'rest' | 'stacks'>} */
export function foldCalls(roots) {
  const functions = sumsOf(flat(roots));
  const all = [...functions.values()].reduce((sum, { self }) => sum + self, 0);
  const stacks = stacksOf(merged(roots), Math.max(1, LEAST_STACK * all));
  const kept = new Set(stacks.map(([, key]) => key));
  const bySize = [...functions].sort(([, a], [, b]) => b.self - a.self);
  for (const [key, { self }] of bySize.slice(0, MOST_FUNCTIONS)) {
    if (self > LEAST_FUNCTION * all) kept.add(key);
  }
  const frames = bySize.filter(([key]) => kept.has(key));
  const places = new Map(frames.map(([key], place) => [key, place]));
  return {
    frames: frames.map(([, { frame, self, variance }]) => ({ ...frame, self, variance })),
    rest: sumsByPackage(bySize.flatMap(([key, each]) => (kept.has(key) || each.self === 0 ? [] : each))),
    stacks: stacks.map(([caller, key, total]) => [caller, Number(places.get(key)), total]),
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

/** @param {Call[]} calls @returns {Call[]} one for each function, at every level */
const merged = (calls) => [...sumsOf(calls).values()].map((call) => ({ ...call, calls: merged(call.calls) }));

/** @param {Call[]} roots @param {number} least @returns {[caller: number, key: string, total: number][]} */
function stacksOf(roots, least) {
  /** @type {[number, string, number][]} */
  const stacks = [];
  const add = (/** @type {Call[]} */ calls, /** @type {number} */ caller) => {
    for (const call of calls) {
      const total = totalOf(call);
      if (total < least) continue;
      stacks.push([caller, keyOf(call.frame), total]);
      add(call.calls, stacks.length - 1);
    }
  };
  add(roots, -1);
  return stacks;
}

/** @param {Call} call @returns {number} */
const totalOf = ({ self, calls }) => calls.reduce((sum, call) => sum + totalOf(call), self);
