import { readdirSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { availableParallelism } from 'node:os';
import { tryOr } from '../../errors.js';
import { textOf } from '../../process/read-file.js';
import { foldCpu, foldFunctions, originOf, usIn } from './fold.js';

/** @import { HeapProfiler } from 'node:inspector' */
/** @import { FoldedProfile, ProfileKind } from '../../worker/types.js' */
/** @import { Named } from '../benchmark/judge/code-costs.js' */

/** @typedef {HeapProfiler.SamplingHeapProfile & {samples: unknown[]}} HeapProfile */
/** @typedef {{seenUs: number, tookUs: number}} SelfTest what samples found of a known loop, and what it took */
/** @typedef {ReturnType<typeof createProfiler>} Profiler */
/** @typedef {ReturnType<typeof threadTimes>} Threads */
/** @typedef {ReturnType<typeof otherThreads>} OtherThreads CPU time of V8's threads, with which Node starts, and of libraries' */

const INTERVAL_US = 200;

/** V8's own profilers, in this process; profiles are folded here. @param {ProfileKind} kind @param {Set<string>} nodesThreads ids of Node's threads */
function createProfiler(kind, nodesThreads) {
  const session = new Session();
  /** @type {Threads} */
  let threadsBefore = new Map();
  /** @type {ReturnType<typeof startKnownLoop> | undefined} */
  let knownLoop;
  const sampleCpu = async () => {
    // While V8 lists all code it may fill its old space, and the collection that follows waits for a lock that V8 itself holds:
    // of 48 starts one hung for good. With the old space just collected there is room.
    await session.post('HeapProfiler.collectGarbage');
    await session.post('Profiler.start');
  };
  return {
    async start() {
      session.connect();
      if (kind === 'heap') {
        await session.post('HeapProfiler.enable');
        await session.post('HeapProfiler.startSampling', {
          samplingInterval: HEAP_INTERVAL_BYTES,
          ...EVEN_COLLECTED,
        });
        return;
      }
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
      await sampleCpu();
    },

    /** Runs a loop between operations, until `tested`. */
    test() {
      knownLoop = startKnownLoop();
    },

    /** Samples anew, with a new thread. @returns {Promise<SelfTest>} */
    async tested() {
      const tookUs = knownLoop?.stop() ?? 0;
      const { profile } = await session.post('Profiler.stop');
      await sampleCpu();
      return { seenUs: usIn(profile, ({ url }) => url === import.meta.url), tookUs };
    },

    begin() {
      threadsBefore = threadTimes();
    },

    /**
     * @param {{fromMs: number, toMs: number, cpuUs: number, whole: boolean}} run when it was, by the shared clock, and what it
     *   took; `whole`: whether V8's own profile is returned too
     * @returns {Promise<{folded: FoldedProfile, samplerUs: number, whole: object | null}>} `samplerUs`: CPU time of the profiler
     */
    async stop({ fromMs, toMs, cpuUs, whole }) {
      if (kind === 'heap') {
        const { profile } = await session.post('HeapProfiler.stopSampling');
        session.disconnect();
        const folded = foldHeap(/** @type {HeapProfile} */ (profile));
        return { folded, samplerUs: 0, whole: whole ? profile : null };
      }
      const threads = threadTimes();
      const samplerUs = samplersOwnUs(threads) - samplersOwnUs(threadsBefore);
      const others = otherThreads(threads, threadsBefore, nodesThreads);
      const onOneProcessor = availableParallelism() === 1;
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return {
        folded: foldCpu(profile, {
          fromUs: fromMs * 1000,
          toUs: toMs * 1000,
          cpuUs: cpuUs - samplerUs,
          // On a single processor V8's threads run while JavaScript waits for them, which the samples count.
          threads: onOneProcessor ? { ...others, v8Us: 0 } : others,
        }),
        samplerUs,
        whole: whole ? profile : null,
      };
    },
  };
}

/** Shorter than an interval between samples, as functions of clients are. */
const LOOP_TURNS = 50_000;
const LOOP_EVERY_MS = 1;

function startKnownLoop() {
  let tookMs = 0;
  let value = 1;
  const timer = setInterval(() => {
    const from = performance.now();
    for (let turn = 0; turn < LOOP_TURNS; turn++) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
    tookMs += performance.now() - from;
  }, LOOP_EVERY_MS);
  return {
    /** @returns {number} µs that it took, with what other programs took meanwhile: samples count that too */
    stop() {
      clearInterval(timer);
      return 1000 * tookMs;
    },
  };
}

const EVEN_COLLECTED = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };

const SAMPLER = 'v8:ProfEvntProc';

const TASKS = '/proc/self/task';

/** CPU time of each thread of this process, by its id. @returns {Map<string, {name: string, us: number}>} empty if unknown */
function threadTimes() {
  const threads = new Map();
  for (const id of tryOr(() => readdirSync(TASKS), [])) {
    const name = textOf(TASKS, id, 'comm').trim();
    const [ranNs] = textOf(TASKS, id, 'schedstat').split(' ');
    if (ranNs !== '') threads.set(id, { name, us: Number(ranNs) / 1000 });
  }
  return threads;
}

/** @param {Threads} threads @returns {number} µs of CPU */
const samplersOwnUs = (threads) => [...threads.values()].find(({ name }) => name === SAMPLER)?.us ?? 0;

/** @param {Threads} threads @param {Threads} before @param {Set<string>} nodesThreads */
function otherThreads(threads, before, nodesThreads) {
  const sums = { v8Us: 0, nativeUs: 0 };
  for (const [id, { name, us }] of threads) {
    if (id === String(process.pid) || name === SAMPLER) continue;
    sums[nodesThreads.has(id) ? 'v8Us' : 'nativeUs'] += us - (before.get(id)?.us ?? 0);
  }
  return sums;
}

/** With 3 kB per operation, some thousands of samples in half a second. */
const HEAP_INTERVAL_BYTES = 16_384;

/** @param {HeapProfile} profile @returns {FoldedProfile} of the bytes that were allocated */
const foldHeap = ({ head, samples }) => ({
  unit: 'bytes',
  samples: samples.length,
  ...foldFunctions(functionsIn(head)),
});

/** @param {HeapProfiler.SamplingHeapProfileNode} node @returns {Named[]} with all below it */
const functionsIn = ({ callFrame, selfSize, children }) => [
  { ...originOf(callFrame), self: selfSize, variance: selfSize * HEAP_INTERVAL_BYTES },
  ...children.flatMap(functionsIn),
];

/** Of this process. @type {Profiler | undefined} */
let profiler;

/**
 * What a worker is asked while its cell is profiled.
 * @param {string} request @param {{kind: ProfileKind} & Parameters<Profiler['stop']>[0]} params
 * @param {Set<string>} nodesThreads ids of Node's threads
 */
export async function answer(request, params, nodesThreads) {
  if (request === 'start-profile') {
    profiler = createProfiler(params.kind, nodesThreads);
    return profiler.start();
  }
  if (request === 'test-profile') return profiler?.test();
  if (request === 'tested-profile') return profiler?.tested();
  return request === 'begin-profile' ? profiler?.begin() : profiler?.stop(params);
}
