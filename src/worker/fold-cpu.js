import { originOf } from './code-origin.js';
import { foldCalls } from './fold.js';

/**
 * @import { Profiler } from 'node:inspector'
 * @import { CodeFrame, FoldedProfile } from './types.js'
 * @import { Call } from './fold.js'
 */

const IDLE = '(idle)';

/**
 * Counts time, not samples. While V8 collects garbage its helper threads keep the sampler waiting, so that few
 * samples stand for much time: of a run that stood still for collections 30 to 38 % of the time 15 % of the
 * samples said so, and 33 % of the time between them.
 *
 * What V8 calls idle is the whole of the event loop's poll: it sleeps there, and it wakes up, polls and reads
 * sockets there. With one task that is most of the CPU time. So the CPU time that no sample accounts for is the
 * poll's.
 *
 * @param {Profiler.Profile} profile
 * @param {object} run
 * @param {number} run.fromUs when it began, by the clock of V8 and of process.hrtime
 * @param {number} run.toUs
 * @param {number} run.cpuUs that the process took in it, without the profiler's own
 * @returns {FoldedProfile} of the CPU time
 */
export function foldCpu(profile, { cpuUs, ...time }) {
  const counts = countsIn(profile, time);
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const idle = new Set(
    profile.nodes.filter(({ callFrame }) => callFrame.functionName === IDLE).map(({ id }) => id),
  );
  const of = (/** @type {number} */ id) => counts.get(id) ?? { samples: 0, self: 0, variance: 0 };
  /** @param {number} id @returns {Call} */
  const callOf = (id) => {
    const { callFrame, children = [] } = /** @type {Profiler.ProfileNode} */ (byId.get(id));
    const { self, variance } = of(id);
    return {
      frame: originOf(callFrame),
      self,
      variance,
      calls: children.filter((child) => !idle.has(child)).map(callOf),
    };
  };
  let [samples, us] = [0, 0];
  for (const [id, count] of counts) {
    if (idle.has(id)) continue;
    samples += count.samples;
    us += count.self;
  }
  // What was counted in the root itself stands beside what it calls.
  const { calls, ...root } = callOf(profile.nodes[0].id);
  const poll = pollOf(Math.round(cpuUs - us), us / Math.max(1, samples));
  return { unit: 'µs', samples, ...foldCalls([{ ...root, calls: [] }, ...calls, ...poll]) };
}

/**
 * @param {number} us
 * @param {number} usOfSample
 * @returns {Call[]}
 */
const pollOf = (us, usOfSample) =>
  us <= 0 ? [] : [{ frame: POLL, self: us, variance: Math.round(us * usOfSample), calls: [] }];

/** @type {CodeFrame} */
const POLL = { part: 'poll', package: null, file: null, name: 'polling and reading sockets', line: null };

/**
 * @param {Profiler.Profile} profile
 * @param {{fromUs: number, toUs: number}} time
 * @returns {Map<number, {samples: number, self: number, variance: number}>} by the node that a sample fell on; each
 *   stands for the time since the one before
 */
function countsIn({ startTime, samples = [], timeDeltas = [] }, { fromUs, toUs }) {
  /** @type {ReturnType<typeof countsIn>} */
  const counts = new Map();
  let at = startTime;
  for (const [place, id] of samples.entries()) {
    const before = at;
    at += timeDeltas[place] ?? 0;
    const us = Math.round(Math.min(at, toUs) - Math.max(before, fromUs));
    if (us <= 0) continue;
    const count = counts.get(id) ?? { samples: 0, self: 0, variance: 0 };
    counts.set(id, { samples: count.samples + 1, self: count.self + us, variance: count.variance + us * us });
  }
  return counts;
}
