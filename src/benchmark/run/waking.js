import { keepAwake } from '../../core/machine/keep-awake.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { Place, RunContext } from './contexts.js' */

/** @typedef {Awaited<ReturnType<typeof createWaking>>} Waking */

/**
 * Keeps the processors of server and workers awake in some starts: all, or every other one.
 * @param {Place[]} places @param {Pick<Settings, 'cpus'>} settings @param {RunContext['warn']} warn
 */
export async function createWaking(places, { cpus }, warn) {
  const kept = cpus === 'asleep' ? null : await start(places);
  if (kept !== null && 'unavailable' in kept) warn({ kind: 'not-kept-awake', why: kept.unavailable });
  const loops = kept === null || 'unavailable' in kept ? null : kept;
  loops?.pause();
  return {
    /** @param {number} number of a start, from 1 @returns {boolean} whether it is one of those */
    begin(number) {
      const isAwake = loops !== null && (cpus === 'awake' || number % 2 === 0);
      if (isAwake) loops?.resume();
      else loops?.pause();
      return isAwake;
    },
    end: async () => void (await loops?.stop()),
  };
}

/** @param {Place[]} places */
async function start(places) {
  const used = places.flatMap(({ placer }) =>
    placer.placements.flatMap(({ serverCpus, workerCpus, relayCpus = [] }) => [
      ...(serverCpus ?? []),
      ...(workerCpus ?? []),
      ...relayCpus,
    ]),
  );
  const cpus = [...new Set(used)];
  return cpus.length === 0 ? { unavailable: 'server and workers are not pinned to CPUs' } : keepAwake(cpus);
}
