import { keepAwake } from '../../core/machine/keep-awake.js';
import { measureWakeUpCost } from '../../core/machine/wake-up-cost.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { NotAwake } from '../../core/machine/types.js' */
/** @import { WakingFact } from '../../core/store/types.js' */
/** @import { Place } from './contexts.js' */

/** @typedef {Awaited<ReturnType<typeof createWaking>>} Waking */

/**
 * Keeps the processors of server and workers awake in some starts: all, or every other one.
 * @param {Place[]} places @param {Pick<Settings, 'cpus'>} settings
 */
export async function createWaking(places, { cpus }) {
  const own = places.map(({ placer }) => placer.pinned());
  const kept = cpus === 'asleep' ? null : await keep(own);
  const loops = kept === null || 'reason' in kept ? null : kept;
  loops?.pause();
  return {
    fact: await factOf(),
    /** @param {number} start from 1 @param {boolean} mayWake @returns {boolean} whether they are kept awake in it */
    begin(start, mayWake) {
      const isAwake = loops !== null && mayWake && (cpus === 'awake' || start % 2 === 0);
      if (isAwake) loops?.resume();
      else loops?.pause();
      return isAwake;
    },
    end: async () => void (await loops?.stop()),
  };

  /** @returns {Promise<WakingFact | null>} */
  async function factOf() {
    if (kept === null) return null;
    if ('reason' in kept) return { kind: 'not-kept-awake', ...kept };
    const cost = await measureWakeUpCost(
      own.flatMap((each) => ('reason' in each ? [] : each)),
      kept.pids,
    );
    return cost && { kind: 'wake-up', ...cost };
  }
}

/** @param {(number[] | NotAwake)[]} own */
function keep(own) {
  const not = own.find((each) => 'reason' in each);
  return not ?? keepAwake([...new Set(/** @type {number[][]} */ (own).flat())]);
}
