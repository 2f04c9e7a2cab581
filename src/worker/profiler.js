import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { foldCpu } from './fold-cpu.js';
import { foldHeap, HEAP_INTERVAL_BYTES } from './fold-heap.js';

/** @import { FoldedProfile, ProfileKind } from './types.js' */

/** @typedef {ReturnType<typeof createProfiler>} Profiler */

/**
 * V8's sampling profilers, in this process: which code the time goes into, and which code allocates. A profile
 * is folded here; only if the parent wants to keep it does the whole of it leave the process.
 */
export function createProfiler() {
  const session = new Session();
  /** @type {ProfileKind} */
  let kind = 'cpu';
  return {
    /** @param {{kind: ProfileKind, intervalUs: number}} how */
    async start({ kind: wanted, intervalUs }) {
      kind = wanted;
      session.connect();
      if (kind === 'heap') {
        await session.post('HeapProfiler.enable');
        await session.post('HeapProfiler.startSampling', {
          samplingInterval: HEAP_INTERVAL_BYTES,
          ...EVEN_COLLECTED,
        });
        return;
      }
      // While V8 lists the code there is it may fill its old space, and the collection that follows waits for a lock
      // that V8 holds itself: of 48 starts one hung for good. With the old space just collected it has room.
      await session.post('HeapProfiler.collectGarbage');
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: intervalUs });
      await session.post('Profiler.start');
    },

    /**
     * @param {{fromMs: number, toMs: number, cpuUs: number, whole: boolean}} run when it was, by the clock that
     *   all processes share, and what it took; `whole`: whether V8's own profile is returned too
     * @returns {Promise<{folded: FoldedProfile, samplerUs: number, whole: object | null}>} `samplerUs`: of the CPU
     *   time, what the profiler took
     */
    async stop({ fromMs, toMs, cpuUs, whole }) {
      if (kind === 'heap') {
        const { profile } = await session.post('HeapProfiler.stopSampling');
        session.disconnect();
        const folded = foldHeap(/** @type {any} */ (profile));
        return { folded, samplerUs: 0, whole: whole ? profile : null };
      }
      const samplerUs = samplersOwnUs();
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return {
        folded: foldCpu(profile, { fromUs: fromMs * 1000, toUs: toMs * 1000, cpuUs: cpuUs - samplerUs }),
        samplerUs,
        whole: whole ? profile : null,
      };
    },
  };
}

/** What has been allocated, not what is left of it. */
const EVEN_COLLECTED = {
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
};

/** V8's name for the thread that takes the samples. */
const SAMPLER = 'v8:ProfEvntProc';

/** @returns {number} µs of CPU that the sampler has taken; 0 where the system does not tell */
function samplersOwnUs() {
  try {
    const threads = readdirSync('/proc/self/task').map((id) => `/proc/self/task/${id}`);
    const sampler = threads.find((thread) => readFileSync(`${thread}/comm`, 'utf8').trim() === SAMPLER);
    const [ranNs] = readFileSync(`${sampler}/schedstat`, 'utf8').split(' ');
    return Number(ranNs) / 1000;
  } catch {
    return 0;
  }
}
