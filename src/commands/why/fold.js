import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupBy } from '../../collections.js';
import { sum } from '../../descriptive-statistics.js';
import { keyOfCode, total } from '../benchmark/judge/code-costs.js';

/** @import { Profiler } from 'node:inspector' */
/** @import { CodeFrame, FoldedProfile } from '../../worker/types.js' */
/** @import { Named } from '../benchmark/judge/code-costs.js' */
/** @import { OtherThreads } from './profiler.js' */

const HOME = fileURLToPath(new URL('../../..', import.meta.url));
const APPLICATION = ['src/worker/busy-work.js'];
const PACKAGES = 'node_modules/';
/** What this tool itself uses while it measures. */
const RECORDING = ['hdr-histogram-js'];
/** Computed keys make long names. */
const LONGEST_NAME = 80;

/** V8's own entries, which are no functions. @type {Record<string, Pick<CodeFrame, 'part' | 'name'>>} */
const STATES = {
  '(garbage collector)': { part: 'garbage', name: 'garbage collection' },
  '(program)': { part: 'native', name: 'native code' },
  '(root)': { part: 'native', name: 'native code' },
};

/**
 * Whose code a function is: package, file, function, line. Never a path outside of it, never source text.
 * @param {{functionName: string, url: string, lineNumber: number}} callFrame lines count from 0 @returns {CodeFrame}
 */
export function originOf({ functionName, url, lineNumber }) {
  const state = url === '' ? STATES[functionName] : undefined;
  if (state) return { ...state, package: null, file: null, line: null };
  const name = nameOf(functionName);
  const line = lineNumber >= 0 ? lineNumber + 1 : null;
  if (url === '') return { part: 'native', package: null, file: null, name, line: null };
  if (url.startsWith('node:'))
    return { part: 'node', package: null, file: url.slice('node:'.length), name, line };
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  return { ...placeOf(path.replaceAll('\\', '/')), name, line };
}

/** @type {(path: string) => Pick<CodeFrame, 'part' | 'package' | 'file'>} */
function placeOf(path) {
  const inTool = relative(HOME, path).replaceAll('\\', '/');
  // This tool may itself be an installed package.
  if (!inTool.startsWith('..') && !inTool.startsWith(PACKAGES))
    return { part: APPLICATION.includes(inTool) ? 'application' : 'tool', package: null, file: inTool };
  const inPackages = path.lastIndexOf(PACKAGES);
  // A plugin of the user's own, or a client in another folder.
  if (inPackages === -1) return { part: 'other', package: null, file: path.slice(path.lastIndexOf('/') + 1) };
  const [first, second, ...rest] = path.slice(inPackages + PACKAGES.length).split('/');
  const [name, file] = first.startsWith('@')
    ? [`${first}/${second}`, rest.join('/')]
    : [first, [second, ...rest].join('/')];
  return RECORDING.includes(name)
    ? { part: 'tool', package: null, file: `${name}/${file}` }
    : { part: 'package', package: name, file };
}

/** @param {string} functionName */
function nameOf(functionName) {
  if (functionName === '') return '(anonymous)';
  // V8 names a regular expression by its source.
  if (functionName.startsWith('RegExp: ')) return 'RegExp';
  return functionName.slice(0, LONGEST_NAME);
}

/** The rest is summed by package. */
const MOST_FUNCTIONS = 250;
/** A function with a smaller share is one sample or two. */
const LEAST_FUNCTION = 0.0005;

/** Shrinks a profile for storage. @param {Named[]} all in any order @returns {Pick<FoldedProfile, 'frames' | 'rest'>} */
export function foldFunctions(all) {
  const functions = groupBy(all, keyOfCode)
    .map(summed)
    .sort((a, b) => b.self - a.self);
  const least = LEAST_FUNCTION * total(functions, 'self');
  const few = functions.findIndex(({ self }, index) => index >= MOST_FUNCTIONS || self <= least);
  const listed = few === -1 ? functions.length : few;
  const small = functions.slice(listed).filter(({ self }) => self > 0);
  return {
    frames: functions.slice(0, listed),
    rest: groupBy(small, ({ part, package: owner }) => `${part} ${owner}`).map((members) => {
      const { file: _, name: _n, line: _l, ...sum } = summed(members);
      return sum;
    }),
  };
}

/** @type {(members: Named[]) => Named} */
const summed = (members) => ({
  ...members[0],
  self: total(members, 'self'),
  variance: total(members, 'variance'),
});

const IDLE = '(idle)';

/**
 * Counts time, not samples. While V8 collects garbage its helper threads keep the sampler waiting: of a run that stood
 * still for collections 30 to 38 % of the time, 15 % of the samples said so, and 33 % of the time between them.
 *
 * What V8 calls idle is all of the event loop's poll: sleeping, but also waking up, polling and reading sockets, which with
 * one task is most of the CPU time. So the poll gets the CPU time that neither a sample nor another thread accounts for.
 * @param {Profiler.Profile} profile
 * @param {{fromUs: number, toUs: number, cpuUs: number, threads?: OtherThreads}} run by the clock of V8 and process.hrtime;
 *   `cpuUs`: without the profiler's own @returns {FoldedProfile}
 */
export function foldCpu(profile, { cpuUs, threads = NO_OTHERS, ...time }) {
  const counts = countsIn(profile, time);
  const counted = profile.nodes.flatMap(({ id, callFrame }) => {
    const count = counts.get(id);
    return count && callFrame.functionName !== IDLE ? { ...originOf(callFrame), ...count } : [];
  });
  const samples = sum(counted.map((each) => each.samples));
  const us = total(counted, 'self');
  const all = [
    ...counted.map(({ samples: _, ...each }) => each),
    ...unsampledOf(Math.round(cpuUs - us), threads, us / Math.max(1, samples)),
  ];
  return { unit: 'µs', samples, ...foldFunctions(all) };
}

/** @type {OtherThreads} */
const NO_OTHERS = { v8Us: 0, nativeUs: 0 };

/**
 * On a busy machine samples also cover time in which their thread waited for CPU, so that nothing may be left to the poll.
 * @type {(us: number, threads: OtherThreads, usOfSample: number) => Named[]}
 */
function unsampledOf(us, { v8Us, nativeUs }, usOfSample) {
  const [native, garbage] = [Math.round(nativeUs), Math.round(v8Us)];
  /** @type {[CodeFrame, number][]} */
  const calls = [
    [THREADS, native],
    [GARBAGE, garbage],
    [POLL, us - native - garbage],
  ];
  return calls.flatMap(([frame, self]) =>
    self > 0 ? [{ ...frame, self, variance: Math.round(self * usOfSample) }] : [],
  );
}

const NOWHERE = { package: null, file: null, line: null };
/** Threads of libraries, such as those of Rust. @type {CodeFrame} */
const THREADS = { ...NOWHERE, part: 'native', name: 'threads of native libraries' };
/** Once the code is compiled, V8's own threads do hardly anything else. */
const GARBAGE = originOf({ functionName: '(garbage collector)', url: '', lineNumber: -1 });
/** @type {CodeFrame} */
const POLL = { ...NOWHERE, part: 'poll', name: 'polling and reading sockets' };

/** @param {Profiler.Profile} profile @param {(frame: {url: string}) => boolean} which @returns {number} µs in such code */
export function usIn(profile, which) {
  const counts = countsIn(profile, { fromUs: profile.startTime, toUs: profile.endTime });
  return sum(profile.nodes.map(({ id, callFrame }) => (which(callFrame) ? (counts.get(id)?.self ?? 0) : 0)));
}

/**
 * @param {Profiler.Profile} profile @param {{fromUs: number, toUs: number}} time
 * @returns {Map<number, {samples: number, self: number, variance: number}>} by node; each sample stands for the time since
 *   the one before
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
